import { PatchError } from './patch-error';
import type { PatchErrorCode } from './patch-error';

/**
 * Reads JSON text (RFC 8259) from end to end without making a value of it, and throws where it is no JSON, nests deeper
 * than `depth` levels, names a member twice in one object, or holds a number beyond the range of a double. `JSON.parse`
 * tells the first in words that change with the engine and mostly without the place, and the others not at all.
 *
 * @throws PatchError `patch-malformed` or `limit-depth`, with line and column
 */
export function scanJson(text: string, depth: number): void {
  new Scanner(text, depth).scan();
}

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;

class Scanner {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly depth: number,
  ) {}

  scan(): void {
    this.#value(this.depth);
    if (this.#next() !== '') throw this.#expected('the end');
  }

  #value(levels: number): void {
    switch (this.#next()) {
      case '{':
        this.#object(this.#descended(levels));
        return;
      case '[':
        this.#array(this.#descended(levels));
        return;
      case '"':
        this.#string();
        return;
      case 't':
      case 'f':
      case 'n':
        if (this.#token(/true|false|null/y) === undefined) throw this.#expected('a value');
        return;
      default:
        this.#number();
    }
  }

  #descended(levels: number): number {
    if (levels < 1) throw this.#error('limit-depth', `nests deeper than ${this.depth} levels`);
    this.#at++;
    return levels - 1;
  }

  #object(levels: number): void {
    if (this.#took('}')) return;
    const names = new Set<string>();
    do {
      if (this.#next() !== '"') throw this.#expected('a member name in double quotes');
      const start = this.#at;
      const name = this.#string();
      if (names.has(name)) {
        throw this.#error('patch-malformed', 'names a member twice in one object', start);
      }
      names.add(name);
      if (!this.#took(':')) throw this.#expected('":"');
      this.#value(levels);
    } while (this.#took(','));
    if (!this.#took('}')) throw this.#expected('"," or "}"');
  }

  #array(levels: number): void {
    if (this.#took(']')) return;
    do this.#value(levels);
    while (this.#took(','));
    if (!this.#took(']')) throw this.#expected('"," or "]"');
  }

  #number(): void {
    const start = this.#at;
    const number = this.#token(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    if (number === undefined) throw this.#expected('a value');
    if (!Number.isFinite(Number(number))) {
      throw this.#error('patch-malformed', 'holds a number beyond the range of a double', start);
    }
  }

  /** The string that begins here, unescaped. */
  #string(): string {
    const start = this.#at++;
    let escaped = false;
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      if (code === quote) break;
      // At the end of the text the code is NaN, which is not below a space.
      if (!(code >= space)) throw this.#expected('more of a string, or its closing quote');
      this.#at++;
      if (code !== backslash) continue;
      escaped = true;
      if (this.#token(/["\\/bfnrt]|u[0-9a-fA-F]{4}/y) === undefined)
        throw this.#expected('an escape sequence');
    }
    this.#at++;
    return escaped
      ? String(JSON.parse(this.text.slice(start, this.#at)))
      : this.text.slice(start + 1, this.#at - 1);
  }

  /** The next character that is not white space, not yet taken; empty at the end. */
  #next(): string {
    for (;;) {
      const character = this.text.charAt(this.#at);
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t')
        return character;
      this.#at++;
    }
  }

  #took(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }

  #token(grammar: RegExp): string | undefined {
    grammar.lastIndex = this.#at;
    const token = grammar.exec(this.text)?.[0];
    this.#at += token?.length ?? 0;
    return token;
  }

  #expected(what: string): PatchError {
    return this.#error('patch-malformed', `is not JSON: ${what} was expected`);
  }

  #error(code: PatchErrorCode, predicate: string, at = this.#at): PatchError {
    const lines = this.text.slice(0, at).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    return new PatchError(code, `The patch document ${predicate} (line ${lines.length}, column ${column}).`);
  }
}
