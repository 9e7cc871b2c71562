import { frozenJson } from './frozen-json';
import type { Stored } from './resource-store';

/** A state that is given to many: its value is deeply frozen, and its Date made anew for each. */
export type SharedState<T> = () => Stored<T>;

/**
 * The value is not frozen before it is asked for: a 304 needs the version alone, and a megabyte takes its time.
 *
 * @param value - that of `found`, where it is at hand and deeply frozen
 */
export function sharedState<T>(found: Stored<T>, value?: T): SharedState<T> {
  const { version } = found;
  const modified = found.modified?.getTime();
  // Undefined once the value is read, so that the engine's text of it can go.
  let unread = value === undefined ? found : undefined;
  const read = (): T => {
    if (unread !== undefined) {
      value = frozenJson(unread.value);
      unread = undefined;
    }
    return value as T;
  };
  return () => ({
    get value() {
      return read();
    },
    version,
    ...(modified !== undefined && { modified: new Date(modified) }),
  });
}
