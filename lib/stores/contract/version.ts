import { randomUUID } from 'node:crypto';

/**
 * A new version that no key ever had: 122 random bits, made by the library and not by the engine, in every
 * store alike.
 *
 * A counter or the engine's own row version starts again when a key is deleted and re-created, when a backup
 * is restored, and when a Redis replica takes over that missed the last writes. An old entity tag would then
 * match a state that its client never saw. A clock repeats within its tick, a hash whenever the value does.
 */
export function newVersion(): string {
  return randomUUID();
}
