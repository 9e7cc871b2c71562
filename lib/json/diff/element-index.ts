import { formatPointer } from '../pointer';
import { isArray, isContainer, isJsonObject } from '../value';
import type { Key, ReadKey } from './identity';
import type { MergeNode, Side } from './merge-node';

/** An element of a list, in a part of the three values. */
export interface Occurrence {
  readonly node: MergeNode;
  /** Whose value has it here. */
  readonly sides: readonly Side[];
  readonly element: unknown;
  readonly key: Key;
}

/** All places of an element that each of the three values has at most once. */
export type Places = readonly Occurrence[];

/** How many of the occurrences one of the three values has. */
export function countOn(side: Side, occurrences: readonly Occurrence[]): number {
  return occurrences.filter(({ sides }) => sides.includes(side)).length;
}

export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The elements in several parts that have an identity, and that each of the three values has at most once. */
export function indexElements(root: MergeNode, readKeys: readonly ReadKey[]): readonly Places[] {
  const occurrences = new Map<string, Occurrence[]>();

  /** By the first key that it has. */
  function addElement(node: MergeNode, sides: readonly Side[], element: unknown, path: string): void {
    let key: Key | undefined;
    const index = readKeys.findIndex((readKey) => (key = readKey(element, path)) !== undefined);
    if (key !== undefined) {
      addTo(occurrences, `${index} ${typeof key} ${key}`, { node, sides, element, key });
    }
  }

  function addContents(node: MergeNode, sides: readonly Side[], value: unknown, path: string): void {
    const addChild = (child: unknown, token: string | number) => {
      if (isContainer(child)) addContents(node, sides, child, path + formatPointer([String(token)]));
    };
    if (isArray(value)) {
      value.forEach((element, index) => {
        addElement(node, sides, element, path);
        addChild(element, index);
      });
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value)) addChild(value[name], name);
    }
  }

  function addNode(node: MergeNode): void {
    const { values, parts, path, parent } = node;
    const isElement = parent?.orders !== undefined;
    // An element that `base` does not have has no index there.
    const pointer = isElement && values[0] === undefined ? `${path}/-` : path;
    for (const sides of node.equalSides) {
      const value = values[sides[0]];
      if (isElement && value !== undefined) addElement(node, sides, value, parent.path);
      if (parts === undefined) addContents(node, sides, value, pointer);
    }
    parts?.forEach(addNode);
  }

  addNode(root);
  return [...occurrences.values()].flatMap(distinguish);
}

/**
 * The occurrences of one identity, grouped into elements: all of them are one element if each value has it at
 * most once, and any two have a member in common apart from the identity; otherwise those with the same
 * member names are.
 */
function distinguish(occurrences: readonly Occurrence[]): readonly Places[] {
  if (occurrences.every(({ node }) => node === occurrences[0]?.node)) return [];
  if (
    isUnique(occurrences) &&
    occurrences.every((one) => occurrences.every((other) => areForms(one, other)))
  ) {
    return [occurrences];
  }
  const byNames = new Map<string, Occurrence[]>();
  for (const occurrence of occurrences) {
    addTo(byNames, readNames(occurrence.element), occurrence);
  }
  return [...byNames.values()].filter(isUnique);
}

/** A scalar says nothing about where it comes from: both sides can add the same one to different lists. */
function isUnique(occurrences: readonly Occurrence[]): boolean {
  const isScalar = !isContainer(occurrences[0]?.element);
  return (
    occurrences.length <= 3 &&
    ([0, 1, 2] as const).every((side) => countOn(side, occurrences) <= 1) &&
    !(isScalar && countOn(0, occurrences) === 0)
  );
}

/** Whether one can be the changed form of the other. */
function areForms({ element: one, key }: Occurrence, { element: other }: Occurrence): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return true;
  const isShared = (name: string) => one[name] !== key && Object.hasOwn(other, name);
  return readNames(one) === readNames(other) || Object.keys(one).some(isShared);
}

function readNames(element: unknown): string {
  return isJsonObject(element) ? JSON.stringify(Object.keys(element).sort()) : '';
}
