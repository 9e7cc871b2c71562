import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemError } from './problem';

// The answer leaves at once, also while the client is still sending. The response is ended only when the rest of the
// request has been read and dropped, up to a bound: ended earlier, a connection that is to be closed would be reset under
// the client's upload, before it has read why. A 304 has no content; to HEAD, Node itself sends none.

/** Ends a response with a problem, as `application/problem+json`. */
export function sendProblem(res: ServerResponse, error: ProblemError): void {
  // First what can throw, of a problem of the app's: a response that has its status already would keep it for the fault.
  const content = JSON.stringify(error.problem);
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  res.statusCode = error.status;
  if (error.status === 304) {
    res.end();
    return;
  }
  res.setHeader('Content-Type', 'application/problem+json');
  res.setHeader('Content-Length', Buffer.byteLength(content));
  const { req } = res;
  if (!isStillSending(req)) {
    res.end(content);
    return;
  }
  res.write(content);
  drain(req, () => res.end());
}

function isStillSending(req: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers;
  return !req.complete && (coding !== undefined || length !== '0');
}

/** What is read and dropped after a refusal before the connection is given up. */
const bounds = { bytes: 16_777_216, milliseconds: 5_000 };

/**
 * Reads the rest of a request and drops it; calls `done` once, when the request has ended or the bounds are reached.
 * Beyond them the connection is not read any further, so a refused upload costs what the bounds say.
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
    req.socket.destroySoon();
  };
  const timer = setTimeout(giveUp, bounds.milliseconds);
  req.on('data', drop).once('end', finish).once('close', finish);
  req.resume();
}
