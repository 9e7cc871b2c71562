import type { ServerResponse } from 'node:http';
import { errorToHandOn, thrownText } from '../app-callbacks';
import type { Next } from './middleware';

/**
 * Hands on what was thrown after the handler had returned, to the app's error handler. What `next` itself throws then has no
 * caller left to catch it: the process is warned, and the request ended.
 */
export function handOn(thrown: unknown, res: ServerResponse, next: Next): void {
  try {
    next(errorToHandOn(thrown));
  } catch (error) {
    const warning = `next() threw, and the request was ended: ${thrownText(error)}`;
    process.emitWarning(warning, { code: 'PATCH_OPTIONS_NEXT' });
    if (res.headersSent) {
      res.destroy();
    } else {
      res.statusCode = 500;
      res.end();
    }
  }
}
