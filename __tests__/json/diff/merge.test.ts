import { isDeepStrictEqual } from 'node:util';
import { deepFreeze } from '../../../lib/client/deep-freeze';
import { merge } from '../../../lib/json/diff/merge';
import { sampled, times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { editedPair, jsonValue, toUnordered } from './json-values';

interface Row {
  readonly what: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  readonly value?: unknown;
  readonly paths?: readonly string[];
}

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
    what: 'a list without identities, in different ways: it is one value',
    base: { list: [{ x: 1 }] },
    mine: { list: [{ x: 1 }, { x: 2 }] },
    theirs: { list: [{ x: 1 }, { x: 3 }] },
    value: { list: [{ x: 1 }, { x: 3 }] },
    paths: ['/list'],
  },
  {
    what: '… in the same way',
    base: [{ x: 1 }],
    mine: [{ x: 1 }, { x: 2 }],
    theirs: [{ x: 1 }, { x: 2 }],
    value: [{ x: 1 }, { x: 2 }],
  },
  { what: 'into an empty list', base: [], mine: [{ x: 1 }], theirs: [{ x: 2 }], paths: [''] },
  {
    what: '… only here',
    base: [{ x: 1 }],
    mine: [{ x: 1 }, { x: 2 }],
    theirs: [{ x: 1 }],
    value: [{ x: 1 }, { x: 2 }],
  },
  {
    what: 'members of one element that has no identity',
    base: [{ x: 1, y: 1 }],
    mine: [{ x: 2, y: 1 }],
    theirs: [{ x: 1, y: 2 }],
    value: [{ x: 1, y: 2 }],
    paths: [''],
  },
  {
    what: 'rows of a matrix',
    base: { m: [[1, 2], [3]] },
    mine: { m: [[1, 5], [3]] },
    theirs: { m: [[1, 2], [4]] },
    paths: ['/m'],
  },
  { what: 'coordinates', base: [10, 20], mine: [30, 20], theirs: [10, 5], value: [10, 5], paths: [''] },
  { what: 'numbers that both have added', base: [1], mine: [1, 2], theirs: [1, 3], paths: [''] },
  { what: 'null and true', base: [], mine: [null], theirs: [true], paths: [''] },
  {
    what: 'a text that is there twice',
    base: ['a'],
    mine: ['a', 'a'],
    theirs: ['a', 'b'],
    value: ['a', 'b'],
    paths: [''],
  },
  {
    what: 'an identity that is missing somewhere',
    base: [{ id: 1 }],
    mine: [{ id: 1 }, { x: 1 }],
    theirs: [{ id: 1, y: 1 }],
    paths: [''],
  },
  {
    what: 'an identity that is there twice',
    base: [{ id: 1 }, { id: 2 }],
    mine: [{ id: 1 }, { id: 1 }, { id: 2 }],
    theirs: [{ id: 2, done: true }],
    paths: [''],
  },
];

test.each(rows)('$what', ({ base, mine, theirs, paths = [], ...row }) => {
  const result = merge(deepFreeze(base), deepFreeze(mine), deepFreeze(theirs));
  expect(result.paths).toEqual(paths);
  if ('value' in row) expect(result.withTheirs).toEqual(row.value);
  if (paths.length === 0) expect(result.withMine).toBe(result.withTheirs);
});

test('withMine and withTheirs differ in the conflict, and both contain what else was changed', () => {
  const base = { title: 'a', body: 'x', done: false };
  const mine = { title: 'mine', body: 'mine', done: false };
  const theirs = { title: 'theirs', body: 'x', done: true };
  expect(merge(base, mine, theirs)).toEqual({
    paths: ['/title'],
    withMine: { title: 'mine', body: 'mine', done: true },
    withTheirs: { title: 'theirs', body: 'mine', done: true },
  });
});

const runs = { numRuns: times(50, 20_000) };

test('where one has changed nothing, it is what the other has made', () => {
  fc.assert(
    fc.property(editedPair, ([base, changed]) => {
      const result = { paths: [], withMine: changed, withTheirs: changed };
      expect(merge(base, changed, base)).toEqual(result);
      expect(merge(base, base, changed)).toEqual(result);
      expect(merge(base, changed, changed)).toEqual(result);
    }),
    runs,
  );
});

test('whoever comes first, the conflicts are in the same places, and the same is in the results', () => {
  fc.assert(
    fc.property(jsonValue, jsonValue, jsonValue, (base, mine, theirs) => {
      const one = merge(base, mine, theirs);
      const other = merge(base, theirs, mine);
      expect(other.paths.toSorted()).toEqual(one.paths.toSorted());
      expect(toUnordered(other.withMine)).toEqual(toUnordered(one.withTheirs));
      expect(toUnordered(other.withTheirs)).toEqual(toUnordered(one.withMine));
    }),
    runs,
  );
});

test('changes of two members of any depth are both made', () => {
  fc.assert(
    fc.property(editedPair, editedPair, ([a, a2], [b, b2]) => {
      const list = [a, { b }];
      const base = { a, b, list };
      const both = { a: a2, b: b2, list };
      // Without identities: both could add the same element to different lists.
      const result = merge(base, { a: a2, b, list }, { a, b: b2, list }, { identity: [] });
      expect(result).toEqual({ paths: [], withMine: both, withTheirs: both });
    }),
    runs,
  );
});

const elements: readonly { readonly what: string; readonly make: (n: number) => unknown }[] = [
  { what: 'texts', make: (n) => `text ${n}` },
  { what: 'objects with ids', make: (n) => ({ id: n }) },
];

test.each(sampled(elements, elements.length))(
  'a list that has grown by more $what than a function takes arguments',
  ({ make }) => {
    const added = Array.from({ length: 150_000 }, (_, n) => make(n));
    const merged = merge([make(-1), make(-2)], [make(-2), ...added], [make(-1)]);
    // Jest takes seconds to compare that much.
    expect(isDeepStrictEqual(merged, { paths: [], withMine: added, withTheirs: added })).toBe(true);
  },
);
