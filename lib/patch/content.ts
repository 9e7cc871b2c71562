import type { IncomingMessage } from 'node:http';
import type rawBody from 'raw-body';
import { isObject } from '../config/object';
import { debugLog } from '../http/debug-log';
import { parseFieldList } from '../http/field-list';
import { header } from '../http/header';
import { parseMediaType } from '../http/media-type';
import { pointerMember } from '../http/pointer-member';
import { sentTarget } from '../http/target-path';
import { NotJsonError } from '../json/app-json';
import { sayNotJson, toJson } from '../json/to-json';
import { childValues, isContainer, isDeeperThan } from '../json/value';
import { clientGone } from './client-connection';
import { PatchError } from './formats/patch-error';
import type { Format, FormatTable } from './formats/format-table';
import type { PatchLimits } from './formats/patch-parser';
import {
  brokenBody,
  contentTooDeep,
  contentTooLarge,
  unsupportedCharset,
  unsupportedCoding,
  unsupportedMediaType,
} from './refusals';

const debug = debugLog('patch');

const mergePatchType = 'application/merge-patch+json';
const mergePatchForJson =
  'no parser reads application/json. If your clients send the members to change, use mergePatch({ json: true }).';

/** The format that a request's Content-Type names. */
export interface ChosenFormat<F extends Format> {
  readonly format: F;
  readonly mediaType: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The format that Content-Type names. Without a Content-Type, no format is assumed, because JSON Patch and
 * Merge Patch can both read the same document, with different results (RFC 5789 2.2).
 *
 * @param accepted - the header of a 415 answer that lists the formats, such as Accept-Patch
 * @throws ProblemError 415
 */
export function chosenFormat<F extends Format>(
  formats: FormatTable<F>,
  req: IncomingMessage,
  accepted: Readonly<Record<string, string>>,
): ChosenFormat<F> {
  const contentType = header(req, 'content-type');
  const parsedType = parseMediaType(contentType);
  const format = parsedType === undefined ? undefined : formats.find(parsedType.type);
  if (parsedType === undefined || format === undefined) {
    // No process warning is emitted: any client can cause this, and only the app knows whether its own
    // clients do.
    if (parsedType?.type === 'application/json' && formats.find(mergePatchType) !== undefined)
      debug(`%s: ${mergePatchForJson}`, sentTarget(req));
    throw unsupportedMediaType(contentType, formats.mediaTypes, accepted);
  }
  const { charset = 'utf-8' } = parsedType.parameters;
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupportedCharset(charset, accepted);
  return { format, mediaType: parsedType.type, parameters: parsedType.parameters };
}

export interface Content {
  readonly bytes: Buffer;
  /**
   * Whether these are the bytes that were sent; false if a middleware of the app has decoded or parsed them.
   */
  readonly isAsSent: boolean;
  /**
   * The numbers that a middleware of the app may have rounded when it parsed them. From 2^53 on, the number
   * itself does not show that. From 10^21 on, the client's `JSON.stringify` prints an exponent, so no digit
   * was lost.
   */
  readonly roundable: ReadonlySet<number>;
}

/** Reads the content of a request. */
export type ReadContent = (req: IncomingMessage) => Promise<Content>;

/**
 * Creates the function that reads the content of requests, and loads the packages that it needs.
 *
 * A content coding is refused before the body is read: the coded bytes decide how much decoding costs, so
 * limits on the size of either form do not bound the cost. The app can decode the body in front, within its
 * own limits.
 *
 * Only the state of the stream shows whether a body parser of the app ran first: on Express 4
 * `express.json()` leaves `{}` in `req.body` for types that it does not read, and a merge patch of `{}` would
 * silently do nothing.
 *
 * @param limits - depth is checked here only for bodies that the app has parsed, as parsers check what they
 *   parse themselves
 * @returns a function that rejects with a ProblemError: 415 for a content coding, 413 over a limit, 400 for a
 *   body that is cut short or that a middleware has parsed to NaN; or with NotJsonError for a value that no
 *   client can send
 */
export function createContentReader(limits: Pick<PatchLimits, 'bytes' | 'depth'>): ReadContent {
  const readStream = require('raw-body') as typeof rawBody;
  return async (req) => {
    const coding = header(req, 'content-encoding');
    if (!req.readableDidRead && isCoded(coding)) throw unsupportedCoding(coding ?? '');
    // The stream of an empty body ends without being read.
    if (!req.readableDidRead && !req.readableEnded) {
      return { bytes: await bytesSent(req, readStream, limits.bytes), isAsSent: true, roundable: new Set() };
    }
    const body: unknown = 'body' in req ? req.body : undefined;
    const bytes = bytesLeftBy(req, body, limits.depth);
    if (bytes.length > limits.bytes) throw contentTooLarge(limits.bytes);
    // A body parser that decodes leaves the header as it is.
    const isParsed = bytes !== body && typeof body !== 'string';
    const roundable = new Set(isParsed ? roundableNumbers(body) : []);
    return { bytes, isAsSent: bytes === body && !isCoded(coding), roundable };
  };
}

/**
 * Whether a Content-Encoding header names a coding (RFC 9110 8.4). A list that is too long counts as a
 * coding. Empty elements are ignored (5.6.1.2), and so is `identity`, which SHOULD NOT be sent here (8.4) and
 * means no encoding (12.5.3).
 */
export function isCoded(field: string | undefined): boolean {
  return parseFieldList(field)?.every((coding) => coding.toLowerCase() === 'identity') !== true;
}

async function bytesSent(req: IncomingMessage, readStream: typeof rawBody, limit: number): Promise<Buffer> {
  if (Number(header(req, 'content-length')) > limit) throw contentTooLarge(limit);
  if (req.destroyed) throw brokenBody(clientGone());
  try {
    return await readStream(req, { limit });
  } catch (error) {
    const type = isObject(error) && 'type' in error ? String(error.type) : '';
    if (type === 'entity.too.large') throw contentTooLarge(limit);
    // raw-body's `stream.*`: the app has changed the stream, so the client did nothing wrong.
    if (type.startsWith('stream.')) throw error;
    throw brokenBody(error);
  }
}

/**
 * The bytes of a body that the app's own parser has read: a Buffer, a string or a parsed JSON value. A string
 * is taken for the text that `express.text()` leaves, although a string that
 * `express.json({ strict: false })` has parsed looks the same.
 *
 * @param depth - the deepest nesting accepted. Unlike `JSON.parse` in a body parser, `JSON.stringify` runs
 *   out of stack at a few thousand levels
 */
function bytesLeftBy(req: IncomingMessage, body: unknown, depth: number): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body);
  if (body === undefined) {
    // An empty body that was not parsed: the patch parser reports that the document is empty.
    if (!req.readableDidRead) return Buffer.alloc(0);
    throw new Error(
      `The body of a ${req.method} was already read before its handler ran, and req.body is undefined. ` +
        'Mount the route before the middleware that reads it, or make that middleware leave ' +
        'a Buffer, a string or parsed JSON in req.body.',
    );
  }
  if (isForm(req)) {
    throw new Error(
      `The form in the body of a ${req.method} was already parsed before its handler ran, ` +
        'for example by express.urlencoded(), and cannot be read again. ' +
        'Mount the route before the middleware that parses it.',
    );
  }
  if (isDeeperThan(depth, body)) throw contentTooDeep(depth);
  const text = JSON.stringify(toJson(body, (what, pointer) => notJson(req, what, pointer)));
  return Buffer.from(emptyBodyTexts.includes(text) && mayBeEmpty(req) ? '' : text);
}

