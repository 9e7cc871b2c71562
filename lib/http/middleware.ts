import type { IncomingMessage, ServerResponse } from 'node:http';

/** With an error: goes on to the host's error handler. */
export type Next = (error?: unknown) => void;

/** Fits Express 4, Express 5 and the standalone `router`. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;
