import { isObject } from '../../configuration';
import { asJson, NotJsonError } from './serialize';

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- nothing but a base class adds a private field to what it returns
class Given {
  constructor(container: object) {
    return container;
  }
}

/**
 * The mark of the containers made below: deeply frozen, and known to nobody who could have changed them before they were.
 *
 * It is a private field, which nobody can see, copy or forge. A WeakSet says the same, but each container put into one
 * costs twice as much as all else that is done to it, and the garbage collector has to go through it.
 */
class Made extends Given {
  readonly #made = true;

  static is(value: object): boolean {
    return #made in value;
  }
}

/**
 * The value as it would come back from its JSON text (members that are undefined left out, `toJSON` called, NaN as
 * null, -0 as 0), but deeply frozen, and sharing every part that an earlier call made. So a value that a patch made
 * from a stored one is copied only along the paths that the patch changed.
 *
 * A container that stands in several places is copied once and stays shared, where JSON text would repeat it.
 *
 * @throws NotJsonError
 */
export function frozenJson<T>(value: T): T {
  return asJson(value, () => copyOf('', value, new Map()) as T | undefined);
}

/** Each container met on one walk, with its copy, which is frozen when all below it is copied. */
type Copies = Map<object, object>;

/**
 * The steps of ECMAScript's SerializeJSONProperty.
 *
 * @returns undefined for what JSON leaves out
 */
function copyOf(key: string, given: unknown, copies: Copies): unknown {
  if (typeof given === 'string' || (isObject(given) && Made.is(given))) return given;
  const value = unboxed(jsonOf(key, given));
  switch (typeof value) {
    case 'object':
      return value === null || Made.is(value) ? value : frozenCopy(value, copies);
    case 'number':
      return Number.isFinite(value) ? value + 0 : null; // -0 + 0 is 0, as in JSON text
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      throw new NotJsonError('it holds a BigInt');
    default:
      return undefined;
  }
}

function frozenCopy(value: object, copies: Copies): object {
  const known = copies.get(value);
  if (known === undefined) {
    const copy = Array.isArray(value) ? arrayCopy(value, copies) : objectCopy(value, copies);
    return Object.freeze(new Made(copy));
  }
  if (!Object.isFrozen(known)) throw new NotJsonError('it holds itself');
  return known;
}

function arrayCopy(value: readonly unknown[], copies: Copies): unknown[] {
  const copy: unknown[] = [...value];
  copies.set(value, copy);
  for (const [index, element] of copy.entries()) {
    const json = copyOf(String(index), element, copies) ?? null;
    if (!Object.is(json, element)) copy[index] = json;
  }
  return copy;
}

/** Copied as a whole and then mended: so the engine gives copies of one shape one layout, and copies them at once. */
function objectCopy(value: object, copies: Copies): object {
  const copy: Record<PropertyKey, unknown> = { ...value };
  copies.set(value, copy);
  for (const key of Object.keys(copy)) {
    const given = copy[key];
    const json = copyOf(key, given, copies);
    if (json === undefined) Reflect.deleteProperty(copy, key);
    else if (!Object.is(json, given)) copy[key] = json;
  }
  for (const symbol of Object.getOwnPropertySymbols(copy)) Reflect.deleteProperty(copy, symbol);
  return copy;
}

function jsonOf(key: string, value: unknown): unknown {
  if (!isObject(value) && typeof value !== 'bigint') return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? Reflect.apply(toJSON, value, [key]) : value;
}

const boxes = [Number, String, Boolean, BigInt];

function unboxed(value: unknown): unknown {
  if (!isObject(value) || Object.getPrototypeOf(value) === Object.prototype) return value;
  return boxes.some((kind) => value instanceof kind) ? value.valueOf() : value;
}
