import { isObject } from '../../config/object';
import { notStorable, writeJson } from '../contract/serialize';

/**
 * The value as it would come back from its JSON text (undefined members left out, `toJSON` called, NaN as
 * null, -0 as 0), but deeply frozen. It shares with `previous` every container that is in the same location
 * in both, in arrays also if elements before it were inserted or removed. (A large container that occurs
 * several times in the value is copied once, for its first location.) So a value that a patch made from a
 * stored one is copied only along the changed paths.
 *
 * Sharing is found by comparing with `previous`, not by marking the containers made here: a private field or
 * a WeakSet entry costs several times as much as copying and freezing a small container.
 *
 * @param previous - the result of an earlier call: deeply frozen, and never exposed before it was
 * @throws NotJsonError
 */
export function toFrozenJson<T>(value: T, previous?: unknown): T {
  return writeJson(value, () => new FrozenCopier().copy('', value, previous, previous, 0) as T | undefined);
}

/** Containers with at least this many members or elements are copied only once if they occur several times. */
const minSharedSize = 16;

/**
 * Objects with fewer or more members are built member by member, objects in between by a spread. V8 gives
 * each object that was spread and then frozen its own hidden class, but turns an object that is built of more
 * than a dozen members into a slow dictionary. Beyond a thousand members both are dictionaries, and building
 * takes half the time.
 */
const spread = { from: 13, to: 1_000 };

/** Beyond this level, each container is checked for being its own ancestor. */
const maxUncheckedLevels = 1_000;

type JsonObject = Record<string, unknown>;

class FrozenCopier {
  /** Copies of larger containers, for values that contain one of them twice. */
  readonly #copies = new Map<object, object>();
  /** The members and elements copied since the last entry in `#copies`. */
  #copiedCount = 0;
  /** The ancestors beyond `maxUncheckedLevels`. */
  readonly #ancestors = new Set<object>();

  /**
   * The steps of ECMAScript's SerializeJSONProperty.
   *
   * @param previous - the value from which this one was probably made, if elements before it were inserted or
   *   removed
   * @param inPlace - the previous value in the same location; usually the same value
   * @returns undefined for a value that JSON leaves out
   */
  copy(key: string | number, source: unknown, previous: unknown, inPlace: unknown, level: number): unknown {
    if (isObject(source) && (source === previous || source === inPlace)) return source;
    const value = unbox(callToJson(key, source));
    switch (typeof value) {
      case 'object':
        return value === null || value === previous || value === inPlace
          ? value
          : this.#copyContainer(value, previous, inPlace, level);
      case 'number':
        return toJsonNumber(value);
      case 'string':
      case 'boolean':
        return value;
      case 'bigint':
        throw notStorable('it contains a BigInt');
      default:
        return undefined;
    }
  }

