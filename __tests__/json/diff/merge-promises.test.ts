/** The promises of docs/json.md, over random documents; and that each is kept by a merge that is right alone. */
import { merge } from '../../../lib/json';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { promises, type Merge } from './merge-promises';
import { isObject, threeBoards } from './three-boards';

/** The whole document is theirs, without a conflict. */
const lastWins: Merge = (base, mine, theirs) => ({ paths: [], withMine: theirs, withTheirs: theirs });

const wrong: Record<keyof typeof promises, Merge> = {
  /** Members are merged on their own: nobody sees what has moved from one to the other. */
  onlyOnce(base, mine, theirs) {
    if (!isObject(base) || !isObject(mine) || !isObject(theirs)) return merge(base, mine, theirs);
    const members = Object.keys(base).map(
      (name) => [name, merge(base[name], mine[name], theirs[name])] as const,
    );
    return {
      paths: members.flatMap(([name, { paths }]) => paths.map((path) => `/${name}${path}`)),
      withMine: Object.fromEntries(members.map(([name, { withMine }]) => [name, withMine])),
      withTheirs: Object.fromEntries(members.map(([name, { withTheirs }]) => [name, withTheirs])),
    };
  },
  nothingGone: lastWins,
  /** As if there had been nothing: what is gone on one side is new on the other. */
  nothingBack: (base, mine, theirs) => merge(emptied(base), mine, theirs),
  unchangedSide: lastWins,
  /** Whoever changes anything is in the way of the other. */
  equalChanges: (base, mine, theirs) => ({ paths: [''], withMine: mine, withTheirs: theirs }),
  /** Mine is kept wherever there is a conflict. */
  mirrored(base, mine, theirs) {
    const { withMine } = merge(base, mine, theirs);
    return { paths: [], withMine, withTheirs: withMine };
  },
  /** What is merged is in reverse order. */
  savedAgain(base, mine, theirs) {
    const { paths, withMine, withTheirs } = merge(base, mine, theirs);
    return { paths, withMine: reversed(withMine), withTheirs: reversed(withTheirs) };
  },
};

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, emptied(member)]));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reversed(member)]));
}

describe.each(Object.entries(promises))('%s', (name, findBroken) => {
  const property = (tried: Merge) =>
    fc.property(threeBoards(), (boards) => {
      expect(findBroken(tried, boards)).toEqual([]);
    });

  test('is kept', () => {
    fc.assert(property(merge), { numRuns: times(100, 1_000_000) });
  });

  test('is broken by a wrong merge', () => {
    expect(fc.check(property(wrong[name as keyof typeof promises])).failed).toBe(true);
  });
});
