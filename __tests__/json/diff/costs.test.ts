import { createJsonPatch, createMergePatch, merge } from '../../../lib/json';

/** A value under so many levels, which counts how often its containers are read. */
function nested(leaf: string, levels: number, hasLists: boolean) {
  let reads = 0;
  const counted = <T extends object>(value: T): T =>
    new Proxy(value, {
      ownKeys(target) {
        reads++;
        return Reflect.ownKeys(target);
      },
      get(target, name, receiver) {
        if (name === 'length') reads++;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
  const toContainer = (list: readonly unknown[]) => counted(hasLists ? [...list] : { ...list });
  let value: unknown = toContainer(
    Array.from({ length: 100 }, (_, k) => counted({ k, text: k < 99 ? '' : leaf })),
  );
  for (let level = 0; level < levels; level++) {
    value = level % 2 === 0 ? toContainer(['x', value]) : counted({ [`level${level}`]: value });
  }
  return { value, reads: () => reads };
}

/** How often the containers of all values are read, at so many levels. */
function countReads(
  compare: (base: unknown, mine: unknown, theirs: unknown) => unknown,
  levels: number,
  hasLists: boolean,
) {
  const values = ['base', 'mine', 'theirs'].map((leaf) => nested(leaf, levels, hasLists));
  const [base, mine, theirs] = values.map(({ value }) => value);
  compare(base, mine, theirs);
  return values.reduce((sum, { reads }) => sum + reads(), 0);
}

test.each([
  { name: 'createJsonPatch', compare: createJsonPatch, hasLists: true },
  { name: 'createMergePatch', compare: createMergePatch, hasLists: false },
  { name: 'merge', compare: merge, hasLists: true },
])('$name reads no part of the values again for each level above it', ({ compare, hasLists }) => {
  const [flat, deep] = [2, 100].map((levels) => countReads(compare, levels, hasLists));
  expect(flat).toBeGreaterThan(200);
  expect(deep).toBeLessThan((flat ?? 0) + 100 * 100);
});
