import { falsePrecondition } from '../http/check-preconditions';
import type { Middleware } from '../http/middleware';
import { createHandler } from '../request/exchange';
import type { PatchSettings } from '../patch/options/settings';
import { notPermitted, targetNotFound } from '../patch/problems';
import { createRepresentation } from '../patch/representation';
import { checkedState } from '../stores/contract/check-result';

/**
 * The handler of GET and HEAD: the stored value, under the entity tag that all other methods compare.
 *
 * It ignores the Cache-Control of requests: fetch adds `no-cache` to a request with If-None-Match, and that
 * is meant for caches, not for the origin server (RFC 9111 5.2.1.4).
 */
export function createGet<T>(settings: PatchSettings<T>, cacheControl: string | undefined): Middleware {
  const { store, may, states } = settings;

  return createHandler(settings, ['GET', 'HEAD'], async ({ req, res, client }) => {
    const key = settings.readKey(req);
    if (key === undefined) throw targetNotFound();
    const state = checkedState('get', await store.get(key, client.context({})));
    const guardedValue = state && states.guard(state).value;
    if (may !== undefined && !(await may(req, guardedValue))) throw notPermitted(req.method);
    if (state === undefined) throw targetNotFound();

    const validators = settings.createValidators(state);
    const refusal = falsePrecondition(req, () => validators, settings, true);
    if (refusal !== undefined && refusal.status !== 304) throw refusal;
    if (refusal === undefined) states.assertShown(state);
    const content =
      refusal === undefined ? await createRepresentation(settings, state.value, req) : undefined;

    const { tag } = validators;
    const modified = lastModified(validators.modified);

    // A time limit of the app has answered meanwhile.
    if (res.headersSent) return;
    res.setHeader('ETag', tag);
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

/** RFC 9110 8.8.2.1: Last-Modified must not be later than Date, but the clock of an engine can be ahead. */
function lastModified(date: Date | undefined): string | undefined {
  const time = date?.getTime() ?? NaN;
  return Number.isNaN(time) ? undefined : new Date(Math.min(time, Date.now())).toUTCString();
}
