import fc from 'fast-check';
import { seed } from './seed';

fc.configureGlobal({ seed });

/** Any character. `unit: 'binary'` are the same, and takes a second to list them all. */
export const anyCharacter = fc
  .oneof({ weight: 3, arbitrary: fc.nat(0xffff) }, fc.integer({ min: 0x10000, max: 0x10ffff }))
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

export { fc };
