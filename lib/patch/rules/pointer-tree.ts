/** Paths as a tree of reference tokens. A `whole` node means its value and everything below it. */
export interface PointerNode {
  whole: boolean;
  readonly children: Map<string, PointerNode>;
}

/** @param paths - the reference tokens of each JSON Pointer */
export function createPointerTree(paths: readonly (readonly string[])[]): PointerNode {
  const root: PointerNode = { whole: false, children: new Map() };
  for (const path of paths) {
    let node = root;
    for (const token of path) {
      const next = node.children.get(token) ?? { whole: false, children: new Map<string, PointerNode>() };
      node.children.set(token, next);
      node = next;
    }
    node.whole = true;
  }
  return root;
}
