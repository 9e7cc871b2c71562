import { formatPointer } from '../../parsers/json/pointer';
import { isArray, isContainer } from '../../parsers/json/value';

/**
 * The JSON Pointers of what differs between two JSON values, the deepest that say it, in document order. What the two
 * share, as a patch leaves it, is not looked into.
 */
export function changedPointers(before: unknown, after: unknown): readonly string[] {
  const changed: string[] = [];
  collect(before, after, [], changed);
  return changed;
}

function collect(before: unknown, after: unknown, path: string[], changed: string[]): void {
  if (before === after) return;
  if (!isContainer(before) || !isContainer(after) || isArray(before) !== isArray(after)) {
    changed.push(formatPointer(path));
    return;
  }
  // Not in a Map, where names that are integers can be chosen to have one hash (see scan.ts).
  for (const [name, value] of Object.entries(before)) {
    if (Object.hasOwn(after, name)) collect(value, Reflect.get(after, name), [...path, name], changed);
    else changed.push(formatPointer([...path, name]));
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) changed.push(formatPointer([...path, name]));
  }
}