/**
 * NaN and Infinity are mistakes of the client: a middleware makes NaN of a text that should be a number, and
 * `JSON.parse` makes Infinity of 1e400. A Map or a function is a mistake of the app, because no client can
 * send one.
 */
function notJson({ method }: IncomingMessage, what: string, pointer: string): Error {
  const message = sayNotJson('The body that a middleware has parsed', what, pointer);
  if (!failedConversions.includes(what)) return new NotJsonError(message, { pointer });
  const code = method === 'PUT' ? 'representation-malformed' : 'patch-malformed';
  return new PatchError(code, message, pointerMember(pointer));
}

const failedConversions: readonly string[] = ['NaN', 'Infinity', '-Infinity', 'an invalid Date'];

function roundableNumbers(value: unknown, found: number[] = []): number[] {
  if (typeof value === 'number' && Math.abs(value) >= 2 ** 53 && Math.abs(value) < 1e21) found.push(value);
  else if (isContainer(value)) for (const child of childValues(value)) roundableNumbers(child, found);
  return found;
}

/** Whether a form parser has read the body: its result is not JSON. */
function isForm(req: IncomingMessage): boolean {
  return parseMediaType(header(req, 'content-type'))?.type === 'application/x-www-form-urlencoded';
}

/**
 * The values that body parsers leave for an empty body. `express.json()` leaves `{}`, which would be an
 * unintended no-op as a merge patch; other parsers leave null, which would replace the whole resource as a
 * PUT or a merge patch.
 */
const emptyBodyTexts: readonly unknown[] = ['{}', 'null'];

/**
 * Only an uncoded body with a length above 0 proves that the client itself sent the value that body parsers
 * also leave for an empty body. Without this proof, the request is refused.
 */
function mayBeEmpty(req: IncomingMessage): boolean {
  return !(Number(header(req, 'content-length')) > 0) || isCoded(header(req, 'content-encoding'));
}
