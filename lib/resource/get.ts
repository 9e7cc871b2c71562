import { falsePrecondition } from '../http/check-preconditions';
import type { Middleware } from '../http/middleware';
import { handlerOf } from '../request/exchange';
import type { PatchSettings } from '../patch/options/settings';
import { notPermitted, targetNotFound } from '../patch/problems';
import { representationOf } from '../patch/representation';

/**
 * The handler of GET and HEAD: what the store has, under the entity tag that every other method compares.
 *
 * A request's Cache-Control is not looked at: fetch adds `no-cache` to an If-None-Match of the page's own, and it asks caches,
 * not the origin (RFC 9111 5.2.1.4).
 */
export function getOf<T>(settings: PatchSettings<T>, cacheControl: string | undefined): Middleware {
  const { store, may } = settings;

  return handlerOf(settings, ['GET', 'HEAD'], async ({ req, res, client }) => {
    const key = settings.keyOf(req);
    if (key === undefined) throw targetNotFound();
    const state = await store.get(key, client.context({}));
    if (may !== undefined && !(await may(req, state?.value))) throw notPermitted(req.method);
    if (state === undefined) throw targetNotFound();

    const validators = settings.validatorsOf(state);
    const refusal = falsePrecondition(req, () => validators, settings, true);
    if (refusal !== undefined && refusal.status !== 304) throw refusal;
    const content = refusal === undefined ? await representationOf(settings, state.value, req) : undefined;

    // A time limit of the app's has answered meanwhile.
    if (res.headersSent) return;
    res.setHeader('ETag', validators.tag);
    const modified = lastModified(validators.modified);
    if (modified !== undefined) res.setHeader('Last-Modified', modified);
    if (cacheControl !== undefined) res.setHeader('Cache-Control', cacheControl);
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

/** RFC 9110 8.8.2.1: not later than Date, though the clock of an engine may be. */
function lastModified(date: Date | undefined): string | undefined {
  const time = date?.getTime() ?? NaN;
  return Number.isNaN(time) ? undefined : new Date(Math.min(time, Date.now())).toUTCString();
}
