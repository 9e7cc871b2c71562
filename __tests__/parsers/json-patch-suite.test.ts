import specTests from 'json-patch-test-suite/spec_tests.json';
import tests from 'json-patch-test-suite/tests.json';
import { applyJsonPatch } from '../../lib/parsers/json-patch';
import { PatchError } from '../../lib/parsers/patch-error';

interface SuiteCase {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: unknown;
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

/** Cases that the suite's repository has and its latest release, 1.1.0, has not. */
const unreleased: readonly SuiteCase[] = [
  { comment: 'object to array', doc: {}, patch: [{ op: 'add', path: '', value: [] }], expected: [] },
  { comment: 'array to object', doc: [], patch: [{ op: 'add', path: '', value: {} }], expected: {} },
  {
    comment: 'append to root array',
    doc: [],
    patch: [{ op: 'add', path: '/-', value: 'hi' }],
    expected: ['hi'],
  },
  {
    doc: { bar: 'baz' },
    patch: [{ op: 'replace', path: '/foo/bar', value: false }],
    error: 'missing parent',
  },
  { doc: {}, patch: [{ op: 'add', value: 'bar' }], error: "missing 'path' parameter" },
  { doc: {}, patch: [{ op: 'add', path: null, value: 'bar' }], error: "null is not valid value for 'path'" },
  {
    doc: {},
    patch: [{ op: 'add', path: 'foo', value: 'bar' }],
    error: 'JSON Pointer should start with a slash',
  },
  { doc: { foo: 1 }, patch: [{ op: 'copy', from: '/bar', path: '/foo' }], error: "missing 'from' location" },
  { doc: { foo: 1 }, patch: [{ op: 'move', from: '/bar', path: '/foo' }], error: "missing 'from' location" },
  { doc: ['foo', 'bar'], patch: [{ op: 'test', path: '/00', value: 'foo' }], error: 'leading zeros' },
  { doc: ['foo', 'bar'], patch: [{ op: 'test', path: '/01', value: 'bar' }], error: 'leading zeros' },
  { doc: { foo: 'bar' }, patch: [{ op: 'remove', path: '/baz' }], error: 'nonexistent field' },
  { doc: { foo: 'bar' }, patch: [{ op: 'remove', path: '/missing1/missing2' }], error: 'nonexistent path' },
  { doc: ['foo', 'bar'], patch: [{ op: 'remove', path: '/2' }], error: 'nonexistent index' },
  {
    comment: 'different capitalisation',
    doc: { foo: 'bar' },
    patch: [{ op: 'add', path: '/FOO', value: 'BAR' }],
    expected: { foo: 'bar', FOO: 'BAR' },
  },
  {
    comment: 'copy an object, then change the destination',
    doc: { foo: { bar: { baz: [{ boo: 'net' }] } } },
    patch: [
      { op: 'copy', from: '/foo', path: '/bak' },
      { op: 'replace', path: '/bak/bar/baz/0/boo', value: 'qux' },
    ],
    expected: { foo: { bar: { baz: [{ boo: 'net' }] } }, bak: { bar: { baz: [{ boo: 'qux' }] } } },
  },
  {
    comment: 'copy an object, then change the source',
    doc: { foo: { bar: { baz: [{ boo: 'net' }] } } },
    patch: [
      { op: 'copy', from: '/foo', path: '/bak' },
      { op: 'replace', path: '/foo/bar/baz/0/boo', value: 'qux' },
    ],
    expected: { foo: { bar: { baz: [{ boo: 'qux' }] } }, bak: { bar: { baz: [{ boo: 'net' }] } } },
  },
];

const released = [...(tests as SuiteCase[]), ...(specTests as SuiteCase[])];
const live = released.filter(({ disabled }) => disabled !== true);
/** The suite disables four: two with a member `op` twice, which are no JSON values (json-patch.test.ts has them as text). */
const disabled = released.filter((row) => row.disabled === true && row.error === undefined);

const titled = (cases: readonly SuiteCase[]): [string, SuiteCase][] =>
  cases.map((row, index) => [
    `${index}: ${row.comment ?? row.error ?? ''} ${JSON.stringify(row.patch)} on ${JSON.stringify(row.doc)}`,
    row,
  ]);

const check = (_title: string, { doc, patch, expected, error }: SuiteCase) => {
  if (error !== undefined) {
    expect(() => applyJsonPatch(doc, patch)).toThrow(PatchError);
  } else {
    expect(applyJsonPatch(doc, patch)).toEqual(expected ?? doc);
  }
};

test('the release has 91 live cases, and two disabled ones that JSON.parse can hold', () => {
  expect([live.length, disabled.length]).toEqual([91, 2]);
});

describe('json-patch-test-suite 1.1.0', () => {
  test.each(titled([...live, ...disabled]))('%s', check);
});

describe('json-patch-test-suite, not released yet', () => {
  test.each(titled(unreleased))('%s', check);
});
