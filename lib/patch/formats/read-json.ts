import { JsonError } from '../../json/json-error';
import { scanJson } from '../../json/scan';
import { PatchError, type PatchErrorCode, toPatchError } from './patch-error';

/** The description of a JSON text in errors. */
interface JsonSource {
  /** The subject of the sentence, such as "The patch document". */
  readonly name: string;
  readonly malformed: PatchErrorCode;
}

const patchDocument: JsonSource = { name: 'The patch document', malformed: 'patch-malformed' };

// A byte order mark is skipped: RFC 8259 8.1 allows readers to ignore it, and some editors still write one.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON text (RFC 8259) in UTF-8. It also refuses valid JSON that is ambiguous or would be changed: an
 * object with a duplicate member name, of which `JSON.parse` keeps the last; a number beyond the range of a
 * double, which becomes Infinity and is then written as null; and an integer that a double would change.
 * Fractions are rounded to doubles, as every parser rounds them (RFC 7493 2.2).
 *
 * @param depth - the deepest nesting accepted
 * @param source - how errors name the document
 * @throws PatchError
 */
export function readJson(document: Buffer, depth: number, source = patchDocument): unknown {
  const text = decode(document, source);
  try {
    scanJson(text, depth, source.name);
  } catch (error) {
    throw error instanceof JsonError ? toPatchError(error, source.malformed) : error;
  }
  const value: unknown = JSON.parse(text);
  return value;
}

function decode(document: Buffer, { name, malformed }: JsonSource): string {
  if (document.length === 0)
    throw new PatchError(malformed, `${name} is empty. Send one in the format of the Content-Type.`);
  try {
    return utf8.decode(document);
  } catch {
    throw new PatchError(malformed, `${name} is not valid UTF-8. Encode JSON as UTF-8 (RFC 8259 8.1).`);
  }
}
