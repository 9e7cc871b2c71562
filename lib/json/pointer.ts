import { printable } from '../config/printable';
import { isArray, isJsonObject, ownMember } from './value';

/** A parsed JSON Pointer (RFC 6901). */
export interface JsonPointer {
  readonly text: string;
  /** The reference tokens, unescaped; empty for the whole document. */
  readonly tokens: readonly string[];
}

/** Parses the string representation of a JSON Pointer (RFC 6901 3); undefined if it is not valid. */
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

/** The reference tokens of a JSON Pointer that has been checked. */
export function tokensIn(pointer: string): readonly string[] {
  return parsePointer(pointer)?.tokens ?? [];
}

/** Whether the reference tokens lead to the value at `above`, or to a part of it. */
export function isAtOrBelow(tokens: readonly string[], above: readonly string[]): boolean {
  return above.every((token, i) => token === tokens[i]);
}

/** The string representation of a JSON Pointer. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => '/' + token.replaceAll('~', '~0').replaceAll('/', '~1')).join('');
}

/**
 * A JSON Pointer in quotation marks, shortened for a message, because it can be as long as a request.
 * Characters that would affect a terminal are escaped.
 */
export function quotedPointer(pointer: string, maxLength: number): string {
  return printable(JSON.stringify(pointer.length > maxLength ? `${pointer.slice(0, maxLength)}…` : pointer));
}

/** Replaces `~1` before `~0`, so that `~01` becomes `~1` and not `/` (RFC 6901 4). */
function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * The array index in a reference token (RFC 6901 4: `0`, or digits without a leading zero); -1 if it is not
 * one.
 */
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
 * The value that one reference token leads to; undefined, which is not a JSON value, if there is none. Only
 * own members count, so no token can reach a prototype. `-` refers to the element after the last one, so it
 * never exists.
 */
export function readChild(value: unknown, token: string): unknown {
  if (isArray(value)) return value[arrayIndex(token)];
  return isJsonObject(value) ? ownMember(value, token) : undefined;
}

/** The value that the reference tokens lead to; undefined if there is none. */
export function valueAt(document: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce(readChild, document);
}
