/**
 * Reads objects that the app passes in, so that a property of a polluted Object.prototype is neither an
 * option nor a result. Properties that they inherit from classes and other objects do count.
 */

/** A copy with only these properties, all of them own, so that the copy is safe to read. */
export function pickOptions<O extends object>(object: O, names: readonly string[]): O {
  const options = Object.create(null) as Record<string, unknown>;
  for (const name of names) {
    const value: unknown = Reflect.get(object, name);
    // A Proxy can return values for properties that its `has` trap denies.
    if (hasMember(object, name) || (value !== undefined && !(name in object))) options[name] = value;
  }
  return options as O;
}

/** The default for options: `{}` would inherit from Object.prototype. */
export const noOptions = Object.freeze(Object.create(null) as Readonly<Record<string, never>>);

/** The value of a property; undefined if the object does not have it. */
export function readMember<O extends object, Name extends keyof O>(
  object: O,
  name: Name,
): O[Name] | undefined {
  return hasMember(object, name) ? object[name] : undefined;
}

/** Whether an object has a property of that name, own or inherited, but not from Object.prototype. */
export function hasMember<Name extends PropertyKey>(
  object: object,
  name: Name,
): object is Record<Name, unknown> {
  if (Object.hasOwn(object, name)) return true;
  if (!(name in object)) return false;
  let holder: object | null = object;
  while (holder !== null && !Object.hasOwn(holder, name)) holder = Reflect.getPrototypeOf(holder);
  // The Object.prototype of another realm is recognized by its methods. A Proxy can have properties that no
  // prototype shows.
  return (
    holder === null || Reflect.getPrototypeOf(holder) !== null || !Object.hasOwn(holder, 'hasOwnProperty')
  );
}
