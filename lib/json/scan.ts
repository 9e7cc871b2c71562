import { JsonError, type JsonErrorCode } from './json-error';
import { formatPointer, quotedPointer } from './pointer';

/**
 * The characters of JSON syntax as UTF-16 code units. Comparing numbers is faster than sticky regular
 * expressions, apart from long texts.
 */
const char = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  slash: 0x2f,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  E: 0x45,
  leftBracket: 0x5b,
  backslash: 0x5c,
  rightBracket: 0x5d,
  b: 0x62,
  e: 0x65,
  f: 0x66,
  n: 0x6e,
  r: 0x72,
  t: 0x74,
  u: 0x75,
  leftBrace: 0x7b,
  rightBrace: 0x7d,
} as const;

/**
 * Checks JSON text (RFC 8259) without building a value. Throws if it is not JSON, nests deeper than `depth`
 * levels, has a duplicate member name in an object, has a number beyond the range of a double, or an integer
 * that a double would change. `JSON.parse` reports only the first of these, mostly without the position, and
 * in different words in each engine.
 *
 * @param name - the subject of the messages, such as "The patch document"
 * @throws JsonError `limit-depth` or `json-malformed`, with line and column
 */
export function scanJson(text: string, depth: number, name: string): void {
  new Scanner(text, depth, name).scan();
}

class Scanner {
  #at = 0;
  /** The names and indices above the current position, by their level. */
  readonly #path: (string | number)[] = [];

  constructor(
    private readonly text: string,
    private readonly depth: number,
    private readonly name: string,
  ) {}

