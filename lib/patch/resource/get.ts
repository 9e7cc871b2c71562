import type { ServerResponse } from 'node:http';
import { preconditionRefusal, isSecondOver } from '../../http/preconditions';
import type { Middleware } from '../../http/middleware';
import { createHandler } from '../create-handler';
import type { PatchSettings } from '../settings';
import { targetNotFound } from '../refusals';
import { createRepresentation, readPermitted } from '../target';

/**
 * The handler of GET and HEAD: the stored value, under the entity tag that all other methods compare.
 *
 * It ignores the Cache-Control of requests: fetch adds `no-cache` to a request with If-None-Match, but this
 * is meant for caches, not for the origin server (RFC 9111 5.2.1.4).
 */
export function createGet<T>(settings: PatchSettings<T>): Middleware {
  return createHandler(settings, ['GET', 'HEAD'], async ({ req, res, client }) => {
    const key = settings.readKey(req);
    if (key === undefined) throw targetNotFound();
    // The time is taken before the state is read, because a later write must not have the same date.
    const readAt = Date.now();
    const { current: state } = await readPermitted(settings, key, req, client.context({}));
    if (state === undefined) throw targetNotFound();

    const validators = settings.createValidators(state, req);
    const refusal = preconditionRefusal(req, () => validators, settings.options, true);
    if (refusal !== undefined && refusal.status !== 304) throw refusal;
    const content =
      refusal === undefined ? await createRepresentation(settings, state.value, req) : undefined;

    const { tag } = validators;

    // A time limit of the app has answered meanwhile.
    if (res.headersSent) return;
    res.setHeader('ETag', tag);
    setLastModified(res, validators.modified, readAt);
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
 * Two writes in one second have the same date, with which If-Unmodified-Since would let a client overwrite
 * the second write. So the date is left out until its second is over (RFC 9110 8.8.2.2), also if the clock of
 * the engine is ahead.
 *
 * It must not be later than Date (8.8.2.1). Node can send a Date that is some seconds old, so Date is set
 * here.
 */
function setLastModified(res: ServerResponse, modified: Date | undefined, readAt: number): void {
  if (modified === undefined || !isSecondOver(modified.getTime(), readAt)) return;
  const now = Date.now();
  if (modified.getTime() > now - 5_000 && !res.hasHeader('Date'))
    res.setHeader('Date', new Date(now).toUTCString());
  res.setHeader('Last-Modified', modified.toUTCString());
}
