import { readMember } from '../../config/prototype-pollution';
import type { Stored } from './resource-store';

/** The members of a state that cannot be shown; undefined if all can be. */
export function unreadableMembers(
  state: Stored<unknown>,
): NonNullable<Stored<unknown>['unreadable']> | undefined {
  const unreadable = readMember(state, 'unreadable');
  return unreadable === undefined || unreadable.length === 0 ? undefined : unreadable;
}
