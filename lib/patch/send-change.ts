import type { ServerResponse } from 'node:http';
import { returnPreference } from '../http/prefer';
import { thrownText } from '../http/thrown-text';
import { pathOf } from '../http/target-path';
import type { Stored } from '../stores/resource-store';
import type { Committed } from './commit';
import type { Outcome } from './outcome';
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
  { before, after, proposal: { content, preference } }: Committed<T, PreparedChange<T>>,
): void {
  // A time limit of the host's has answered during the write: the change stands, and cannot be told any more.
  if (res.headersSent) return;
  const tag = after === undefined ? undefined : tagOfWritten(settings, after);
  const status = content === undefined ? 204 : 200;
  setHead(req, res, location, { status: before === undefined ? 201 : status, tag });
  if (preference !== undefined) res.setHeader('Preference-Applied', `return=${preference}`);
  if (content !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (res.statusCode !== 204) res.setHeader('Content-Length', Buffer.byteLength(content ?? ''));
  res.end(content);
}

/** Answers a repeat as the first request was, without content: a 200 becomes 204. */
export function sendOutcome(
  req: PatchRequest,
  res: ServerResponse,
  location: string,
  { status, tag }: Outcome,
): void {
  if (res.headersSent) return;
  setHead(req, res, location, { status, tag });
  if (returnPreference(req.headers.prefer?.toString()) === 'minimal') {
    res.setHeader('Preference-Applied', 'return=minimal');
  }
  if (status === 201) res.setHeader('Content-Length', 0);
  res.end();
}

function setHead(
  req: PatchRequest,
  res: ServerResponse,
  location: string,
  { status, tag }: { status: number; tag: string | undefined },
): void {
  res.statusCode = status;
  if (tag !== undefined) res.setHeader('ETag', tag);
  res.setHeader('Content-Location', location);
  // RFC 9110 15.3.2: without Location, the resource created is the target itself.
  if (status === 201 && location !== pathOf(req.originalUrl)) res.setHeader('Location', location);
}

/** The change is made: a fault in the host's `entityTag` must not answer that it is not. */
function tagOfWritten<T>(settings: PatchSettings<T>, written: Stored<T>): string | undefined {
  try {
    return settings.tagOf(written);
  } catch (error) {
    process.emitWarning(
      `A PATCH was committed, and is answered without ETag, as the option entityTag failed: ${thrownText(error)}`,
      {
        code: 'PATCH_OPTIONS_ENTITY_TAG',
      },
    );
    return undefined;
  }
}
