import specTests from 'json-patch-test-suite/spec_tests.json';
import tests from 'json-patch-test-suite/tests.json';
import { applyJsonPatch, JsonError } from '../../../lib/json';
import unreleased from '../../support/json-patch-unreleased-tests.json';

interface SuiteCase {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: unknown;
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

const released = [...(tests as SuiteCase[]), ...(specTests as SuiteCase[])];
const live = released.filter(({ disabled }) => disabled !== true);
/** The suite disables four: two with a member `op` twice, which are no JSON values (json-patch.test.ts has them as text). */
const disabled = released.filter((row) => row.disabled === true && row.error === undefined);

const titled = (cases: readonly SuiteCase[]): (SuiteCase & { readonly title: string })[] =>
  cases.map((row, index) => ({
    ...row,
    title: `${index}: ${row.comment ?? row.error ?? ''} ${JSON.stringify(row.patch)} on ${JSON.stringify(row.doc)}`,
  }));

const check = ({ doc, patch, expected, error }: SuiteCase) => {
  if (error !== undefined) {
    expect(() => applyJsonPatch(doc, patch)).toThrow(JsonError);
  } else {
    expect(applyJsonPatch(doc, patch)).toEqual(expected ?? doc);
  }
};

test('the release has 91 live cases, and two disabled ones that JSON.parse can hold', () => {
  expect([live.length, disabled.length]).toEqual([91, 2]);
});

describe('json-patch-test-suite 1.1.0', () => {
  test.each(titled([...live, ...disabled]))('$title', check);
});

describe('json-patch-test-suite, what its repository has beyond the release', () => {
  test.each(titled(unreleased))('$title', check);
});
