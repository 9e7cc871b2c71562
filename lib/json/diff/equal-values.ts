import { isArray, isContainer, type JsonContainer } from '../value';

/**
 * Compares the parts of a few JSON values. Equal parts have the same number, which is found once for each
 * part, from the numbers of its own parts: comparing them as they are, at every level, would cost the size
 * of the values times their depth.
 */
export class EqualValues {
  /** Of scalars, and of containers that have been seen before. */
  readonly #numbers = new Map<unknown, number>();
  /** Of containers, by what they consist of. */
  readonly #byParts = new Map<string, number>();

  /** Whether two values are equal as JSON (RFC 6902 4.6); undefined, an absent value, equals only itself. */
  areEqual(one: unknown, other: unknown): boolean {
    if (one === other) return true;
    return isContainer(one) && isContainer(other) && this.number(one) === this.number(other);
  }

  /** The number of a value, and of those that are equal to it. It must not be modified afterwards. */
  number(value: unknown): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = isContainer(value) ? this.#containerNumber(value) : this.#numbers.size;
    this.#numbers.set(value, number);
    return number;
  }

  /** Negative, so that it is not that of a scalar. */
  #containerNumber(value: JsonContainer): number {
    const parts = this.#describeParts(value);
    const number = this.#byParts.get(parts) ?? -1 - this.#byParts.size;
    this.#byParts.set(parts, number);
    return number;
  }

  #describeParts(value: JsonContainer): string {
    if (isArray(value)) return value.map((element) => this.number(element)).join();
    const names = Object.keys(value).sort();
    return JSON.stringify(names) + names.map((name) => this.number(value[name])).join();
  }
}
