import type { IncomingMessage, ServerResponse } from 'node:http';
import { header } from './header';
import { assertSendable } from './pass-error';
import { isObject } from '../config/object';
import { assertStatus, type ProblemError } from './problem';
import { addNames } from './response-head';

// The answer is sent at once, even while the client is still sending. The response is ended only after the
// rest of the request was read and dropped, up to a limit: otherwise a connection that is to be closed would
// be reset during the client's upload, before the client has read the answer. A 304 has no content; for HEAD,
// Node itself sends none.

/**
 * Answers a request with a problem document, `application/problem+json` (RFC 9457), and ends the response.
 *
 * @param error - the status, headers and content of the answer
 * @throws an error if the problem cannot be sent, before anything is set
 */
export function sendProblem(res: ServerResponse, error: ProblemError): void {
  const { status, headers, problem } = error;
  const content = JSON.stringify(problem);
  sendContent(res, { status, headers, mediaType: 'application/problem+json', content });
}

/** An answer that refuses a request. */
interface RefusalContent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string;
  readonly content: string;
}

/** @throws an error if the answer cannot be sent, before anything is set */
export function sendContent(
  res: ServerResponse,
  { status, headers, mediaType, content }: RefusalContent,
): void {
  // The parts that can throw for an app's problem come first: a status that was already set would stay for
  // the error that follows.
  const length = Buffer.byteLength(content);
  assertStatus(status);
  assertSendable(headers);
  for (const [name, value] of Object.entries(headers)) {
    if (/^(?:vary|access-control-expose-headers)$/i.test(name)) addNames(res, name, value);
    else res.setHeader(name, value);
  }
  res.statusCode = status;
  // RFC 9110 6.4.1, 15.3.6: these have no content, and 204 and 304 have no Content-Length either.
  if ([204, 205, 304].includes(status)) {
    res.end();
    return;
  }
  res.setHeader('Content-Type', mediaType);
  res.setHeader('Content-Length', length);
  const { req } = res;
  if (!isStillSending(req)) {
    res.end(content);
    return;
  }
  res.write(content);
  drain(req, () => res.end());
}

/** An HTTP/2 request can have content without a header that announces it. */
function isStillSending(req: IncomingMessage): boolean {
  const [length = '0', coding] = [header(req, 'content-length'), header(req, 'transfer-encoding')];
  return !req.complete && (req.httpVersionMajor >= 2 || coding !== undefined || length !== '0');
}

/** The limits of reading and dropping a request after a refusal, before the connection is closed. */
const bounds = { bytes: 16_777_216, milliseconds: 5_000 };

/**
 * Reads and drops the rest of a request, and calls `done` once, when the request has ended or a limit is
 * reached. After that the connection is not read any further, so the limits bound the cost of a refused
 * upload.
 */
function drain(req: IncomingMessage, done: () => void): void {
  let dropped = 0;
  const drop = (chunk: Buffer): void => {
    dropped += chunk.length;
    if (dropped > bounds.bytes) giveUp();
  };
  const finish = (): void => {
    clearTimeout(timer);
    req.off('data', drop).off('end', finish).off('close', finish);
    done();
  };
  const giveUp = (): void => {
    finish();
    req.pause();
    if (!closeStream(req)) req.socket.destroySoon();
  };
  const timer = setTimeout(giveUp, bounds.milliseconds);
  req.on('data', drop).once('end', finish).once('close', finish);
  req.resume();
}

/**
 * Closes the stream of an HTTP/2 request after its response, but not the connection, which has other
 * requests, possibly of other clients of a proxy (RFC 9113 8.1).
 *
 * @returns false for HTTP/1
 */
function closeStream(req: IncomingMessage): boolean {
  const stream: unknown = req.httpVersionMajor < 2 ? undefined : Reflect.get(req, 'stream');
  if (!isClosable(stream)) return false;
  stream.close();
  return true;
}

function isClosable(value: unknown): value is { readonly close: () => void } {
  return isObject(value) && 'close' in value && typeof value.close === 'function';
}
