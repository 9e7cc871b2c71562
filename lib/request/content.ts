import { constants } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type zlib from 'node:zlib';
import type rawBody from 'raw-body';
import { tellOnce } from '../config/app-callbacks';
import { isObject } from '../config/object';
import { parseMediaType } from '../http/media-type';
import { isDeeperThan } from '../json/value';
import type { PatchLimits } from '../formats/patch-parser';
import { clientGone } from './client';
import * as problems from './problems';
import { parseFieldList } from '../http/field-list';

/**
 * Decodes a whole body. With `info`, which Node's types do not know, it returns the decoder beside the bytes.
 */
type Decode = (sent: Buffer, options: { readonly info: true; readonly maxOutputLength: number }) => unknown;

const acceptEncoding = 'gzip, deflate, br';
/** The most that zlib takes for a limit. */
const longest = constants.MAX_LENGTH;

/** The content of a request. */
export interface Content {
  /** After content decoding. */
  readonly bytes: Buffer;
  /**
   * Whether these are the bytes that were sent. False if they were decoded, or if a body parser has parsed
   * them.
   */
  readonly isAsSent: boolean;
}

/** What reads the content of requests. */
export type ReadContent = (req: IncomingMessage) => Promise<Content>;

/**
 * Makes what reads and decodes the content of requests, and loads what that needs.
 *
 * Only the state of the stream shows whether a body parser of the app ran first: on Express 4
 * `express.json()` leaves `{}` in `req.body` for types that it does not read, and a merge patch of `{}` would
 * silently do nothing.
 *
 * @param limits - bytes are counted after decoding, which bounds the cost of a compression bomb; depth is
 *   checked here only for bodies that the app has parsed, as parsers check what they parse themselves
 * @returns a function that rejects with a ProblemError: 415 for another coding, 413 over a limit, 400 for a
 *   body that is corrupt or cut short
 */
export function createContentReader(limits: Pick<PatchLimits, 'bytes' | 'depth'>): ReadContent {
  const readStream = require('raw-body') as typeof rawBody;
  const codings = supportedCodings();
  return async (req) => {
    // The stream of an empty body ends without being read.
    if (!req.readableDidRead && !req.readableEnded) {
      const decode = readCoding(req, codings);
      const sent = await bytesSent(req, readStream, limits.bytes, decode !== undefined);
      const bytes = decode === undefined ? sent : decoded(decode, sent, limits.bytes);
      return { bytes, isAsSent: !isCoded(req) };
    }
    const body: unknown = 'body' in req ? req.body : undefined;
    const bytes = bytesLeftBy(req, body, limits.depth);
    if (bytes.length > limits.bytes) throw problems.contentTooLarge(limits.bytes);
    return { bytes, isAsSent: bytes === body && !isCoded(req) };
  };
}

