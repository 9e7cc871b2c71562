import { formatPointer } from '../parsers/json-pointer';
import { isArray, isContainer } from '../parsers/json-value';

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
  if (!areContainersAlike(before, after)) {
    changed.push(formatPointer(path));
    return;
  }
  const members = membersOf(before);
  const nextMembers = membersOf(after);
  for (const [name, value] of members) {
    if (nextMembers.has(name)) collect(value, nextMembers.get(name), [...path, name], changed);
    else changed.push(formatPointer([...path, name]));
  }
  for (const name of nextMembers.keys()) {
    if (!members.has(name)) changed.push(formatPointer([...path, name]));
  }
}

function areContainersAlike(a: unknown, b: unknown): boolean {
  return isContainer(a) && isContainer(b) && isArray(a) === isArray(b);
}

function membersOf(container: unknown): ReadonlyMap<string, unknown> {
  return new Map(isContainer(container) ? Object.entries(container) : []);
}
