import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** The request that the functions in the options receive; `req.params.id` is `string | undefined`. */
export type PatchRequest = Request<Record<string, string>>;

/** Express and `router` set params on every request that a route handles. */
export function isRouted(req: IncomingMessage): req is PatchRequest {
  return 'params' in req;
}
