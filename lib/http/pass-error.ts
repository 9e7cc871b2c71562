import type { ServerResponse } from 'node:http';
import { toPassableError } from './passable-error';
import { emitWarning } from '../config/process-warning';
import { nameThrown } from '../config/shown-text';
import type { Next } from './middleware';

/**
 * Passes what was thrown after the handler had returned to the app's error handler. If `next` itself throws,
 * no caller can catch that any more: a process warning is emitted, and the request is ended.
 */
export function passError(thrown: unknown, res: ServerResponse, next: Next): void {
  try {
    next(toPassableError(thrown));
  } catch (error) {
    emitWarning('PATCH_OPTIONS_NEXT', `next() threw, so the request was ended: ${nameThrown(error)}`);
    if (res.headersSent) {
      res.destroy();
    } else {
      res.statusCode = 500;
      res.end();
    }
  }
}
