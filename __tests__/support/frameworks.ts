import express5 from 'express';
import express4 from 'express4';

export type ExpressModule = typeof express5;

/**
 * What every test over a real app is run on: both, or the one whose major release the variable EXPRESS names. Express 4 is typed as Express 5: the tests use what both have, and a union
 * of the two overloaded interfaces cannot be called.
 */
export const frameworks = (
  [
    ['Express 5', express5],
    ['Express 4', express4 as unknown as ExpressModule],
  ] as const
).filter(([name]) => name.endsWith(process.env.EXPRESS ?? ''));
