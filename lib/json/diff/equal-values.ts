import { isArray, isContainer, type JsonContainer } from '../value';

/** Equal containers have the same token. */
interface Token {
  readonly number: number;
}

/**
 * Compares the parts of a few JSON values. Equal parts have the same token, which is computed once for each
 * part, from the tokens of its own parts. Comparing whole parts at every level would cost the size of the
 * values times their depth.
 */
export class EqualValues {
  readonly #tokens = new Map<JsonContainer, Token>();
  /** The tokens by a description of a container's parts. */
  readonly #byParts = new Map<string, Token>();

  /**
   * A token that is the same for all values that are equal as JSON (RFC 6902 4.6); a scalar is its own token. The value
   * must not be modified afterwards.
   */
  token(value: unknown): unknown {
    return isContainer(value) ? this.#containerToken(value) : value;
  }

  #containerToken(value: JsonContainer): Token {
    const known = this.#tokens.get(value);
    if (known !== undefined) return known;
    const parts = this.#describeParts(value);
    const token = this.#byParts.get(parts) ?? { number: this.#byParts.size };
    this.#byParts.set(parts, token);
    this.#tokens.set(value, token);
    return token;
  }

  #describeParts(value: JsonContainer): string {
    if (!isArray(value)) {
      const names = Object.keys(value).sort();
      return '{' + JSON.stringify(names) + names.map((name) => this.#describePart(value[name])).join();
    }
    return value.some(isContainer)
      ? value.map((element) => this.#describePart(element)).join()
      : JSON.stringify(value);
  }

  /** A number sign marks a token, because JSON text has none outside of strings. */
  #describePart(value: unknown): string {
    return isContainer(value) ? `#${this.#containerToken(value).number}` : JSON.stringify(value);
  }
}
