/** What a PUT leaves out and may not remove, against a definition that is slow and obvious. */
import { formatPointer, parsePointer, valueAt } from '../../../lib/json/pointer';
import { isEqualJson, isJsonObject, ownMember } from '../../../lib/json/value';
import { keptMembers, protectionCheck } from '../../../lib/patch/rules/protected-members';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';

const name = fc.constantFrom('a', 'b', '__proto__', '0');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, 0, 'x'),
    fc.array(fc.nat(2), { maxLength: 2 }),
    fc
      .uniqueArray(fc.tuple(name, tie('value')), { selector: ([key]) => key, maxLength: 4 })
      .map(
        (members) =>
          JSON.parse(`{${members.map(([key, of]) => `"${key}":${JSON.stringify(of)}`).join()}}`) as unknown,
      ),
  ),
}));
const pointers = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }).map(formatPointer), {
  minLength: 1,
  maxLength: 3,
});

const tokensOf = (pointer: string) => parsePointer(pointer)?.tokens ?? [];

/** The paths of all members of objects, those within arrays left out, the shallowest first. */
function pathsOf(within: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (!isJsonObject(within)) return [];
  const names = Object.keys(within).map((each) => [...path, each]);
  return [...names, ...names.flatMap((each) => pathsOf(ownMember(within, each.at(-1) ?? ''), each))];
}

test('readOnly: what PUT leaves out is as it was, and all else is as it was sent', () => {
  const property = fc.property(value, value, pointers, (before, sent, readOnly) => {
    const made = keptMembers({ readOnly })(before, sent);
    for (const pointer of readOnly) {
      // What is below another of the pointers is a part of that one's value.
      if (readOnly.some((above) => pointer.startsWith(`${above}/`))) continue;
      const tokens = tokensOf(pointer);
      const isReached = tokens.every(
        (_, depth) =>
          isJsonObject(valueAt(before, tokens.slice(0, depth))) &&
          isObjectOrAbsent(sent, tokens.slice(0, depth)),
      );
      const [was, is] = [valueAt(before, tokens), valueAt(sent, tokens)];
      if (isReached && was !== undefined && is === undefined) expect(valueAt(made, tokens)).toEqual(was);
    }
    for (const path of pathsOf(sent)) {
      const whole = isJsonObject(valueAt(sent, path))
        ? isJsonObject(valueAt(made, path))
        : isEqualJson(valueAt(made, path), valueAt(sent, path));
      expect([path, whole]).toEqual([path, true]);
    }
    // Whatever is there and was not sent was kept from before.
    for (const path of pathsOf(made)) {
      if (valueAt(sent, path) !== undefined || isJsonObject(valueAt(made, path))) continue;
      expect(valueAt(made, path)).toEqual(valueAt(before, path));
    }
  });
  fc.assert(property, { numRuns: times(250, 100_000) });
});

function isObjectOrAbsent(within: unknown, path: readonly string[]): boolean {
  for (let depth = 0; depth <= path.length; depth++) {
    const found = valueAt(within, path.slice(0, depth));
    if (found === undefined) return true;
    if (!isJsonObject(found)) return false;
  }
  return true;
}

test('writable: what PUT leaves out passes the check, so that a refusal names what was sent', () => {
  const property = fc.property(value, pointers, (before, writable) => {
    fc.pre(isJsonObject(before));
    const made = keptMembers({ writable })(before, {});
    expect(protectionCheck({ writable })(before, made)).toBeUndefined();
    for (const pointer of writable) {
      const tokens = tokensOf(pointer);
      const isThroughObjects = tokens.every((_, depth) =>
        isJsonObject(valueAt(before, tokens.slice(0, depth))),
      );
      if (isThroughObjects) expect(valueAt(made, tokens)).toBeUndefined();
    }
  });
  fc.assert(property, { numRuns: times(250, 100_000) });
});

const before = { a: 1, b: { c: 1, d: 2 } };

test.each<{
  readonly title: string;
  readonly before?: unknown;
  readonly sent: unknown;
  readonly members: Parameters<typeof keptMembers>[0];
  readonly made: unknown;
}>([
  {
    title: 'all that was sent keeps its order, so that GET can return the same bytes',
    sent: { b: { d: 3, c: 1 }, a: 1 },
    members: { readOnly: ['/a', '/b/c'] },
    made: { b: { d: 3, c: 1 }, a: 1 },
  },
  {
    title: 'a part that was left out, in the order of the request around it',
    sent: { b: { d: 3 }, a: 1 },
    members: { readOnly: ['/b/c'] },
    made: { b: { c: 1, d: 3 }, a: 1 },
  },
  {
    title: 'a member and a part that were left out; what is new comes last',
    sent: { n: 5, b: { d: 3 } },
    members: { readOnly: ['/a', '/b/c'] },
    made: { a: 1, b: { c: 1, d: 3 }, n: 5 },
  },
  {
    title: 'the same where it is not writable',
    sent: { n: 5, b: { d: 3 } },
    members: { writable: ['/b/d', '/n'] },
    made: { a: 1, b: { c: 1, d: 3 }, n: 5 },
  },
  {
    title: 'a scalar in place of an object is no omission',
    sent: { a: 1, b: 5 },
    members: { readOnly: ['/b/c'] },
    made: { a: 1, b: 5 },
  },
  {
    title: 'of an object that was left out, only what is read-only',
    sent: { a: 1 },
    members: { readOnly: ['/b/c'] },
    made: { a: 1, b: { c: 1 } },
  },
  {
    title: 'of an object without any of that, nothing',
    before: { a: 1, b: { d: 2 } },
    sent: { a: 1 },
    members: { readOnly: ['/b/c'] },
    made: { a: 1 },
  },
  {
    title: 'an object that itself is not writable, without what is',
    before: { a: 1, b: { d: 2 } },
    sent: { a: 1 },
    members: { writable: ['/a', '/b/d'] },
    made: { a: 1, b: {} },
  },
])('$title', ({ before: was = before, sent, members, made }) => {
  expect(JSON.stringify(keptMembers(members)(was, sent))).toBe(JSON.stringify(made));
});

test('neither argument is changed, and what was sent whole comes back as it is, in its order', () => {
  const property = fc.property(value, value, pointers, fc.boolean(), (before, sent, list, readOnly) => {
    const [was, is] = [JSON.stringify(before), JSON.stringify(sent)];
    const complete = keptMembers(readOnly ? { readOnly: list } : { writable: list });
    complete(before, sent);
    expect([JSON.stringify(before), JSON.stringify(sent)]).toEqual([was, is]);
    expect(JSON.stringify(complete(before, before))).toBe(was);
  });
  fc.assert(property, { numRuns: times(250, 100_000) });
});
