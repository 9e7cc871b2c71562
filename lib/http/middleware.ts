import type { IncomingMessage, ServerResponse } from 'node:http';

/** Passes the request on to the next middleware or, with an error, to your app's error handler. */
export type Next = (error?: unknown) => void;

/** A middleware for Express 4, Express 5 and the standalone `router`. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;
