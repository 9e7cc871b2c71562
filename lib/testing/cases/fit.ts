import { strict as assert } from 'node:assert';
import { parsePointer } from '../../json/pointer';
import type { ConformanceTests } from '../conformance-test';
import { isSameJson, type KeyProbe, readStatus, printShort, toComparableText } from '../key-probe';
import { type Members, replaceMembers, readMembers } from '../members';
import { writeOrBeRefused } from './write-or-be-refused';

/** Values that are almost values of the store, and what `replace` stores for them. */
export const fitting: ConformanceTests = {
  'replace writes what fit returns, and refuses what fit refuses': async (here, _, { wrap }) => {
    const { bare } = here;
    const before = here.creates ? undefined : (await bare.readExisting()).value;
    await bare.start(replaceMembers(before, wrap('"a text"')));
    // Only a store with `fit` shows how a value that lacks a member is stored.
    const members = bare.store.fit === undefined ? {} : readMembers((await bare.present()).value);
    if (bare.store.accept !== undefined) checkAccept(bare, (await bare.present()).value);
    for (const change of createChanges(members, wrap)) {
      const state = await bare.present();
      const { value } = state;
      const next = change(value);
      const received = toComparableText([value, next]);
      const fit = readFit(bare, next, value);
      const completed =
        bare.store.complete && readFit(bare, bare.store.complete(bare.key, next, value), value);
      assert.equal(
        toComparableText([value, next]),
        received,
        'fit or complete modified a value that it received. Return a new one',
      );
      if (completed !== undefined)
        assert.ok(
          isSameJson(completed, fit),
          `fit returned ${printShort(fit)} for ${printShort(next)}, and ${printShort(completed)} ` +
            'once complete had added its members. Let complete add what fit would add',
        );
      const written = await writeOrBeRefused(bare, state, next);
      if (fit === undefined) continue;
      assert.equal(
        written === 'refused' ? 'refused' : 'written',
        fit === 'refused' ? 'refused' : 'written',
        `fit and replace disagree about ${printShort(next)}. Let both refuse it, or neither`,
      );
      if (written === 'refused' || fit === 'refused') continue;
      const [expected, actual] = [fit.value, written.value].map((result) => withoutReadOnly(bare, result));
      assert.ok(
        isSameJson(actual, expected),
        `fit returned ${printShort(expected)}, but replace wrote ${printShort(actual)}`,
      );
    }
  },
};

/** Another text; and for an object, each member left out, and each as null. */
function createChanges(members: Members, wrap: (text: string) => unknown): ((value: unknown) => unknown)[] {
  const memberChanges = Object.keys(members).flatMap((name) => [
    (value: unknown) =>
      Object.fromEntries(Object.entries(readMembers(value)).filter(([other]) => other !== name)),
    (value: unknown) => replaceMembers(value, { [name]: null }),
  ]);
  return [(value) => replaceMembers(value, wrap('"another text"')), ...memberChanges];
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

/**
 * Asserts that `accept` changes neither values that the store can write nor its arguments, and leaves out a
 * member that `fit` refuses.
 */
function checkAccept(probe: KeyProbe, value: unknown): void {
  const { store, key } = probe;
  const more = replaceMembers(value, { 'an unknown member': 1 });
  const received = toComparableText([value, more]);
  const isUnknown = readFit(probe, more, value) === 'refused';
  for (const next of isUnknown ? [value, more] : [value]) {
    const accepted = store.accept?.(key, next, value);
    assert.equal(
      toComparableText([value, more]),
      received,
      'accept modified a value that it received. Return a new one',
    );
    assert.ok(
      isSameJson(accepted, value),
      `accept returned ${printShort(accepted)} for ${printShort(next)}. Return the value as it is, but for ` +
        'what fit refuses because there is no place for it',
    );
  }
}

/**
 * The value without members that only the store writes, such as the version, because `fit` does not know them
 * yet.
 */
function withoutReadOnly({ store }: KeyProbe, value: unknown): unknown {
  const readOnly = (store.readOnly ?? []).map((pointer) => parsePointer(pointer)?.tokens[0]);
  const members = Object.entries(readMembers(value)).filter(([name]) => !readOnly.includes(name));
  return members.length > 0 ? Object.fromEntries(members) : value;
}
