import { formatPointer } from '../pointer';
import { isArray, isContainer, isJsonObject } from '../value';
import type { Key, ReadKey } from './identity';
import { conflict, type MergeNode, type Side } from './merge-node';

/**
 * Checks the merged parts as a whole, and joins parts until the check succeeds: an element that each of the
 * three values has at most once must be in the result at most once, and must be in it if both sides have it.
 * If that fails, for example because both sides have moved the element to different lists, the smallest
 * container with all its places becomes one value, and a conflict.
 */
export function checkElements(root: MergeNode, readKeys: readonly ReadKey[]): void {
  const elements = indexElements(root, readKeys);
  let wrong = elements.filter(isWrong);
  if (wrong.length === 0) return;
  const byNode = new Map<MergeNode, Occurrences[]>();
  for (const occurrences of elements) {
    for (const { node } of occurrences) addTo(byNode, node, occurrences);
  }
  while (wrong.length > 0) {
    // All are joined at once, so that it does not matter which one is found first.
    const nodes = wrong.flatMap((occurrences) => joinParts(findContainer(occurrences)));
    wrong = [...new Set(nodes.flatMap((node) => byNode.get(node) ?? []))].filter(isWrong);
  }
}

/** An element of a list, in a part of the three values. */
interface Occurrence {
  readonly node: MergeNode;
  /** The sides that have the element at this place. */
  readonly sides: readonly Side[];
  readonly element: unknown;
  readonly key: Key;
}

/** All places of an element that each of the three values has at most once. */
type Occurrences = readonly Occurrence[];

/**
 * The elements with an identity that are in several parts, and that each of the three values has at most
 * once.
 */
function indexElements(root: MergeNode, readKeys: readonly ReadKey[]): readonly Occurrences[] {
  const occurrences = new Map<string, Occurrence[]>();

  /** Adds an element under the first key that it has. */
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
    // If `base` does not have the element, it has no index there.
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
 * most once, and any two have a member in common apart from the identity; otherwise, occurrences with the same
 * member names are one element.
 */
function distinguish(occurrences: Occurrences): readonly Occurrences[] {
  if (occurrences.every(({ node }) => node === occurrences[0]?.node)) return [];
  if (
    isUnique(occurrences) &&
    occurrences.every((one) => occurrences.every((other) => areForms(one, other)))
  ) {
    return [occurrences];
  }
  const byNames = new Map<string, Occurrence[]>();
  for (const occurrence of occurrences) {
    addTo(byNames, readShape(occurrence.element), occurrence);
  }
  return [...byNames.values()].filter(isUnique);
}

/** A scalar does not show where it comes from: both sides can add the same scalar to different lists. */
function isUnique(occurrences: Occurrences): boolean {
  const isScalar = !isContainer(occurrences[0]?.element);
  return (
    occurrences.length <= 3 &&
    ([0, 1, 2] as const).every((side) => countOn(side, occurrences) <= 1) &&
    !(isScalar && countOn(0, occurrences) === 0)
  );
}

/** Whether one element can be a changed form of the other. */
function areForms({ element: one, key }: Occurrence, { element: other }: Occurrence): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return true;
  const isShared = (name: string) => one[name] !== key && Object.hasOwn(other, name);
  return readShape(one) === readShape(other) || Object.keys(one).some(isShared);
}

/** The names of the members of an object, in one order. */
function readShape(element: unknown): string {
  return isJsonObject(element) ? JSON.stringify(Object.keys(element).sort()) : '';
}

/** The number of occurrences in one of the three values. */
function countOn(side: Side, occurrences: Occurrences): number {
  return occurrences.filter(({ sides }) => sides.includes(side)).length;
}

function isWrong(occurrences: Occurrences): boolean {
  const haveBoth = countOn(1, occurrences) > 0 && countOn(2, occurrences) > 0;
  return ([0, 1] as const).some((winner) => {
    const count = occurrences.filter(({ node, sides }) => sides.includes(node.choices[winner])).length;
    return count > 1 || (count === 0 && haveBoth);
  });
}

/** The smallest part that contains all occurrences. */
function findContainer(occurrences: Occurrences): MergeNode | undefined {
  const [first = [], ...others] = occurrences.map(({ node }) => readPath(node));
  return first.findLast((node, depth) => others.every((path) => path[depth] === node));
}

/** The path from the root to the node. */
function readPath(node: MergeNode): readonly MergeNode[] {
  const path: MergeNode[] = [];
  for (let each: MergeNode | undefined = node; each !== undefined; each = each.parent) path.push(each);
  return path.reverse();
}

/** Turns a divided node back into one value, and returns all nodes of its parts. */
function joinParts(top: MergeNode | undefined): readonly MergeNode[] {
  const nodes = top === undefined ? [] : [top];
  for (const node of nodes) {
    for (const part of node.parts?.values() ?? []) nodes.push(part);
    delete node.parts;
    node.choices = conflict;
  }
  return nodes;
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