/** RFC 9110 8.4.1; `x-gzip` is the old name of `gzip`. */
function supportedCodings(): ReadonlyMap<string, Decode> {
  const { brotliDecompressSync, gunzipSync, inflateSync } = require('node:zlib') as typeof zlib;
  return new Map<string, Decode>([
    ['gzip', gunzipSync],
    ['x-gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
  ]);
}

function isCoded({ headers }: IncomingMessage): boolean {
  return contentCodings(headers['content-encoding'])?.length !== 0;
}

/**
 * @returns undefined if the body has no coding
 * @throws ProblemError 415 for an unsupported coding, and for several in a row, which RFC 9110 8.4 allows:
 *   the data between two codings can be a thousand times larger than the sent or the decoded body, so the
 *   limit would not bound it
 */
function readCoding({ headers }: IncomingMessage, codings: ReadonlyMap<string, Decode>): Decode | undefined {
  const { 'content-encoding': field } = headers;
  const named = contentCodings(field);
  if (named?.length === 0) return undefined;
  const [coding = '', ...more] = named ?? [];
  const decode = more.length === 0 ? codings.get(coding) : undefined;
  if (decode === undefined) throw problems.unsupportedCoding(field ?? '', acceptEncoding);
  return decode;
}

/**
 * Decodes a complete body at once. As it arrives, a body of a few bytes that never ends would hold a decoder
 * of a megabyte, and so would each of many that are decoded side by side. It takes less time than parsing
 * what comes of it.
 */
function decoded(decode: Decode, sent: Buffer, limit: number): Buffer {
  let result: unknown;
  try {
    result = decode(sent, { info: true, maxOutputLength: Math.min(Math.max(1, limit), longest) });
  } catch (error) {
    if (isObject(error) && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw problems.contentTooLarge(limit);
    throw problems.brokenBody(error);
  }
  const { buffer, engine } = result as { buffer: Buffer; engine: zlib.Zlib };
  // Unlike gzip, brotli and deflate end without an error if other bytes follow.
  if (engine.bytesWritten < sent.length) throw problems.brokenBody(undefined);
  if (buffer.length > limit) throw problems.contentTooLarge(limit);
  return buffer;
}

async function bytesSent(
  req: IncomingMessage,
  readStream: typeof rawBody,
  limit: number,
  isEncoded: boolean,
): Promise<Buffer> {
  // A coding can make a small document larger, but never twice as large, which is no reason to refuse it.
  const most = isEncoded ? 2 * limit + 1_024 : limit;
  if (Number(req.headers['content-length']) > most) throw problems.contentTooLarge(limit);
  if (req.destroyed && !req.complete) throw problems.brokenBody(clientGone());
  try {
    return await readStream(req, { limit: most });
  } catch (error) {
    const type = isObject(error) && 'type' in error ? String(error.type) : '';
    if (type === 'entity.too.large') throw problems.contentTooLarge(limit);
    // raw-body's `stream.*`: the app has changed the stream, so the client did nothing wrong.
    if (type.startsWith('stream.')) throw error;
    throw problems.brokenBody(error);
  }
}

/**
 * The bytes of a body that the app's own parser has read: a Buffer, a string or a parsed JSON value. A string
 * is taken as the text that `express.text()` leaves; one that `express.json({ strict: false })` has parsed
 * looks the same.
 *
 * @param depth - the deepest nesting accepted. Unlike `JSON.parse` in a body parser, `JSON.stringify` runs
 *   out of stack at some thousand levels
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
  warnOfParsedBody();
  if (isDeeperThan(depth, body)) throw problems.contentTooDeep(depth);
  const text = JSON.stringify(body);
  return Buffer.from(ofEmptyBodies.includes(text) && mayBeEmpty(req) ? '' : text);
}

/**
 * What a form parser leaves is not JSON: as JSON text, a query format for forms would find no member in it.
 */
function isForm({ headers }: IncomingMessage): boolean {
  return parseMediaType(headers['content-type'])?.type === 'application/x-www-form-urlencoded';
}

const warnOfParsedBody = tellOnce(
  'PATCH_OPTIONS_BODY_PARSED',
  'A request body was already parsed before its handler ran, for example by express.json(). ' +
    'Duplicate member names are not detected, and PUT is answered without an ETag. ' +
    "Mount the route before the body parser, or narrow the parser's type option " +
    'so that it does not match the media types of the route.',
);

/**
 * What body parsers leave for an empty body: `express.json()` leaves `{}`, which as a merge patch would be an
 * unintended no-op, and others null, which as a PUT or a merge patch would replace the whole resource.
 */
const ofEmptyBodies: readonly unknown[] = ['{}', 'null'];

/**
 * Only an uncoded body with a length above 0 proves that the client sent what body parsers also leave for an
 * empty one. If there is no such proof, the request is refused.
 */
function mayBeEmpty(req: IncomingMessage): boolean {
  return !(Number(req.headers['content-length']) > 0) || isCoded(req);
}

/**
 * The codings in a Content-Encoding header, in lower case, in the order in which they were applied (RFC 9110
 * 8.4). Empty elements are ignored (5.6.1.2), and so is `identity`, which SHOULD NOT be sent here (8.4) and
 * means no encoding (12.5.3).
 *
 * @returns undefined if the list exceeds the limits of `parseFieldList`
 */
export function contentCodings(field: string | undefined): string[] | undefined {
  return parseFieldList(field)
    ?.map((coding) => coding.toLowerCase())
    .filter((coding) => coding !== 'identity');
}
