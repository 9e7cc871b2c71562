import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** As the options' functions see it: `req.params.id` is `string | undefined`. */
export type PatchRequest = Request<Record<string, string>>;

/** Express and `router` give every request that a route gets its params. */
export function isRouted(req: IncomingMessage): req is PatchRequest {
  return 'params' in req;
}
