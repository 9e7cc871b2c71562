import { formatPointer } from '../pointer';
import { isArray, isContainer, isJsonObject, ownMember } from '../value';
import type { EqualValues } from './equal-values';
import { keyLists, readText, type Key, type KeyedList, type KeyedLists, type ReadKey } from './identity';
import { mergeOrders, type Orders } from './list-order';

/** One of the three values: 0 is `base`, 1 is `mine`, 2 is `theirs`. */
export type Side = 0 | 1 | 2;

/** A part of the three values: one value, or the merge of its own parts. */
export interface MergeNode {
  /** Undefined, which is not a JSON value, stands for an absent member or element. */
  readonly values: readonly [base: unknown, mine: unknown, theirs: unknown];
  /** JSON Pointer into `base`; for an element that `base` does not have, it leads to the list. */
  readonly path: string;
  readonly parent: MergeNode | undefined;
  /** The sides, grouped by equal values. */
  readonly equalSides: readonly (readonly [Side, ...Side[]])[];
  /** The sides whose values are taken in `withMine` and in `withTheirs`, if this is one value. */
  choices: readonly [Side, Side];
  /** Members by name, or elements by key; undefined if this is one value. */
  parts?: ReadonlyMap<Key, MergeNode>;
  /** The orders of the elements, if this is a list of parts. */
  orders?: Orders;
}

type Change = Pick<MergeNode, 'equalSides' | 'choices'>;

const unchanged: Change = { equalSides: [[2, 1, 0]], choices: [2, 2] };
const changedAlike: Change = { equalSides: [[0], [2, 1]], choices: [2, 2] };
const changedByMine: Change = { equalSides: [[1], [2, 0]], choices: [1, 1] };
const changedByTheirs: Change = { equalSides: [[1, 0], [2]], choices: [2, 2] };
const changedByBoth: Change = { equalSides: [[0], [1], [2]], choices: [1, 2] };

/** The choices if both sides have changed one value in different ways. */
export const conflict = changedByBoth.choices;

/** Divides three values into the parts that are merged on their own. */
export function divide(
  values: MergeNode['values'],
  equalValues: EqualValues,
  readKeys: readonly ReadKey[],
): MergeNode {
  const areEqual = (one: unknown, other: unknown) =>
    one === other ||
    (isContainer(one) && isContainer(other) && equalValues.token(one) === equalValues.token(other));

  function readChange([base, mine, theirs]: MergeNode['values']): Change {
    const isMine = !areEqual(base, mine);
    const isTheirs = !areEqual(base, theirs);
    if (!isMine) return isTheirs ? changedByTheirs : unchanged;
    if (!isTheirs) return changedByMine;
    return areEqual(mine, theirs) ? changedAlike : changedByBoth;
  }

  function createNode(values: MergeNode['values'], path: string, parent?: MergeNode): MergeNode {
    const change = readChange(values);
    const node: MergeNode = { values, path, parent, ...change };
    if (change !== changedByBoth) return node;
    const [base, mine, theirs] = values;
    // An element that both sides have added is merged by member, as if `base` had it without members.
    const old = base === undefined && parent?.orders !== undefined ? {} : base;
    if (isJsonObject(old) && isJsonObject(mine) && isJsonObject(theirs)) {
      const parts = new Map<Key, MergeNode>();
      for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
        const members = [ownMember(old, name), ownMember(mine, name), ownMember(theirs, name)] as const;
        parts.set(name, createNode(members, old === base ? path + formatPointer([name]) : path, node));
      }
      node.parts = parts;
    } else if (isArray(old) && isArray(mine) && isArray(theirs)) {
      const lists = keyLists([old, mine, theirs], path, readKeys);
      if (lists !== undefined && !haveBothReplaced(lists)) divideList(node, lists);
    }
    return node;
  }

  function divideList(node: MergeNode, lists: KeyedLists): void {
    const { base, mine, theirs } = lists;
    const parts = new Map<Key, MergeNode>();
    node.orders = mergeOrders(lists);
    for (const key of [...base.keys(), ...mine.keys(), ...theirs.keys()]) {
      if (parts.has(key)) continue;
      const path = base.has(key) ? `${node.path}/${parts.size}` : node.path;
      parts.set(key, createNode([base.get(key), mine.get(key), theirs.get(key)], path, node));
    }
    node.parts = parts;
  }

  return createNode(values, '');
}

/** Whether both sides have removed the same text and added different ones: then both have replaced it. */
function haveBothReplaced({ base, mine, theirs, readKey }: KeyedLists): boolean {
  const isNew = (key: Key, other: KeyedList) => !base.has(key) && !other.has(key);
  return (
    readKey === readText &&
    [...base.keys()].some((key) => !mine.has(key) && !theirs.has(key)) &&
    [...mine.keys()].some((key) => isNew(key, theirs)) &&
    [...theirs.keys()].some((key) => isNew(key, mine))
  );
}
