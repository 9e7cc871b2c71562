import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import readStream from 'raw-body';
import { tellOnce } from '../app-callbacks';
import { isObject } from '../configuration';
import { contentCodings } from '../http/content-coding';
import { ProblemError } from '../http/problem';
import { isDeeperThan } from '../parsers/json/value';
import type { PatchLimits } from '../parsers/patch-parser';
import { gone } from './client';
import * as problems from './problems';

/** RFC 9110 8.4.1: the content codings that are undone; `x-gzip` is the old name of `gzip`. */
const decoders = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);
const acceptEncoding = 'gzip, deflate, br';

/** What a request has sent as its content. */
export interface Content {
  /** With the content coding undone. */
  readonly bytes: Buffer;
  /** Byte for byte what was sent, but for the coding: not where a body parser of the app's has made something else of it. */
  readonly isAsSent: boolean;
}

/**
 * The content that a request sends, its content coding undone.
 *
 * Whether a body parser of the host was there first, the stream tells and nothing else: on Express 4 `express.json()`
 * leaves `{}` in `req.body` for types that it does not read, and a merge patch of `{}` would silently do nothing.
 *
 * @param limits - bytes are counted after the coding is undone, so that a compressed bomb costs no more than that; depth
 * counts here for what was parsed already, as parsers look at what they parse themselves
 * @throws ProblemError 415 for another coding, 413 over a limit, 400 for a body that is broken or cut short
 */
export async function readContent(
  req: IncomingMessage,
  limits: Pick<PatchLimits, 'bytes' | 'depth'>,
): Promise<Content> {
  // An empty body is never read, but ended.
  if (!req.readableDidRead && !req.readableEnded) {
    return { bytes: await bytesIn(req, limits.bytes), isAsSent: true };
  }
  const body: unknown = 'body' in req ? req.body : undefined;
  const bytes = bytesLeftBy(req, body, limits.depth);
  if (bytes.length > limits.bytes) throw problems.contentTooLarge(limits.bytes);
  return { bytes, isAsSent: bytes === body };
}

function bytesIn(req: IncomingMessage, limit: number): Promise<Buffer> {
  const newDecoder = decoderOf(req);
  // What a coding adds to a small document is no reason to refuse it; no coding doubles one.
  const most = newDecoder === undefined ? limit : 2 * limit + 1_024;
  if (Number(req.headers['content-length']) > most) throw problems.contentTooLarge(limit);
  if (req.destroyed && !req.complete) throw problems.brokenBody(gone());
  return newDecoder === undefined ? bytesOf(req, limit) : bytesThrough(newDecoder(), req, limit, most);
}

/**
 * @returns undefined where the body has no coding
 * @throws ProblemError 415 for a coding that is not undone, and for several in a row, as RFC 9110 8.4 leaves to the server:
 * between the two the data may be a thousand times larger than what is sent, or than what comes out, and the limit would not
 * bound it
 */
function decoderOf({ headers }: IncomingMessage): (() => Duplex) | undefined {
  const { 'content-encoding': field } = headers;
  const codings = contentCodings(field);
  if (codings?.length === 0) return undefined;
  const [coding = '', ...more] = codings ?? [];
  const newDecoder = more.length === 0 ? decoders.get(coding) : undefined;
  if (newDecoder === undefined) throw problems.unsupportedCoding(field ?? '', acceptEncoding);
  return newDecoder;
}

/** @param most - the bytes that are read before the coding is undone: a stream of empty blocks inflates to nothing */
async function bytesThrough(
  decoder: Duplex,
  req: IncomingMessage,
  limit: number,
  most: number,
): Promise<Buffer> {
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > most) decoder.destroy(problems.contentTooLarge(limit));
  };
  const abandon = (): void => {
    if (!req.complete) decoder.destroy(gone());
  };
  try {
    // Not stream.pipeline: where the decoder fails, that would destroy the request, and with it the way to answer.
    req.on('data', count).once('close', abandon).pipe(decoder);
    return await bytesOf(decoder, limit);
  } finally {
    req.off('data', count).off('close', abandon).unpipe(decoder);
    decoder.destroy();
  }
}

async function bytesOf(stream: Readable, limit: number): Promise<Buffer> {
  try {
    return await readStream(stream, { limit });
  } catch (error) {
    const type = isObject(error) && 'type' in error ? String(error.type) : '';
    if (type === 'entity.too.large') throw problems.contentTooLarge(limit);
    // raw-body's `stream.*`: the host has tampered with the stream. The client did nothing wrong.
    if (error instanceof ProblemError || type.startsWith('stream.')) throw error;
    throw problems.brokenBody(error);
  }
}

/**
 * What the host's own parser made of the body, as bytes again: a Buffer, a string or a parsed JSON value. A string is taken
 * as `express.text()` leaves it: nothing tells it from one that `express.json({ strict: false })` has parsed.
 *
 * @param depth - the levels of nesting that are taken. `JSON.stringify` runs out of stack at some thousands, which
 * `JSON.parse` in a body parser does not
 */
function bytesLeftBy(req: IncomingMessage, body: unknown, depth: number): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body);
  if (body === undefined) {
    // An empty body that nobody parsed: the document is empty, which is for the parser to say.
    if (!req.readableDidRead) return Buffer.alloc(0);
    throw new Error(
      `The body of a ${req.method} was read before its handler got it, and nothing of it was left in req.body. Mount ` +
        'the route in front of what reads it, or let that keep a Buffer, a string or parsed JSON there.',
    );
  }
  warnOfParsedBody();
  if (isDeeperThan(depth, body)) throw problems.contentTooDeep(depth);
  const text = JSON.stringify(body);
  return Buffer.from(text === '{}' && mayBeEmpty(req) ? '' : text);
}

const warnOfParsedBody = tellOnce(
  'PATCH_OPTIONS_BODY_PARSED',
  'A request body was already parsed when the handler of its route got it, as by express.json(). Duplicate member names ' +
    'cannot be detected there, as the parser has kept the last of each, and a PUT is answered without ETag. Mount the ' +
    "route before the body parser, or narrow the parser's type option so that it does not match what the route takes.",
);

/**
 * `express.json()` makes `{}` of an empty body, which as a merge patch would be a no-op that nobody sent. Only a length
 * above 0, uncoded, tells that `{}` was sent; where it does not, a no-op is refused rather than an empty body obeyed.
 */
function mayBeEmpty({ headers }: IncomingMessage): boolean {
  return (
    !(Number(headers['content-length']) > 0) || contentCodings(headers['content-encoding'])?.length !== 0
  );
}
