import type { IncomingMessage, ServerResponse } from 'node:http';
import { drain } from './drain';
import type { ProblemError } from './problem';

// The answer leaves at once, also while the client is still sending. The response is ended only when the rest of the
// request has been read and dropped, up to a bound: ended earlier, a connection that is to be closed would be reset under
// the client's upload, before it has read why. A 304 has no content; to HEAD, Node itself sends none.

/** Ends a response with a problem, as `application/problem+json`. */
export function sendProblem(res: ServerResponse, error: ProblemError): void {
  const content = JSON.stringify(error.problem);
  res.statusCode = error.status;
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
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
