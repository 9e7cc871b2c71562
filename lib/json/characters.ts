/** The characters of JSON syntax as UTF-16 code units. The scanner is fast because it compares numbers. */
export const char = {
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
 * The index after the digits and fraction of the number at `at`, where its exponent would begin (RFC 8259 6);
 * `at` if there is no number.
 */
export function afterMantissa(text: string, at: number): number {
  const first = text.charCodeAt(at) === char.minus ? at + 1 : at;
  const point = text.charCodeAt(first) === char.zero ? first + 1 : afterDigits(text, first);
  if (point === first) return at;
  const end = text.charCodeAt(point) === char.point ? afterDigits(text, point + 1) : point;
  return end === point + 1 ? point : end;
}

/** The index after the exponent at `at`; `at` if there is none. */
export function afterExponent(text: string, at: number): number {
  const letter = text.charCodeAt(at);
  if (letter !== char.e && letter !== char.E) return at;
  const sign = text.charCodeAt(at + 1);
  const digits = sign === char.plus || sign === char.minus ? at + 2 : at + 1;
  const end = afterDigits(text, digits);
  return end === digits ? at : end;
}

/** The index after the escape sequence at `at` (RFC 8259 7); `at` if there is none. */
export function afterEscape(text: string, at: number): number {
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
