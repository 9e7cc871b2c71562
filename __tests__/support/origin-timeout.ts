import { originTimeout } from '../../lib/cors/origin';

/** Origin functions are waited for for some milliseconds only, until `jest.restoreAllMocks()` or the end of the file. */
export function shortenOriginTimeout(milliseconds = 10): jest.SpyInstance {
  const { setTimeout } = globalThis;
  const shortened = (call: () => void, delay?: number, ...rest: unknown[]) =>
    Reflect.apply(setTimeout, undefined, [call, delay === originTimeout ? milliseconds : delay, ...rest]);
  return jest.spyOn(globalThis, 'setTimeout').mockImplementation(shortened as typeof setTimeout);
}
