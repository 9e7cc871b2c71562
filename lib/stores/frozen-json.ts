import { asJson, NotJsonError } from './json-text';

/** The containers made below: deeply frozen, and known to nobody who could have changed them before they were. */
const made = new WeakSet();

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
  const copied = asJson(() => new Copying().member('', value));
  if (copied === undefined) throw new NotJsonError(`it is ${typeof value}`);
  return copied as T;
}

/** One walk, in the steps of ECMAScript's SerializeJSONProperty. */
class Copying {
  /** Each container met, with its copy; null while that is being made. */
  readonly #copies = new Map<object, object | null>();

  /** @returns undefined for what JSON leaves out */
  member(key: string, given: unknown): unknown {
    const value = unboxed(jsonOf(key, given));
    switch (typeof value) {
      case 'object':
        return value === null || made.has(value) ? value : this.#container(value);
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

  #container(value: object): object {
    const known = this.#copies.get(value);
    if (known === null) throw new NotJsonError('it holds itself');
    if (known !== undefined) return known;
    this.#copies.set(value, null);
    const copy = Object.freeze(Array.isArray(value) ? this.#array(value) : this.#object(value));
    made.add(copy);
    this.#copies.set(value, copy);
    return copy;
  }

  #array(value: readonly unknown[]): unknown[] {
    return Array.from(value, (element, index) => this.member(String(index), element) ?? null);
  }

  #object(value: object): object {
    const copy: Record<string, unknown> = {};
    for (const [key, given] of Object.entries(value)) {
      const member = this.member(key, given);
      if (member === undefined) continue;
      // Assigned, `__proto__` would set the prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value: member, enumerable: true });
      else copy[key] = member;
    }
    return copy;
  }
}

function jsonOf(key: string, value: unknown): unknown {
  const isAsked = (typeof value === 'object' && value !== null) || typeof value === 'bigint';
  if (!isAsked || !('toJSON' in Object(value))) return value;
  const { toJSON } = value as { toJSON: unknown };
  return typeof toJSON === 'function' ? Reflect.apply(toJSON, value, [key]) : value;
}

const boxes = [Number, String, Boolean, BigInt];

function unboxed(value: unknown): unknown {
  const isBoxed = boxes.some((kind) => value instanceof kind);
  return isBoxed && value instanceof Object ? value.valueOf() : value;
}
