import type { ServerResponse } from 'node:http';
import { falsePrecondition } from '../http/check-preconditions';
import type { Middleware } from '../http/middleware';
import { createHandler } from '../request/exchange';
import { readPermitted } from '../patch/permission';
import type { PatchSettings } from '../patch/options/settings';
import { targetNotFound } from '../patch/problems';
import { createRepresentation } from '../patch/representation';

/**
 * The handler of GET and HEAD: the stored value, under the entity tag that all other methods compare.
 *
 * It ignores the Cache-Control of requests: fetch adds `no-cache` to a request with If-None-Match, and that
 * is meant for caches, not for the origin server (RFC 9111 5.2.1.4).
 */
export function createGet<T>(settings: PatchSettings<T>): Middleware {
  const { states } = settings;

  return createHandler(settings, ['GET', 'HEAD'], async ({ req, res, client }) => {
    const key = settings.readKey(req);
    if (key === undefined) throw targetNotFound();
    const { stored: state } = await readPermitted(settings, key, { req, client });
    if (state === undefined) throw targetNotFound();

    const validators = settings.createValidators(state, req);
    const refusal = falsePrecondition(req, () => validators, settings, true);
    if (refusal !== undefined && refusal.status !== 304) throw refusal;
    if (refusal === undefined) states.assertShown(state);
    const content =
      refusal === undefined ? await createRepresentation(settings, state.value, req) : undefined;

    const { tag } = validators;

    // A time limit of the app has answered meanwhile.
    if (res.headersSent) return;
    res.setHeader('ETag', tag);
    setLastModified(res, validators.modified);
    if (content === undefined) {
      res.statusCode = 304;
      res.end();
      return;
    }
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Length', Buffer.byteLength(content));
    res.end(content);
  });
}

/**
 * RFC 9110 8.8.2.1: Last-Modified must not be later than Date. The clock of an engine can be ahead, and Node
 * can send a Date that is a second old, so one that could be earlier is set here.
 */
function setLastModified(res: ServerResponse, modified: Date | undefined): void {
  const time = modified?.getTime() ?? NaN;
  if (Number.isNaN(time)) return;
  const now = Date.now();
  if (time > now - 2_000 && !res.hasHeader('Date')) res.setHeader('Date', new Date(now).toUTCString());
  res.setHeader('Last-Modified', new Date(Math.min(time, now)).toUTCString());
}
