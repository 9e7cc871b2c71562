import { isArray, isJsonObject, memberOf } from './value';

/** A JSON Pointer (RFC 6901) that has been read. */
export interface JsonPointer {
  /** As it was written. */
  readonly text: string;
  /** The reference tokens, unescaped; none for the whole document. */
  readonly tokens: readonly string[];
}

/** Reads a JSON Pointer in its string representation; undefined where the text is none (RFC 6901 3). */
export function parsePointer(text: string): JsonPointer | undefined {
  if (text === '') return { text, tokens: [] };
  if (!text.startsWith('/')) return undefined;
  const tokens: string[] = [];
  let start = 1;
  for (let end = text.indexOf('/', start); end >= 0; end = text.indexOf('/', start)) {
    tokens.push(text.slice(start, end));
    start = end + 1;
  }
  tokens.push(text.slice(start));
  if (!text.includes('~')) return { text, tokens };
  if (/~(?![01])/.test(text)) return undefined;
  return { text, tokens: tokens.map(unescapeToken) };
}

/** The string representation of a pointer with these reference tokens. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => '/' + token.replaceAll('~', '~0').replaceAll('/', '~1')).join('');
}

/** `~1` first and `~0` last, so that `~01` becomes `~1` and not `/` (RFC 6901 4). */
function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The array index that a reference token is (RFC 6901 4: `0`, or digits without a leading zero), or -1. */
export function arrayIndex(token: string): number {
  if (token.length > 1 && token.startsWith('0')) return -1;
  let index = token === '' ? -1 : 0;
  for (let at = 0; at < token.length; at++) {
    const digit = token.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    index = index * 10 + digit;
  }
  return index;
}

/**
 * The value that one reference token leads to; undefined, which is no JSON value, where there is none. Only own
 * members are seen, so no token reaches a prototype, and `-` names the element after the last, which never is there.
 */
export function childOf(value: unknown, token: string): unknown {
  if (isArray(value)) return value[arrayIndex(token)];
  return isJsonObject(value) ? memberOf(value, token) : undefined;
}

/** The value that the reference tokens lead to; undefined where there is none. */
export function valueAt(document: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce(childOf, document);
}
