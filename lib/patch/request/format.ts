import type { IncomingMessage } from 'node:http';
import { parseMediaType } from '../../http/media-type';
import type { ParserTable } from '../../parsers/parser-table';
import type { PatchParser } from '../../parsers/patch-parser';
import { unsupportedCharset, unsupportedMediaType } from '../problems';

/** The format that a request's Content-Type names. */
export interface ChosenFormat<T> {
  readonly parser: PatchParser<T>;
  readonly mediaType: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The format of the document that a request sends. Without a Content-Type there is none to assume: JSON Patch and Merge Patch
 * would read the same document each in its own way (RFC 5789 2.2).
 *
 * @param field - what a refusal lists the formats in: for PUT that is Accept (RFC 9110 12.5.1)
 * @throws ProblemError 415
 */
export function chosenFormat<T>(
  formats: ParserTable<T>,
  req: IncomingMessage,
  field: 'Accept-Patch' | 'Accept' = 'Accept-Patch',
): ChosenFormat<T> {
  const contentType = req.headers['content-type'];
  const named = parseMediaType(contentType);
  const parser = named === undefined ? undefined : formats.find(named.type);
  const accepted = { [field]: formats.acceptPatch.join(', ') };
  if (named === undefined || parser === undefined) throw unsupportedMediaType(contentType, accepted);
  const { charset = 'utf-8' } = named.parameters;
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupportedCharset(charset, accepted);
  return { parser, mediaType: named.type, parameters: named.parameters };
}
