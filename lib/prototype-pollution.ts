/**
 * Reads objects that apps hand in, so that what a polluted Object.prototype holds is neither an option nor a result. What they
 * inherit from classes and from other objects counts.
 */

/** A copy with the members of these names alone, all of them its own, so that reading the copy is safe too. */
export function optionsOf<O extends object>(given: O, names: readonly string[]): O {
  const options = Object.create(null) as Record<string, unknown>;
  for (const name of names) {
    const value: unknown = Reflect.get(given, name);
    // A Proxy may give what it does not seem to have.
    if (hasMember(given, name) || (value !== undefined && !(name in given))) options[name] = value;
  }
  return options as O;
}

/** Where no options were given: a default of `{}` would have what is on Object.prototype. */
export const noOptions = Object.freeze(Object.create(null) as Readonly<Record<string, never>>);

/** A member of an object that may be without it. */
export function memberOf<O extends object, Name extends keyof O>(object: O, name: Name): O[Name] | undefined {
  return hasMember(object, name) ? object[name] : undefined;
}

/** Whether an object has a member of that name, its own or inherited, but not from Object.prototype. */
export function hasMember<Name extends PropertyKey>(
  object: object,
  name: Name,
): object is Record<Name, unknown> {
  if (Object.hasOwn(object, name)) return true;
  if (!(name in object)) return false;
  let holder: object | null = object;
  while (holder !== null && !Object.hasOwn(holder, name)) holder = Reflect.getPrototypeOf(holder);
  // That of another realm has the same methods. A Proxy may have what none of its prototypes shows.
  return (
    holder === null || Reflect.getPrototypeOf(holder) !== null || !Object.hasOwn(holder, 'hasOwnProperty')
  );
}
