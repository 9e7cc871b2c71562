import { parsePointer } from '../../json/pointer';

/** A list of JSON Pointers as a tree of reference tokens. A `whole` node stands for its value and everything below. */
export interface PointerNode {
  whole: boolean;
  readonly children: Map<string, PointerNode>;
}

export function pointerTree(pointers: readonly string[]): PointerNode {
  const root: PointerNode = { whole: false, children: new Map() };
  for (const pointer of pointers) {
    let node = root;
    for (const token of parsePointer(pointer)?.tokens ?? []) {
      const next = node.children.get(token) ?? { whole: false, children: new Map<string, PointerNode>() };
      node.children.set(token, next);
      node = next;
    }
    node.whole = true;
  }
  return root;
}
