import { scanJson, type JsonSource } from './scan';
import { PatchError } from '../patch-error';

const patchDocument: JsonSource = { name: 'The patch document', malformed: 'patch-malformed' };

// A byte order mark is skipped: RFC 8259 8.1 lets a reader ignore it, and some editors still write one.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON text (RFC 8259) in UTF-8. Beside what is no JSON it refuses what would be
 * understood in two ways or lost on the way: a member name that stands twice in one object, of which
 * `JSON.parse` keeps the last, and a number beyond the range of a double, which it makes Infinity and
 * `JSON.stringify` null. Other numbers are doubles, as RFC 7493 2.2 has it: integers beyond 2^53 are rounded.
 *
 * @param depth - the levels of nesting that are taken
 * @param source - what the text is, where it is no patch document
 * @throws PatchError
 */
export function readJson(document: Buffer, depth: number, source = patchDocument): unknown {
  const text = decode(document, source);
  scanJson(text, depth, source);
  const value: unknown = JSON.parse(text);
  return value;
}

function decode(document: Buffer, { name, malformed }: JsonSource): string {
  if (document.length === 0)
    throw new PatchError(malformed, `${name} is empty. Send one in the format that Content-Type names.`);
  try {
    return utf8.decode(document);
  } catch {
    throw new PatchError(malformed, `${name} is not UTF-8, as JSON has to be (RFC 8259 8.1).`);
  }
}
