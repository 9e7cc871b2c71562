/** What holds of every merge of lists, over random edits of both sides. */
import { isDeepStrictEqual } from 'node:util';
import { merge } from '../../../lib/json/diff/merge';
import { parsePointer, valueAt } from '../../../lib/json/pointer';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { findFaults } from './list-oracle';
import { threeLists, threeTextLists, threeUnevenLists, type Card, type ThreeLists } from './three-lists';

const runs = { numRuns: times(100, 1_000_000) };

const modes = [
  { mode: 'ids', lists: threeLists({ kinds: ['add', 'remove', 'change'] }) },
  { mode: 'ids with moves', lists: threeLists({ kinds: ['add', 'remove', 'change', 'move'] }) },
  {
    mode: 'both add the same id',
    lists: threeLists({ kinds: ['add', 'add', 'remove', 'change', 'move'], shared: true }),
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

describe('texts', () => {
  test('each is there once, or gone, as it must be; whoever saves first, and saved again', () => {
    fc.assert(
      fc.property(threeTextLists, (lists) => {
        const { base, mine, theirs } = lists;
        const result = merge(base, mine, theirs);
        checkSymmetry(lists);
        checkSavedAgain(lists);
        checkUnchangedSide(lists);
        const isAdded = (side: readonly unknown[], other: readonly unknown[]) =>
          side.some((text) => !base.includes(text) && !other.includes(text));
        const isRemoved = base.some((text) => !mine.includes(text) && !theirs.includes(text));
        if (isRemoved && isAdded(mine, theirs) && isAdded(theirs, mine)) {
          expect(result).toEqual({ paths: [''], withMine: mine, withTheirs: theirs });
          return;
        }
        const cards = { base: toCards(base), mine: toCards(mine), theirs: toCards(theirs) };
        const { paths, withMine, withTheirs } = result;
        expect(
          findFaults(cards, { paths, withMine: toCards(withMine), withTheirs: toCards(withTheirs) }),
        ).toEqual([]);
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
        expect(other.withMine).toEqual(withTheirs);
        expect(other.withTheirs).toEqual(withMine);
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

/** The same, whoever saves first. */
function checkSymmetry({ base, mine, theirs }: ThreeLists<unknown>): void {
  const one = merge(base, mine, theirs);
  const other = merge(base, theirs, mine);
  expect([...other.paths].sort()).toEqual([...one.paths].sort());
  expect(other.withMine).toEqual(one.withTheirs);
  expect(other.withTheirs).toEqual(one.withMine);
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

function readId(element: unknown): unknown {
  return typeof element === 'object' && element !== null ? Reflect.get(element, 'id') : element;
}

function toCards(list: unknown): readonly Card[] {
  return (list as readonly unknown[]).map((id) => ({ id }) as Card);
}

function isCardList(list: unknown): boolean {
  return Array.isArray(list) && new Set(list.map(readId).filter((id) => id != null)).size === list.length;
}
