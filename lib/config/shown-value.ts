/**
 * A value as messages show it. An object is shown as the name of its type, and a text as "a string", because
 * both can contain secrets, such as the password in a connection or in its URL.
 */
export function shownValue(value: unknown): string {
  if (typeof value === 'function') return `[Function${nameFunction(value)}]`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'boolean') return String(value);
  return value === '' ? "''" : shownType(value);
}

/** The type of a value, with its article: `a string`, `an object`, `a Date`. */
export function shownType(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  const name = typeof value === 'object' ? nameClass(value) : typeof value;
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/**
 * Whether a text can be shown where names, pointers, media types or origins are expected: not if it has user
 * info, a query or settings, as URLs of databases have, and not the line of a header.
 */
export function isShowable(text: string): boolean {
  return !/:.*@|\?|.#|=(?<!charset=)|^[\w-]+:(?!\/\/)[^\d*]/s.test(text);
}

/** Names come from code; anything else under the same property could be data. */
const identifier = /^[\w$]{1,50}$/;

function nameFunction(value: object): string {
  const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' && identifier.test(name) ? `: ${name}` : ' (anonymous)';
}

function nameClass(value: object): string {
  try {
    if (Array.isArray(value)) return 'array';
    const prototype: unknown = Object.getPrototypeOf(value);
    const constructor: unknown = Object.getOwnPropertyDescriptor(Object(prototype), 'constructor')?.value;
    const name: unknown = typeof constructor === 'function' ? constructor.name : undefined;
    return typeof name === 'string' && identifier.test(name) && name !== 'Object' ? name : 'object';
  } catch {
    return 'object'; // a revoked Proxy
  }
}
