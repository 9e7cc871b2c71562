import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import readStream from 'raw-body';
import * as problems from './patch-problems';

/** RFC 9110 8.4.1: the content codings that are undone; `x-gzip` is the old name of `gzip`. */
const decoders: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
const acceptEncoding = 'gzip, deflate, br';

/**
 * The patch document's bytes, its content coding undone.
 *
 * Whether a body parser of the host was there first, the stream tells and nothing else: on Express 4 `express.json()`
 * leaves `{}` in `req.body` for types that it does not read, and a merge patch of `{}` would silently do nothing.
 *
 * @param limit - bytes, counted after the coding is undone, so that a compressed bomb costs no more than this
 * @throws ProblemError 415 for another coding, 413 over the limit, 400 for a body that is broken or cut short
 */
export async function readPatchDocument(req: IncomingMessage, limit: number): Promise<Buffer> {
  const document = wasRead(req) ? documentLeftBy(req) : await documentIn(req, limit);
  if (document.length > limit) throw problems.documentTooLarge(limit);
  return document;
}

/** An empty body is never read, but ended. */
function wasRead(req: IncomingMessage): boolean {
  return req.readableDidRead || req.readableEnded;
}

async function documentIn(req: IncomingMessage, limit: number): Promise<Buffer> {
  const coding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const newDecoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  if (newDecoder === undefined && coding !== 'identity')
    throw problems.unsupportedCoding(coding, acceptEncoding);
  if (Number(req.headers['content-length']) > limit) throw problems.documentTooLarge(limit);
  if (newDecoder === undefined) return bytesOf(req, limit);
  const decoder = newDecoder();
  try {
    // Not stream.pipeline: where the decoder fails, that would destroy the request, and with it the way to answer.
    req.pipe(decoder);
    req.once('close', () => {
      if (!req.complete) decoder.destroy(new Error('the client went away'));
    });
    return await bytesOf(decoder, limit);
  } finally {
    req.unpipe(decoder);
    decoder.destroy();
  }
}

async function bytesOf(stream: Readable, limit: number): Promise<Buffer> {
  try {
    return await readStream(stream, { limit });
  } catch (error) {
    if (hasType(error) && error.type === 'entity.too.large') throw problems.documentTooLarge(limit);
    throw problems.brokenBody(error);
  }
}

/** What the host's own parser made of the body, as bytes again: a Buffer, a string or a parsed JSON value. */
function documentLeftBy(req: IncomingMessage): Buffer {
  const body: unknown = 'body' in req ? req.body : undefined;
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body);
  if (body === undefined) {
    // An empty body that nobody parsed: the document is empty, which is for the parser to say.
    if (!req.readableDidRead) return Buffer.alloc(0);
    throw new Error(
      'The body of a PATCH was read before patchHandler, and nothing of it was left in req.body. Mount patchHandler ' +
        'in front of what reads it, or let that keep the body as a Buffer, a string or parsed JSON in req.body.',
    );
  }
  // express.json() makes {} of an empty body: as a merge patch that would be a no-op nobody sent.
  return Buffer.from(req.headers['content-length'] === '0' ? '' : JSON.stringify(body));
}

function hasType(error: unknown): error is { type: unknown } {
  return typeof error === 'object' && error !== null && 'type' in error;
}