  #copyContainer(value: object, previous: unknown, inPlace: unknown, level: number): object {
    const earlier = this.#copies.get(value);
    if (earlier !== undefined) return earlier;
    if (level > maxUncheckedLevels) this.#enter(value);
    const copiedBefore = this.#copiedCount;
    this.#copiedCount = 0;
    const copy = Object.freeze(
      Array.isArray(value)
        ? this.#copyArray(value, previous, inPlace, level)
        : this.#copyObject(value, previous, inPlace, level),
    );
    if (this.#copiedCount < minSharedSize) {
      this.#copiedCount += copiedBefore + 1;
    } else {
      this.#copies.set(value, copy);
      this.#copiedCount = copiedBefore + 1;
    }
    if (level > maxUncheckedLevels) this.#ancestors.delete(value);
    return copy;
  }

  #enter(value: object): void {
    if (this.#ancestors.has(value)) throw notStorable('it contains itself');
    this.#ancestors.add(value);
  }

  #copyArray(value: readonly unknown[], previous: unknown, inPlace: unknown, level: number): unknown[] {
    const copy: unknown[] = [...value];
    const elements = Array.isArray(previous) ? new PreviousElements(previous) : undefined;
    for (let index = 0; index < copy.length; index++) {
      const element = copy[index];
      if (typeof element === 'string') continue;
      const json =
        typeof element === 'number'
          ? toJsonNumber(element)
          : (this.copy(
              index,
              element,
              elements?.at(index, element),
              Array.isArray(inPlace) ? inPlace[index] : undefined,
              level + 1,
            ) ?? null);
      if (!Object.is(json, element)) copy[index] = json;
    }
    this.#copiedCount += copy.length;
    return copy;
  }

  #copyObject(value: object, previous: unknown, inPlace: unknown, level: number): object {
    const keys = Object.keys(value);
    this.#copiedCount += keys.length;
    return keys.length < spread.from || keys.length > spread.to
      ? this.#buildObject(value as JsonObject, keys, previous, inPlace, level)
      : this.#convertMembers({ ...value }, keys, previous, inPlace, level);
  }

  #buildObject(
    value: JsonObject,
    keys: readonly string[],
    previous: unknown,
    inPlace: unknown,
    level: number,
  ): object {
    const copy: JsonObject = {};
    for (const key of keys) {
      const json = this.#copyMember(key, value[key], previous, inPlace, level);
      if (json !== undefined) addMember(copy, key, json);
    }
    return copy;
  }

  #convertMembers(
    copy: JsonObject,
    keys: readonly string[],
    previous: unknown,
    inPlace: unknown,
    level: number,
  ): object {
    for (const key of keys) {
      const member = copy[key];
      const json = this.#copyMember(key, member, previous, inPlace, level);
      if (json === undefined) Reflect.deleteProperty(copy, key);
      else if (!Object.is(json, member)) copy[key] = json;
    }
    for (const symbol of Object.getOwnPropertySymbols(copy)) Reflect.deleteProperty(copy, symbol);
    return copy;
  }

  #copyMember(key: string, source: unknown, previous: unknown, inPlace: unknown, level: number): unknown {
    if (typeof source === 'string') return source;
    if (typeof source === 'number') return toJsonNumber(source);
    const member = readMember(previous, key);
    return this.copy(
      key,
      source,
      member,
      previous === inPlace ? member : readMember(inPlace, key),
      level + 1,
    );
  }
}

/** Finds the elements of the previous array in an array that was made from it by insertions and removals. */
class PreviousElements {
  /** How far the elements have shifted towards the end, as far as the search has gone. */
  #moved = 0;
  /** The index of each element; built when one is not found otherwise. */
  #indices: Map<unknown, number> | undefined;

  constructor(private readonly previous: readonly unknown[]) {}

  /** The previous element that is the same as `element`, or else the previous element in its place. */
  at(index: number, element: unknown): unknown {
    const at = index - this.#moved;
    const expected = this.previous[at];
    // An element that is not frozen is new.
    if (expected === element || !isObject(element) || !Object.isFrozen(element)) return expected;
    const previousIndex =
      this.previous[at + 1] === element
        ? at + 1
        : this.previous[at - 1] === element
          ? at - 1
          : this.#find(element);
    if (previousIndex === undefined) return expected;
    this.#moved = index - previousIndex;
    return element;
  }

  #find(element: object): number | undefined {
    this.#indices ??= new Map(this.previous.map((previous, index) => [previous, index]));
    return this.#indices.get(element);
  }
}

/** Defines inherited names: an assignment would call the setter of `__proto__`. */
function addMember(copy: JsonObject, key: string, value: unknown): void {
  if (key in copy)
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  else copy[key] = value;
}

function readMember(previous: unknown, key: string): unknown {
  return isObject(previous) && Object.hasOwn(previous, key) ? Reflect.get(previous, key) : undefined;
}

function toJsonNumber(value: number): number | null {
  return Number.isFinite(value) ? value + 0 : null; // -0 + 0 is 0, as in JSON text
}

function callToJson(key: string | number, value: unknown): unknown {
  if (!isObject(value) && typeof value !== 'bigint') return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? Reflect.apply(toJSON, value, [String(key)]) : value;
}

const boxes = [Number, String, Boolean, BigInt];

function unbox(value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
    return value;
  return boxes.some((kind) => value instanceof kind) ? value.valueOf() : value;
}
