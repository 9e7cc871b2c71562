import { scanJson } from './scan';
import { PatchError } from '../patch-error';

// A byte order mark is skipped: RFC 8259 8.1 lets a reader ignore it, and some editors still write one.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a patch document that is JSON text (RFC 8259) in UTF-8. Beside what is no JSON it refuses what would be
 * understood in two ways or lost on the way: a member name that stands twice in one object, of which
 * `JSON.parse` keeps the last, and a number beyond the range of a double, which it makes Infinity and
 * `JSON.stringify` null. Other numbers are doubles, as RFC 7493 2.2 has it: integers beyond 2^53 are rounded.
 *
 * @param depth - the levels of nesting that are taken
 * @throws PatchError
 */
export function readJson(document: Buffer, depth: number): unknown {
  const text = decode(document);
  scanJson(text, depth);
  const value: unknown = JSON.parse(text);
  return value;
}

function decode(document: Buffer): string {
  if (document.length === 0)
    throw new PatchError(
      'patch-malformed',
      'The patch document is empty. Send one in the format that Content-Type names.',
    );
  try {
    return utf8.decode(document);
  } catch {
    throw new PatchError(
      'patch-malformed',
      'The patch document is not UTF-8, as JSON has to be (RFC 8259 8.1).',
    );
  }
}
