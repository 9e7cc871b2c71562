/** What holds of every merge of lists, over random edits of both sides. */
import { isDeepStrictEqual } from 'node:util';
import { merge } from '../../../lib/json/diff/merge';
import { parsePointer, valueAt } from '../../../lib/json/pointer';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { toUnordered } from './json-values';
import { findFaults, ListOracle } from './list-oracle';
import {
  threeLists,
  threeScalarLists,
  threeTuples,
  threeUnevenLists,
  type Card,
  type ThreeLists,
} from './three-lists';

const runs = { numRuns: times(1_000, 1_000_000) };

const modes = [
  { mode: 'ids', lists: threeLists({ kinds: ['add', 'remove', 'change'] }) },
  { mode: 'ids with moves', lists: threeLists({ kinds: ['add', 'remove', 'change', 'move'] }) },
  {
    mode: 'both add the same id',
    lists: threeLists({ kinds: ['add', 'add', 'remove', 'change', 'move'], shared: true }),
  },
  {
    mode: 'nested lists',
    lists: threeLists({ kinds: ['add', 'remove', 'change', 'move'], shared: true, nested: true }),
  },
];

describe.each(modes)('$mode', ({ lists }) => {
  test('each element is there once, or gone, as it must be; whoever saves first, and saved again', () => {
    fc.assert(
      fc.property(lists, ({ base, mine, theirs }) => {
        expect(findFaults({ base, mine, theirs }, merge(base, mine, theirs))).toEqual([]);
        checkSymmetry({ base, mine, theirs });
        checkSavedAgain({ base, mine, theirs });
        checkUnchangedSide({ base, mine, theirs });
      }),
      runs,
    );
  });
});

describe('scalars', () => {
  test('each is there once, or gone, as it must be; whoever saves first, and saved again', () => {
    fc.assert(
      fc.property(threeScalarLists, (lists) => {
        const { base, mine, theirs } = lists;
        const { paths, withMine, withTheirs } = merge(base, mine, theirs);
        const myLosses = mine.filter((value) => !base.includes(value) && !includes(withTheirs, value));
        const theirLosses = theirs.filter((value) => !base.includes(value) && !includes(withMine, value));
        // Where both have replaced the same scalar, and nowhere else, each result lacks the other's.
        const replaced = paths.filter((path) => path !== '');
        expect([myLosses.length, theirLosses.length]).toEqual([replaced.length, replaced.length]);
        for (const path of replaced) {
          const value = valueAt(base, parsePointer(path)?.tokens ?? []);
          expect([base.includes(value), mine.includes(value), theirs.includes(value)]).toEqual([
            true,
            false,
            false,
          ]);
        }

        const [myOracle, theirOracle] = [new ListOracle('mine'), new ListOracle('theirs')];
        const without = (list: readonly unknown[], losses: readonly unknown[]): readonly Card[] =>
          toCards(list.filter((value) => !losses.includes(value)));
        const cards = { base: toCards(base), mine: toCards(mine), theirs: toCards(theirs) };
        myOracle.checkList({ ...cards, theirs: without(theirs, theirLosses) }, toCards(withMine), '');
        theirOracle.checkList({ ...cards, mine: without(mine, myLosses) }, toCards(withTheirs), '');
        expect([...myOracle.faults, ...theirOracle.faults]).toEqual([]);
        expect([...theirOracle.conflicts, ...replaced].sort()).toEqual([...paths].sort());
        checkSymmetry(lists);
        // As many numbers on all sides are merged by place, which finds conflicts where keys find none.
        if (![base, mine, withTheirs].every((list) => isOfNumbers(list, base.length))) checkSavedAgain(lists);
        checkUnchangedSide(lists);
      }),
      runs,
    );
  });

  test('a list in which both only replace keeps its length; both at the same place is a conflict', () => {
    fc.assert(
      fc.property(threeTuples, ({ base, mine, theirs }) => {
        const conflicts = base.flatMap((value, i) => (mine[i] === value || theirs[i] === value ? [] : [i]));
        expect(merge(base, mine, theirs)).toEqual({
          paths: conflicts.map((i) => `/${i}`),
          withMine: base.map((value, i) => (mine[i] === value ? theirs[i] : mine[i])),
          withTheirs: base.map((value, i) => (theirs[i] === value ? mine[i] : theirs[i])),
        });
      }),
      runs,
    );
  });
});

