import type { Request } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Passes the request on to the next middleware or, with an error, to your app's error handler. */
export type Next = (error?: unknown) => void;

/** A middleware for Express 4, Express 5 and the standalone `router`. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;

/** The request that the functions in the options receive; `req.params.id` is `string | undefined`. */
export type PatchRequest = Request<Record<string, string>>;

/** Express and `router` set params on every request that a route handles. */
export function isRouted(req: IncomingMessage): req is PatchRequest {
  return 'params' in req;
}
