import { createJsonPatch, merge } from '../../../lib/json';

/** A value under so many levels, which counts how often its containers are read. */
function nested(leaf: string, levels: number) {
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
  let value: unknown = counted(Array.from({ length: 100 }, (_, k) => counted({ k, text: `${k} ${leaf}` })));
  for (let level = 0; level < levels; level++) {
    value = counted(level % 2 === 0 ? ['x', value] : { [`level${level}`]: value });
  }
  return { value, reads: () => reads };
}

/** How often the containers of all values are read, at so many levels. */
function countReads(compare: (base: unknown, mine: unknown, theirs: unknown) => unknown, levels: number) {
  const values = ['base', 'mine', 'theirs'].map((leaf) => nested(leaf, levels));
  const [base, mine, theirs] = values.map(({ value }) => value);
  compare(base, mine, theirs);
  return values.reduce((sum, { reads }) => sum + reads(), 0);
}

test.each([
  ['createJsonPatch', (base: unknown, mine: unknown) => createJsonPatch(base, mine)],
  ['merge', (base: unknown, mine: unknown, theirs: unknown) => merge(base, mine, theirs)],
])('%s reads no part of the values again for each level above it', (_name, compare) => {
  const [flat, deep] = [countReads(compare, 2), countReads(compare, 100)];
  expect(flat).toBeGreaterThan(200);
  expect(deep).toBeLessThan(flat + 100 * 100);
});