describe('lists that are sometimes empty, missing or not unique', () => {
  test('paths are pointers into base, each once, whoever saves first; without any, there is one result', () => {
    fc.assert(
      fc.property(threeUnevenLists, ({ base, mine, theirs }) => {
        const { paths, withMine, withTheirs } = merge(base, mine, theirs);
        expect(new Set(paths).size).toBe(paths.length);
        for (const path of paths) {
          const tokens = parsePointer(path)?.tokens ?? ['?'];
          const parent = valueAt(base, tokens.slice(0, -1));
          // A member that both have added to an object is named as it will be.
          const isAddable = typeof parent === 'object' && parent !== null && !Array.isArray(parent);
          expect([path, isAddable || valueAt(base, tokens) !== undefined]).toEqual([path, true]);
        }
        expect(isDeepStrictEqual(withMine, withTheirs)).toBe(paths.length === 0);
        checkUnchangedSide({ base, mine, theirs });

        const other = merge(base, theirs, mine);
        expect([...other.paths].sort()).toEqual([...paths].sort());
        expect(toUnordered(other.withMine)).toEqual(toUnordered(withTheirs));
        expect(toUnordered(other.withTheirs)).toEqual(toUnordered(withMine));
      }),
      runs,
    );
  });

  test('those that have an identity on all sides are merged by it, whatever the others are', () => {
    fc.assert(
      fc.property(threeUnevenLists, ({ base, mine, theirs }) => {
        const lists = [base, mine, theirs].map((value) => Reflect.get(value as object, 'list') as unknown);
        fc.pre(lists.every(isCardList));
        const [b, m, t] = lists as (readonly Card[])[];
        const cards = { base: b ?? [], mine: m ?? [], theirs: t ?? [] };
        expect(findFaults(cards, merge(cards.base, cards.mine, cards.theirs))).toEqual([]);
      }),
      runs,
    );
  });
});

/** The same, whoever saves first; but what both have added is where theirs has it. */
function checkSymmetry({ base, mine, theirs }: ThreeLists<unknown>): void {
  const one = merge(base, mine, theirs);
  const other = merge(base, theirs, mine);
  const form = havePlacesInCommon({ base, mine, theirs }) ? (value: unknown) => value : toUnordered;
  expect([...other.paths].sort()).toEqual([...one.paths].sort());
  expect(form(other.withMine)).toEqual(form(one.withTheirs));
  expect(form(other.withTheirs)).toEqual(form(one.withMine));
}

/** A form that is saved again onto its own result changes nothing. */
function checkSavedAgain({ base, mine, theirs }: ThreeLists<unknown>): void {
  const { paths, withTheirs } = merge(base, mine, theirs);
  if (paths.length > 0) return;
  expect(merge(base, mine, withTheirs)).toEqual({ paths: [], withMine: withTheirs, withTheirs });
}

/** A side that has changed nothing leaves the other as it is. */
function checkUnchangedSide({ base, mine, theirs }: Record<'base' | 'mine' | 'theirs', unknown>): void {
  expect(merge(base, mine, base)).toEqual({ paths: [], withMine: mine, withTheirs: mine });
  expect(merge(base, base, theirs)).toEqual({ paths: [], withMine: theirs, withTheirs: theirs });
  expect(merge(base, mine, mine)).toEqual({ paths: [], withMine: mine, withTheirs: mine });
}

/** Whether what both have added, at any depth, follows the same of what both have. */
function havePlacesInCommon({ base, mine, theirs }: ThreeLists<unknown>): boolean {
  const [inBase, inMine, inTheirs] = [base, mine, theirs].map(
    (list) => new Map(list.map((e) => [readId(e), e])),
  );
  if (inBase === undefined || inMine === undefined || inTheirs === undefined) return false;
  const [myShared, theirShared] = [inMine, inTheirs].map((list) =>
    [...list.keys()].filter((id) => inMine.has(id) && inTheirs.has(id)),
  );
  return (myShared ?? []).every((id, i) => {
    if (!inBase.has(id)) return myShared?.[i - 1] === theirShared?.[(theirShared.indexOf(id) ?? 0) - 1];
    const [b, m, t] = [inBase.get(id), inMine.get(id), inTheirs.get(id)].map(readCards);
    return havePlacesInCommon({ base: b ?? [], mine: m ?? [], theirs: t ?? [] });
  });
}

function readId(element: unknown): unknown {
  return typeof element === 'object' && element !== null ? Reflect.get(element, 'id') : element;
}

function readCards(element: unknown): readonly unknown[] {
  const isObject = typeof element === 'object' && element !== null;
  return isObject ? ((Reflect.get(element, 'cards') as readonly unknown[] | undefined) ?? []) : [];
}

function toCards(list: unknown): readonly Card[] {
  return (list as readonly unknown[]).map((id) => ({ id }) as Card);
}

function isCardList(list: unknown): boolean {
  return Array.isArray(list) && new Set(list.map(readId).filter((id) => id != null)).size === list.length;
}

function isOfNumbers(list: readonly unknown[], length: number): boolean {
  return list.length === length && list.every((value) => typeof value !== 'string');
}

function includes(list: unknown, value: unknown): boolean {
  return (list as readonly unknown[]).includes(value);
}
