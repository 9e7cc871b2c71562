/**
 * What has to hold of two changes of a list of cards and of what they are merged to. It merges nothing: of
 * each element it says whether it must be there, with which members, and behind which other one.
 */
import { isDeepStrictEqual } from 'node:util';
import type { MergeResult } from '../../../lib/json/diff/merge';
import type { Card, Id, ThreeLists } from './three-lists';

type Winner = 'mine' | 'theirs';

/** What is wrong with the result of a merge; nothing, if it is right. */
export function findFaults(lists: ThreeLists<Card>, { paths, withMine, withTheirs }: MergeResult): string[] {
  const mine = new ListOracle('mine');
  const theirs = new ListOracle('theirs');
  mine.checkList(lists, withMine as readonly Card[], '');
  theirs.checkList(lists, withTheirs as readonly Card[], '');
  const faults = [...mine.faults, ...theirs.faults];
  const conflicts = [...theirs.conflicts].sort();
  if (!isDeepStrictEqual([...paths].sort(), conflicts)) faults.push(`paths: not ${conflicts.join()}`);
  return faults;
}

/** Judges the result in which one side has won. */
class ListOracle {
  readonly faults: string[] = [];
  readonly conflicts = new Set<string>();

  constructor(readonly winner: Winner) {}

  checkList(lists: ThreeLists<Card>, result: readonly Card[], path: string): void {
    const { base, mine, theirs } = lists;
    for (const id of new Set(readIds([...base, ...mine, ...theirs]))) {
      const copies = result.filter((card) => card.id === id);
      const expected = this.#isExpected(lists, id, path) ? 1 : 0;
      if (copies.length !== expected) this.#fault(`${copies.length} times, not ${expected}`, path, id);
      else if (copies[0] !== undefined) this.#checkCard(lists, copies[0], path);
    }
    if (!readIds(result).every((id) => [...base, ...mine, ...theirs].some((card) => card.id === id))) {
      this.#fault('has an element that nobody has', path);
    }
    this.#checkOrder(lists, readIds(result), path);
  }

  /** There is what nobody has removed; what one side has removed and the other changed is a conflict. */
  #isExpected({ base, mine, theirs }: ThreeLists<Card>, id: Id, path: string): boolean {
    const [inBase, inMine, inTheirs] = [find(base, id), find(mine, id), find(theirs, id)];
    if (inBase === undefined || (inMine !== undefined && inTheirs !== undefined)) return true;
    const rest = inMine ?? inTheirs;
    if (rest === undefined || isDeepStrictEqual(rest, inBase)) return false;
    this.conflicts.add(`${path}/${base.indexOf(inBase)}`);
    return (inMine === undefined) === (this.winner === 'theirs');
  }

  #checkCard({ base, mine, theirs }: ThreeLists<Card>, card: Card, path: string): void {
    const [inBase, inMine, inTheirs] = [find(base, card.id), find(mine, card.id), find(theirs, card.id)];
    if (inMine === undefined || inTheirs === undefined) {
      if (!isDeepStrictEqual(card, inMine ?? inTheirs))
        this.#fault('is not as the one side has it', path, card.id);
      return;
    }
    const pointer = (name: string): string =>
      inBase === undefined ? path : `${path}/${base.indexOf(inBase)}/${name}`;
    for (const name of ['id', 'a', 'b'] as const) {
      const [b, m, t] = [inBase?.[name], inMine[name], inTheirs[name]];
      const isConflict = m !== t && b !== m && b !== t;
      if (isConflict) this.conflicts.add(pointer(name));
      const expected = isConflict ? (this.winner === 'mine' ? m : t) : m === b ? t : m;
      if (card[name] !== expected) this.#fault(`${name} is not ${expected}`, path, card.id);
    }
  }

  #checkOrder({ base, mine, theirs }: ThreeLists<Card>, result: readonly Id[], path: string): void {
    const [inBase, inMine, inTheirs] = [readIds(base), readIds(mine), readIds(theirs)];
    const isCommon = (id: Id): boolean => [inBase, inMine, inTheirs].every((list) => list.includes(id));
    const [b, m, t] = [inBase.filter(isCommon), inMine.filter(isCommon), inTheirs.filter(isCommon)];
    const [byMine, byTheirs] = [!isDeepStrictEqual(b, m), !isDeepStrictEqual(b, t)];
    const isConflict = byMine && byTheirs && !isDeepStrictEqual(m, t);
    if (isConflict) this.conflicts.add(path);
    const expected = isConflict ? (this.winner === 'mine' ? m : t) : byTheirs ? t : m;
    if (!isDeepStrictEqual(result.filter(isCommon), expected)) this.#fault('is in another order', path);

    // What only one has, or both have added, follows its predecessor: between them is only what the other
    // has inserted.
    for (const [place, id] of result.entries()) {
      if (isCommon(id)) continue;
      const follows = (list: readonly Id[], other: readonly Id[]): boolean => {
        const before = list.slice(0, list.indexOf(id)).findLast((each) => result.includes(each));
        const start = before === undefined ? 0 : result.indexOf(before) + 1;
        const between = result.slice(start, place);
        return start <= place && between.every((each) => !list.includes(each) && other.includes(each));
      };
      const isRight =
        (inMine.includes(id) && follows(inMine, inTheirs)) ||
        (inTheirs.includes(id) && follows(inTheirs, inMine));
      if (!isRight) this.#fault('does not follow its predecessor', path, id);
    }
  }

  #fault(text: string, path: string, id?: Id): void {
    this.faults.push(`with ${this.winner}: ${path || 'the list'} ${JSON.stringify(id) ?? ''} ${text}`);
  }
}

function readIds(cards: readonly Card[]): readonly Id[] {
  return cards.map(({ id }) => id);
}

function find(cards: readonly Card[], id: Id): Card | undefined {
  return cards.find((card) => card.id === id);
}
