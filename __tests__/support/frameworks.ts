import type express from 'express';

export type ExpressModule = typeof express;

/** Express 4 is typed as Express 5: the tests use what both have, and a union of the two overloaded interfaces cannot be called. */
const expresses = [
  ['Express 5', 'express'],
  ['Express 4', 'express4'],
] as const;

/** What every test over a real app is run on: the release that the project of `jest.config.mjs` names, or both. */
export const frameworks = expresses
  .filter(([name]) => isChosen(name))
  .map(([name, module]) => [name, require(module) as ExpressModule] as const);

/** @param name - ends with the number of a release */
export function isChosen(name: string): boolean {
  return name.endsWith(String(Reflect.get(globalThis, 'express') ?? ''));
}
