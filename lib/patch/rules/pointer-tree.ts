import { parsePointer } from '../../parsers/json/pointer';

/** What a list of JSON Pointers leads to, by reference tokens: all that is at and below a node that is `whole`. */
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
