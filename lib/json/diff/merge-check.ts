import { addTo, countOn, indexElements, type Places } from './element-index';
import type { ReadKey } from './identity';
import { conflict, type MergeNode } from './merge-node';

/**
 * Checks what the parts of a merge give together, and joins parts until the check succeeds: an element that
 * each of the three values has at most once is there at most once, and is there if both sides have it. Where
 * that fails, because both have moved it to different lists for example, the smallest container that holds
 * all its places becomes one value, and a conflict.
 */
export function checkElements(root: MergeNode, readKeys: readonly ReadKey[]): void {
  const elements = indexElements(root, readKeys);
  let wrong = elements.filter(isWrong);
  if (wrong.length === 0) return;
  const byNode = new Map<MergeNode, Places[]>();
  for (const places of elements) {
    for (const { node } of places) addTo(byNode, node, places);
  }
  while (wrong.length > 0) {
    // All at once, so that it does not matter which is found first.
    const nodes = wrong.flatMap((places) => joinParts(findContainer(places)));
    wrong = [...new Set(nodes.flatMap((node) => byNode.get(node) ?? []))].filter(isWrong);
  }
}

function isWrong(places: Places): boolean {
  const haveBoth = countOn(1, places) > 0 && countOn(2, places) > 0;
  return ([0, 1] as const).some((winner) => {
    const count = places.filter(({ node, sides }) => sides.includes(node.choices[winner])).length;
    return count > 1 || (count === 0 && haveBoth);
  });
}

/** The smallest part that contains all places. */
function findContainer(places: Places): MergeNode | undefined {
  const [first = [], ...others] = places.map(({ node }) => readPath(node));
  return first.findLast((node, depth) => others.every((path) => path[depth] === node));
}

/** From the root to the node. */
function readPath(node: MergeNode): readonly MergeNode[] {
  const path: MergeNode[] = [];
  for (let each: MergeNode | undefined = node; each !== undefined; each = each.parent) path.push(each);
  return path.reverse();
}

/** Makes one value of what the node was divided into, and returns all nodes of that. */
function joinParts(top: MergeNode | undefined): readonly MergeNode[] {
  const nodes = top === undefined ? [] : [top];
  for (const node of nodes) {
    for (const part of node.parts?.values() ?? []) nodes.push(part);
    delete node.parts;
    node.choices = conflict;
  }
  return nodes;
}
