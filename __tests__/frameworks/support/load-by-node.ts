/** Lets recipes load these packages as Node does, in files whose environment is `environment.mjs`. */
export function loadByNode(...names: readonly string[]): void {
  const requireByNode = Reflect.get(globalThis, 'requireByNode') as (name: string) => unknown;
  for (const name of names) jest.doMock(name, () => requireByNode(name));
}
