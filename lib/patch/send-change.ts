import type { ServerResponse } from 'node:http';
import { returnPreference } from '../http/prefer';
import { pathOf } from '../http/target-path';
import type { Committed } from './commit';
import type { PatchRequest } from './patch-handler-options';
import type { PatchSettings } from './patch-settings';
import type { PreparedChange } from './proposal';

/**
 * Answers a change that was made: 204, 200 with the representation, 201 where the resource was created. Nothing here
 * makes the answer cacheable (RFC 5789 2).
 *
 * Content-Location says that what is enclosed, or on a 204 the ETag, is that of the resource at this path, so that a
 * client may use it as if it had come from GET (RFC 9110 8.7).
 */
export function sendChange<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  res: ServerResponse,
  location: string,
  { before, after, proposal: { content } }: Committed<T, PreparedChange<T>>,
): void {
  const preference = returnPreference(req.headers.prefer?.toString());
  if (after !== undefined) res.setHeader('ETag', settings.tagOf(after));
  res.setHeader('Content-Location', location);
  if (preference !== undefined) res.setHeader('Preference-Applied', `return=${preference}`);

  if (before === undefined) {
    res.statusCode = 201;
    // RFC 9110 15.3.2: without Location, the resource created is the target itself.
    if (location !== pathOf(req.originalUrl)) res.setHeader('Location', location);
  } else {
    res.statusCode = content === undefined ? 204 : 200;
  }
  if (content !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (res.statusCode !== 204) res.setHeader('Content-Length', Buffer.byteLength(content ?? ''));
  res.end(content);
}
