import type { IncomingMessage } from 'node:http';
import { debugLog } from '../http/debug-log';
import { parseMediaType } from '../http/media-type';
import type { RequestFields } from '../http/preconditions';
import { sentTarget } from '../http/target-path';
import type { Format, FormatTable } from './formats/format-table';
import { unsupportedCharset, unsupportedMediaType } from './request-problems';

const debug = debugLog('patch');

const mergePatchType = 'application/merge-patch+json';
const mergePatchForJson =
  'no parser reads application/json. If your clients send the members to change, use mergePatch({ json: true }).';

/**
 * The value of Content-Type. Node keeps the first of several lines, but what stands in front of it can have
 * read the last: they are one list, which is not a media type (RFC 9110 5.3, 8.3).
 */
function readContentType({ headers, rawHeaders = [] }: RequestFields): string | undefined {
  const { 'content-type': first } = headers;
  if (first === undefined) return undefined;
  const lines: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 12 && rawHeaders[i]?.toLowerCase() === 'content-type')
      lines.push(rawHeaders[i + 1] ?? '');
  }
  return lines.length > 1 ? lines.join(', ') : first;
}

/** The format that a request's Content-Type names. */
export interface ChosenFormat<F extends Format> {
  readonly format: F;
  readonly mediaType: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The format that Content-Type names. Without a Content-Type none is assumed, because JSON Patch and Merge
 * Patch can both read the same document, with different results (RFC 5789 2.2).
 *
 * @param accepted - the header of a 415 answer that lists the formats, such as Accept-Patch
 * @throws ProblemError 415
 */
export function chosenFormat<F extends Format>(
  formats: FormatTable<F>,
  req: IncomingMessage,
  accepted: Readonly<Record<string, string>>,
): ChosenFormat<F> {
  const contentType = readContentType(req);
  const parsedType = parseMediaType(contentType);
  const format = parsedType === undefined ? undefined : formats.find(parsedType.type);
  if (parsedType === undefined || format === undefined) {
    // Not a warning: any client can cause it, and only the app knows whether its own clients do.
    if (parsedType?.type === 'application/json' && formats.find(mergePatchType) !== undefined)
      debug(`%s: ${mergePatchForJson}`, sentTarget(req));
    throw unsupportedMediaType(contentType, formats.mediaTypes, accepted);
  }
  const { charset = 'utf-8' } = parsedType.parameters;
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupportedCharset(charset, accepted);
  return { format, mediaType: parsedType.type, parameters: parsedType.parameters };
}
