import { PatchError, type PatchErrorCode } from '../patch-error';

/**
 * Reads JSON text (RFC 8259) from end to end without making a value of it, and throws where it is no JSON, nests
 * deeper than `depth` levels, names a member twice in one object, or holds a number beyond the range of a
 * double. `JSON.parse` tells the first in words that change with the engine and mostly without the place, and
 * the others not at all.
 *
 * @throws PatchError `patch-malformed` or `limit-depth`, with line and column
 */
export function scanJson(text: string, depth: number): void {
  new Scanner(text, depth).scan();
}

/** The characters that JSON is made of, as UTF-16 code units: comparing numbers is what makes the scan cheap. */
const char = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  leftBracket: 0x5b,
  backslash: 0x5c,
  rightBracket: 0x5d,
  f: 0x66,
  n: 0x6e,
  t: 0x74,
  leftBrace: 0x7b,
  rightBrace: 0x7d,
} as const;

// RFC 8259 3, 6 and 7.
const literal = /true|false|null/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?/y;
const exponent = /[eE][+-]?[0-9]+/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** So many digits may be beyond the largest double, which has 309. */
const manyDigits = 309;

class Scanner {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly depth: number,
  ) {}

  scan(): void {
    this.#value(this.depth);
    if (!Number.isNaN(this.#next())) throw this.#expected('the end');
  }

  #value(levels: number): void {
    switch (this.#next()) {
      case char.quote:
        this.#string();
        return;
      case char.leftBrace:
        this.#container(char.rightBrace, levels);
        return;
      case char.leftBracket:
        this.#container(char.rightBracket, levels);
        return;
      case char.t:
      case char.f:
      case char.n:
        if (!this.#took(literal)) throw this.#expected('a value');
        return;
      default:
        this.#number();
    }
  }

  /** Takes the object or the array that begins here and ends with `close`. */
  #container(close: number, levels: number): void {
    if (levels < 1) {
      throw this.#error(`nests deeper than the ${this.depth} levels that are taken`, this.#at, 'limit-depth');
    }
    this.#at++;
    if (this.#tookChar(close)) return;
    const names = close === char.rightBrace ? new Set<string>() : undefined;
    do {
      if (names !== undefined) this.#name(names);
      this.#value(levels - 1);
    } while (this.#tookChar(char.comma));
    if (!this.#tookChar(close)) throw this.#expected(`"," or "${String.fromCharCode(close)}"`);
  }

  /** Takes the name of a member, which is to be none of `names`, and the colon. */
  #name(names: Set<string>): void {
    if (this.#next() !== char.quote) throw this.#expected('a member name in double quotes');
    const start = this.#at;
    this.#string();
    // With its opening quote: before Node 20.20.2 V8 hashes text that is an integer without its seed, so that a stranger
    // could choose names that all have one hash.
    const written = this.text.slice(start, this.#at - 1);
    const name = written.includes('\\') ? `"${String(JSON.parse(`${written}"`))}` : written;
    if (names.has(name)) throw this.#error('names a member twice in one object: leave one out', start);
    names.add(name);
    if (!this.#tookChar(char.colon)) throw this.#expected('":"');
  }

  #number(): void {
    const start = this.#at;
    if (!this.#took(number)) throw this.#expected('a value');
    const large = this.#took(exponent) || this.#at - start >= manyDigits;
    if (large && !Number.isFinite(Number(this.text.slice(start, this.#at)))) {
      throw this.#error('holds a number beyond the range of a double: send it as a string', start);
    }
  }

  #string(): void {
    let at = this.#at + 1;
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (code === char.quote) break;
      if (code === char.backslash) {
        this.#at = at;
        if (!this.#took(escape)) throw this.#expected('an escape sequence');
        at = this.#at;
      } else if (code >= char.space) {
        at++;
      } else {
        // A control character, or the end, where the code is NaN.
        this.#at = at;
        throw this.#expected('more of a string, or its closing quote');
      }
    }
    this.#at = at + 1;
  }

  /** The next character that is not white space, not yet taken; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      switch (code) {
        case char.space:
        case char.lineFeed:
        case char.carriageReturn:
        case char.tab:
          this.#at++;
          break;
        default:
          return code;
      }
    }
  }

  #tookChar(code: number): boolean {
    if (this.#next() !== code) return false;
    this.#at++;
    return true;
  }

  #took(grammar: RegExp): boolean {
    grammar.lastIndex = this.#at;
    if (!grammar.test(this.text)) return false;
    this.#at = grammar.lastIndex;
    return true;
  }

  #expected(what: string): PatchError {
    return this.#error(`is not JSON: ${what} was expected`);
  }

  #error(predicate: string, at = this.#at, code: PatchErrorCode = 'patch-malformed'): PatchError {
    const lines = this.text.slice(0, at).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    return new PatchError(code, `The patch document ${predicate} (line ${lines.length}, column ${column}).`);
  }
}
