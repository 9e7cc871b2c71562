import { applyMergePatch, createMergePatch, JsonError } from '../../../lib/json';
import { isEqualJson, isJsonObject } from '../../../lib/json/value';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';

test.each([
  { before: { a: 1 }, after: { a: 1 }, patch: {} },
  { before: { a: 1, b: 2 }, after: { a: 3 }, patch: { b: null, a: 3 } },
  { before: { a: { b: 1, c: 2 } }, after: { a: { c: 2 } }, patch: { a: { b: null } } },
  { before: { a: [1, 2] }, after: { a: [1, 2, 3] }, patch: { a: [1, 2, 3] } },
  { before: { a: [1] }, after: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  { before: { a: { b: 1 } }, after: { a: [{ c: null }] }, patch: { a: [{ c: null }] } },
  { before: { a: null, b: 1 }, after: { a: null, b: 2 }, patch: { b: 2 } },
  { before: { a: null }, after: {}, patch: { a: null } },
  { before: [1], after: {}, patch: {} },
  { before: {}, after: [1], patch: [1] },
  { before: {}, after: null, patch: null },
  {
    before: {},
    after: JSON.parse('{"__proto__":{"a":1}}') as unknown,
    patch: JSON.parse('{"__proto__":{"a":1}}') as unknown,
  },
])('from $before to $after: $patch', ({ before, after, patch }) => {
  expect(JSON.stringify(createMergePatch(before, after))).toBe(JSON.stringify(patch));
});

test.each([
  { before: {}, after: { a: null }, pointer: '/a' },
  { before: { a: 1 }, after: { a: null }, pointer: '/a' },
  { before: {}, after: { a: { 'b/c': null } }, pointer: '/a/b~1c' },
])('from $before to $after: a member cannot become null', ({ before, after, pointer }) => {
  expect(() => createMergePatch(before, after)).toThrow(JsonError);
  try {
    createMergePatch(before, after);
  } catch (error) {
    expect(error).toMatchObject({ code: 'null-member', pointer });
  }
});

test('applied to the first, it gives the second, or no member of that becomes null', () => {
  const name = fc.constantFrom('a', 'b', '0', '__proto__');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(0, 'x', null),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  }));
  let created = 0;
  const property = fc.property(value, value, (before, after) => {
    const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
    try {
      const patch = createMergePatch(before, after);
      expect(isEqualJson(applyMergePatch(before, patch), after)).toBe(true);
      created++;
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      expect(hasNullMember(after)).toBe(true);
    }
    expect([JSON.stringify(before), JSON.stringify(after)]).toEqual([was, is]);
  });
  const numRuns = times(250, 100_000);
  fc.assert(property, { numRuns });
  expect(created).toBeGreaterThan(numRuns / 2);
});

function hasNullMember(value: unknown): boolean {
  return (
    isJsonObject(value) && Object.values(value).some((member) => member === null || hasNullMember(member))
  );
}
