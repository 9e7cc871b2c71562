import type { ServerResponse } from 'node:http';
import type { ProblemError } from './problem';

/**
 * Ends a response with a problem: its status, its header fields and, as `application/problem+json`, its document.
 * A 304 (from `checkPreconditions` on GET) has no content; to HEAD, Node itself sends none.
 */
export function sendProblem(res: ServerResponse, error: ProblemError): void {
  res.statusCode = error.status;
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  if (error.status === 304) {
    res.end();
    return;
  }
  const content = JSON.stringify(error.problem);
  res.setHeader('Content-Type', 'application/problem+json');
  res.setHeader('Content-Length', Buffer.byteLength(content));
  res.end(content);
}
