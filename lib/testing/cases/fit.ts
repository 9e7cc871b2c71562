import { strict as assert } from 'node:assert';
import { parsePointer } from '../../json/pointer';
import type { ConformanceTests } from '../conformance-test';
import { isSameJson, type KeyProbe, readStatus, shown, toJson } from '../key-probe';
import { type Members, merged, readMembers } from '../members';
import { writtenOrRefused } from './written-or-refused';

/** What `replace` makes of values that are not quite those of the store. */
export const fitting: ConformanceTests = {
  'replace writes what fit returns, and refuses what fit refuses': async (here, _, { wrap }) => {
    const { bare } = here;
    const before = here.creates ? undefined : (await bare.there()).value;
    await bare.start(merged(before, wrap('"a text"')));
    // Only a store with `fit` says what becomes of a value that lacks a member.
    const members = bare.store.fit === undefined ? {} : readMembers((await bare.present()).value);
    for (const change of createChanges(members, wrap)) {
      const { version, value } = await bare.present();
      const next = change(value);
      const received = toJson([value, next]);
      const fit = readFit(bare, next, value);
      const completed =
        bare.store.complete && readFit(bare, bare.store.complete(bare.key, next, value), value);
      assert.equal(
        toJson([value, next]),
        received,
        'fit or complete modified a value that it received. Return a new one',
      );
      if (completed !== undefined)
        assert.ok(
          isSameJson(completed, fit),
          `fit returned ${shown(fit)} for ${shown(next)}, and ${shown(completed)} once complete had ` +
            'added its members. Let complete add what fit would add',
        );
      const written = await writtenOrRefused(bare, version, next);
      if (fit === undefined) continue;
      assert.equal(
        written === 'refused' ? 'refused' : 'written',
        fit === 'refused' ? 'refused' : 'written',
        `fit and replace disagree about ${shown(next)}. Let both refuse it, or neither`,
      );
      if (written === 'refused' || fit === 'refused') continue;
      const [expected, actual] = [fit.value, written.value].map((result) => withoutReadOnly(bare, result));
      assert.ok(
        isSameJson(actual, expected),
        `fit returned ${shown(expected)}, but replace wrote ${shown(actual)}`,
      );
    }
  },
};

/** Another text; and for an object, each member left out, and each as null. */
function createChanges(members: Members, wrap: (text: string) => unknown): ((value: unknown) => unknown)[] {
  const ofMembers = Object.keys(members).flatMap((name) => [
    (value: unknown) =>
      Object.fromEntries(Object.entries(readMembers(value)).filter(([other]) => other !== name)),
    (value: unknown) => merged(value, { [name]: null }),
  ]);
  return [(value) => merged(value, wrap('"another text"')), ...ofMembers];
}

/** Undefined if the store has no `fit`. */
function readFit(
  { store, key }: KeyProbe,
  next: unknown,
  current: unknown,
): { readonly value: unknown } | 'refused' | undefined {
  if (store.fit === undefined) return undefined;
  try {
    return { value: store.fit(key, next, current) };
  } catch (thrown) {
    assert.equal(
      readStatus(thrown),
      422,
      `fit threw ${String(thrown)}. Throw a ProblemError with status 422 instead`,
    );
    return 'refused';
  }
}

/** What only the store writes, such as the version, `fit` cannot know. */
function withoutReadOnly({ store }: KeyProbe, value: unknown): unknown {
  const readOnly = (store.readOnly ?? []).map((pointer) => parsePointer(pointer)?.tokens[0]);
  const members = Object.entries(readMembers(value)).filter(([name]) => !readOnly.includes(name));
  return members.length > 0 ? Object.fromEntries(members) : value;
}
