import { randomUUID } from 'node:crypto';

/**
 * A version that no key ever had: 122 random bits, made by the library and not by the engine, in every store alike.
 *
 * A counter or the engine's own row version begins again when a key is deleted and made anew, when a backup is
 * restored and when a Redis replica takes over that had not heard of the last writes; an entity tag from before would
 * then match a state that its client never saw. A clock repeats within its tick, a hash wherever the value does.
 */
export function newVersion(): string {
  return randomUUID();
}