  scan(): void {
    this.#value(this.depth);
    if (!Number.isNaN(this.#next())) throw this.#expected('the end of the text');
  }

  #value(levels: number): void {
    switch (this.#next()) {
      case char.quote:
        this.#string();
        return;
      case char.leftBrace:
        this.#object(levels);
        return;
      case char.leftBracket:
        this.#array(levels);
        return;
      case char.t:
        this.#literal('true');
        return;
      case char.f:
        this.#literal('false');
        return;
      case char.n:
        this.#literal('null');
        return;
      default:
        this.#number(levels);
    }
  }

  #object(levels: number): void {
    this.#open(levels);
    if (this.#tookChar(char.rightBrace)) return;
    const names = new MemberNames();
    do {
      this.#path[this.depth - levels] = this.#name(names, levels);
      this.#value(levels - 1);
    } while (this.#tookChar(char.comma));
    if (!this.#tookChar(char.rightBrace)) throw this.#expected('"," or "}"');
  }

  #array(levels: number): void {
    this.#open(levels);
    if (this.#tookChar(char.rightBracket)) return;
    let index = 0;
    do {
      this.#path[this.depth - levels] = index++;
      this.#value(levels - 1);
    } while (this.#tookChar(char.comma));
    if (!this.#tookChar(char.rightBracket)) throw this.#expected('"," or "]"');
  }

  #open(levels: number): void {
    if (levels < 1) {
      const predicate = `nests deeper than the limit of ${this.depth} levels`;
      throw this.#error(predicate, 'Send a flatter one.', this.#at, 'limit-depth');
    }
    this.#at++;
  }

  /** Reads a member name, which must not be in `names` already, and the colon. */
  #name(names: MemberNames, levels: number): string {
    if (this.#next() !== char.quote) throw this.#expected('a member name in double quotes');
    const start = this.#at;
    const escaped = this.#string();
    const content = this.text.slice(start + 1, this.#at - 1);
    const name = escaped ? String(JSON.parse(`"${content}"`)) : content;
    if (!names.add(name)) {
      const pointer = this.#pointer(levels) + formatPointer([name]);
      const predicate = `has a duplicate member name in one object at ${quotedPointer(pointer, 100)}`;
      throw this.#error(predicate, 'Remove one of them.', start, 'json-malformed', pointer);
    }
    if (!this.#tookChar(char.colon)) throw this.#expected('":"');
    return name;
  }

  #literal(word: string): void {
    if (!this.text.startsWith(word, this.#at)) throw this.#expected('a value');
    this.#at += word.length;
  }

  #number(levels: number): void {
    const start = this.#at;
    const exponent = afterMantissa(this.text, start);
    if (exponent === start) throw this.#expected('a value');
    const end = (this.#at = afterExponent(this.text, exponent));
    if (exponent - start < 16 && end - exponent < 4) return;
    const token = this.text.slice(start, end);
    const value = Number(token);
    // Below 2^53 it is exact, or a fraction, which every parser rounds.
    if (Math.abs(value) < 2 ** 53) return;
    // A double keeps up to 15 significant digits.
    if (Number.isFinite(value) && (exponent - start < 16 || isSameInteger(token, String(value)))) return;
    const pointer = this.#pointer(levels);
    const where = quotedPointer(pointer, 100);
    const predicate = Number.isFinite(value)
      ? `contains an integer at ${where} that would become ${value}`
      : `contains a number at ${where} beyond the range of a double`;
    throw this.#error(predicate, 'Send it as a string.', start, 'json-malformed', pointer);
  }

  /** @returns whether the string contains an escape sequence */
  #string(): boolean {
    const { text } = this;
    let escaped = false;
    let at = this.#at + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === char.quote) break;
      if (code === char.backslash) {
        escaped = true;
        const end = afterEscape(text, at);
        this.#at = at;
        if (end === at) throw this.#expected('an escape sequence');
        at = end;
      } else if (code >= char.space) {
        at++;
      } else {
        // A control character, or the end of the text, where the code is NaN.
        this.#at = at;
        throw this.#expected('a closing quote');
      }
    }
    this.#at = at + 1;
    return escaped;
  }

  /** Skips white space and peeks at the next character; NaN at the end. */
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

  /** The JSON Pointer of the value that is being read; this many levels may follow below it. */
  #pointer(levels: number): string {
    return formatPointer(this.#path.slice(0, this.depth - levels).map(String));
  }

  #expected(what: string): JsonError {
    return this.#error(`is not valid JSON: expected ${what}`);
  }

  #error(
    predicate: string,
    fix = '',
    at = this.#at,
    code: JsonErrorCode = 'json-malformed',
    pointer?: string,
  ): JsonError {
    let line = 1;
    let start = 0;
    for (let end = this.text.indexOf('\n'); end >= 0 && end < at; end = this.text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    const position = `line ${line}, column ${at - start + 1}`;
    const message = `${this.name} ${predicate} (${position}). ${fix}`.trim();
    return new JsonError(code, message, undefined, pointer);
  }
}

/**
 * The index after the digits and fraction of the number at `at`, where its exponent would begin (RFC 8259 6);
 * `at` if there is no number.
 */
function afterMantissa(text: string, at: number): number {
  const first = text.charCodeAt(at) === char.minus ? at + 1 : at;
  const point = text.charCodeAt(first) === char.zero ? first + 1 : afterDigits(text, first);
  if (point === first) return at;
  const end = text.charCodeAt(point) === char.point ? afterDigits(text, point + 1) : point;
  return end === point + 1 ? point : end;
}

/** The index after the exponent at `at`; `at` if there is none. */
function afterExponent(text: string, at: number): number {
  const letter = text.charCodeAt(at);
  if (letter !== char.e && letter !== char.E) return at;
  const sign = text.charCodeAt(at + 1);
  const digits = sign === char.plus || sign === char.minus ? at + 2 : at + 1;
  const end = afterDigits(text, digits);
  return end === digits ? at : end;
}

/** The index after the escape sequence at `at` (RFC 8259 7); `at` if there is none. */
function afterEscape(text: string, at: number): number {
  switch (text.charCodeAt(at + 1)) {
    case char.quote:
    case char.backslash:
    case char.slash:
    case char.b:
    case char.f:
    case char.n:
    case char.r:
    case char.t:
      return at + 2;
    case char.u:
      for (let digit = at + 2; digit < at + 6; digit++) if (!isHexDigit(text.charCodeAt(digit))) return at;
      return at + 6;
    default:
      return at;
  }
}

function isDigit(code: number): boolean {
  return code >= char.zero && code <= char.nine;
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}

/** The index after the digits at `at`; `at` if there are none. */
function afterDigits(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

/**
 * Whether a number beyond 2^53 is, in any notation, the integer that `JSON.stringify` prints for it. A
 * fraction counts as the same, because every parser rounds it.
 */
function isSameInteger(token: string, printed: string): boolean {
  if (token === printed) return true;
  const [sent, kept] = [readDecimal(token), readDecimal(printed)];
  return sent.exponent < 0 || (sent.digits === kept.digits && sent.exponent === kept.exponent);
}

/** The significant digits of a number, and the power of ten that they are multiplied by. */
function readDecimal(number: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = number.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === char.zero) end--;
  return {
    digits: digits.slice(0, end).replace(/^0+/, ''),
    exponent: Number(power) - fraction.length + digits.length - end,
  };
}

/** Up to this many names are compared one by one, which is faster than a Set. */
const few = 8;

/** The member names of one object, to detect duplicates. */
class MemberNames {
  readonly #few: string[] = [];
  #all: Set<string> | undefined;

  /** @returns false if the name was added before */
  add(name: string): boolean {
    if (this.#all === undefined) {
      if (this.#few.includes(name)) return false;
      if (this.#few.length < few) {
        this.#few.push(name);
        return true;
      }
      this.#all = new Set(this.#few.map(hashed));
    }
    const size = this.#all.size;
    return this.#all.add(hashed(name)).size > size;
  }
}

/**
 * A string that V8 hashes by all of its characters, with a secret seed. V8 hashes array indices by their
 * value, so an attacker could choose indices that all fall into one bucket of the Set. Names that begin with
 * a quotation mark get a second one, to stay distinct.
 */
function hashed(name: string): string {
  return startsAsIndex.test(name) ? `"${name}` : name;
}

const startsAsIndex = /^[0-9"]/;
