import { deepFreeze } from '../../../lib/client/deep-freeze';
import { merge } from '../../../lib/json/diff/merge';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { editedPair, jsonValue } from './json-values';

interface Row {
  readonly what: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  readonly value?: unknown;
  readonly paths?: readonly string[];
}

const item = (id: number, title = `item ${id}`) => ({ id, title, done: false });

const rows: readonly Row[] = [
  { what: 'only mine', base: { a: 1 }, mine: { a: 2 }, theirs: { a: 1 }, value: { a: 2 } },
  { what: 'only theirs', base: { a: 1 }, mine: { a: 1 }, theirs: { a: 2 }, value: { a: 2 } },
  { what: 'both the same', base: { a: 1 }, mine: { a: 2 }, theirs: { a: 2 }, value: { a: 2 } },
  {
    what: 'members beside each other',
    base: { a: 1, b: { c: 1, d: 1 } },
    mine: { a: 2, b: { c: 2, d: 1 } },
    theirs: { a: 1, b: { c: 1, d: 2 } },
    value: { a: 2, b: { c: 2, d: 2 } },
  },
  {
    what: 'members that each has added and removed',
    base: { a: 1, b: 1 },
    mine: { b: 1, c: 1 },
    theirs: { a: 1, d: 1 },
    value: { c: 1, d: 1 },
  },
  { what: 'one member', base: { a: 1 }, mine: { a: 2 }, theirs: { a: 3 }, paths: ['/a'] },
  { what: 'a member that was added twice', base: {}, mine: { a: 2 }, theirs: { a: 3 }, paths: ['/a'] },
  { what: 'one that I changed and they removed', base: { a: 1 }, mine: { a: 2 }, theirs: {}, paths: ['/a'] },
  {
    what: 'one that I removed, in which they changed something',
    base: { a: { b: 1 } },
    mine: {},
    theirs: { a: { b: 2 } },
    paths: ['/a'],
  },
  { what: 'the root', base: 1, mine: 2, theirs: 3, paths: [''] },
  {
    what: 'several, of which a pointer escapes one; what else was changed is merged',
    base: { 'a/b': 1, c: 1, d: 1 },
    mine: { 'a/b': 2, c: 2, d: 2 },
    theirs: { 'a/b': 3, c: 3, d: 1 },
    value: { 'a/b': 3, c: 3, d: 2 },
    paths: ['/a~1b', '/c'],
  },
  {
    what: 'elements inserted at either end',
    base: ['b'],
    mine: ['a', 'b'],
    theirs: ['b', 'c'],
    value: ['a', 'b', 'c'],
  },
  { what: 'both at the end', base: ['a'], mine: ['a', 'b'], theirs: ['a', 'c'], paths: ['/1'] },
  { what: 'both at the end the same', base: ['a'], mine: ['a', 'b'], theirs: ['a', 'b'], value: ['a', 'b'] },
  { what: 'into an empty list', base: [], mine: ['a'], theirs: ['b'], paths: ['/0'] },
  {
    what: 'an element changed behind one that they inserted',
    base: [item(1), item(2)],
    mine: [item(1), item(2, 'mine')],
    theirs: [item(0), item(1), item(2)],
    value: [item(0), item(1), item(2, 'mine')],
  },
  {
    what: 'members of one element',
    base: [item(1)],
    mine: [{ ...item(1), done: true }],
    theirs: [item(1, 'theirs')],
    value: [{ ...item(1, 'theirs'), done: true }],
  },
  {
    what: 'neighbours',
    base: [item(1), item(2)],
    mine: [item(1, 'mine'), item(2)],
    theirs: [item(1), item(2, 'theirs')],
    value: [item(1, 'mine'), item(2, 'theirs')],
  },
  {
    what: 'an element that I removed and they changed',
    base: [item(1), item(2)],
    mine: [item(2)],
    theirs: [item(1, 'theirs'), item(2)],
    paths: ['/0'],
  },
  {
    what: 'an element that I replaced by another, and they changed',
    base: [item(1)],
    mine: [item(7)],
    theirs: [item(1, 'theirs')],
    paths: ['/0'],
  },
  {
    what: 'elements that both have removed, one each',
    base: ['a', 'b', 'c'],
    mine: ['b', 'c'],
    theirs: ['a', 'b'],
    value: ['b'],
  },
  {
    what: 'lists too long to be compared',
    base: { list: Array.from({ length: 1_100 }, (_, i) => i) },
    mine: { list: Array.from({ length: 1_100 }, (_, i) => 2_000 + i) },
    theirs: { list: Array.from({ length: 1_100 }, (_, i) => 4_000 + i) },
    paths: ['/list'],
  },
];

test.each(rows)('$what', ({ base, mine, theirs, paths = [], ...row }) => {
  const merged = merge(deepFreeze(base), deepFreeze(mine), deepFreeze(theirs));
  expect(merged.paths).toEqual(paths);
  if ('value' in row) expect(merged.value).toEqual(row.value);
});

const runs = { numRuns: times(200, 20_000) };

test('where one has changed nothing, it is what the other has made', () => {
  fc.assert(
    fc.property(editedPair, ([base, changed]) => {
      expect(merge(base, changed, base)).toEqual({ value: changed, paths: [] });
      expect(merge(base, base, changed)).toEqual({ value: changed, paths: [] });
      expect(merge(base, changed, changed)).toEqual({ value: changed, paths: [] });
    }),
    runs,
  );
});

test('whoever comes first, it is the same value, or a conflict in the same places', () => {
  fc.assert(
    fc.property(jsonValue, jsonValue, jsonValue, (base, mine, theirs) => {
      const one = merge(base, mine, theirs);
      const other = merge(base, theirs, mine);
      expect(other.paths.toSorted()).toEqual(one.paths.toSorted());
      if (one.paths.length === 0) expect(other.value).toEqual(one.value);
    }),
    runs,
  );
});

test('changes of two members of any depth are both made', () => {
  fc.assert(
    fc.property(editedPair, editedPair, ([a, a2], [b, b2]) => {
      const list = [a, { b }];
      const base = { a, b, list };
      const merged = merge(base, { a: a2, b, list }, { a, b: b2, list });
      expect(merged).toEqual({ value: { a: a2, b: b2, list }, paths: [] });
    }),
    runs,
  );
});

test('what only one has inserted into a list, and what only one has removed, is so in the result', () => {
  const numbers = fc.uniqueArray(fc.nat(20), { maxLength: 8 });
  const edit = (list: readonly number[], at: number, mark: string): unknown[] => {
    const place = at % (list.length + 1);
    return [...list.slice(0, place), mark, ...list.slice(place + (at % 2))];
  };
  fc.assert(
    fc.property(numbers, fc.nat(), fc.nat(), (base, i, j) => {
      const mine = edit(base, i, 'mine');
      const theirs = edit(base, j, 'theirs');
      const { value, paths } = merge(base, mine, theirs);
      fc.pre(paths.length === 0);
      const kept = base.filter((number) => mine.includes(number) && theirs.includes(number));
      expect((value as unknown[]).filter((element) => typeof element === 'number')).toEqual(kept);
      expect(value).toEqual(expect.arrayContaining(['mine', 'theirs']));
    }),
    runs,
  );
});

test('a list that has grown by more elements than a function takes arguments', () => {
  const added = Array.from({ length: 150_000 }, (_, i) => i);
  const { value, paths } = merge([-1, -2], [-2, ...added], [-1]);
  expect(paths).toEqual([]);
  expect((value as unknown[]).length).toBe(added.length);
});
