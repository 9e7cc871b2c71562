import type { IncomingMessage, ServerResponse } from 'node:http';

/** Goes on to the next middleware, or with an error to the host's error handler. */
export type Next = (error?: unknown) => void;

/**
 * A middleware that needs no more than Node's own request and response, and so fits Express 4, Express 5, the
 * standalone `router` and anything else of that shape without a cast.
 */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;
