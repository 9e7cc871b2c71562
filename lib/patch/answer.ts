import type { ServerResponse } from 'node:http';
import type { ReturnPreference } from '../http/prefer';
import { thrownText } from '../app-callbacks';
import { pathOf } from '../http/target-path';
import type { Stored } from '../stores/contract/resource-store';
import type { Committed } from './commit/commit';
import type { Outcome } from './idempotency/outcome';
import type { PatchRequest } from './options/handler-options';
import type { PatchSettings } from './options/settings';

/** The answer to a change that was made, now or when it was first asked for. */
export interface Answer {
  readonly status: number;
  readonly tag?: string | undefined;
  /** What the client asked to get back, and gets. */
  readonly preference: ReturnPreference | undefined;
  readonly content?: string | undefined;
}

/** 204, 200 with the representation, 201 where the resource was created. */
export function answerToChange<T>(
  settings: PatchSettings<T>,
  { proposal: { before, content }, after }: Committed<T>,
  preference: ReturnPreference | undefined,
): Answer {
  const tag = after && tagOfWritten(settings, after);
  const status = content === undefined ? 204 : 200;
  return { status: before === undefined ? 201 : status, tag, preference, content };
}

/** As the first request was answered, without content: a 200 becomes 204. A dry run says no tag here either. */
export function answerToRepeat(
  { status, tag }: Outcome,
  preference: ReturnPreference | undefined,
  dryRun: boolean,
): Answer {
  return {
    status,
    tag: dryRun ? undefined : tag,
    preference: preference === 'minimal' ? preference : undefined,
  };
}

/**
 * Nothing here makes the answer cacheable (RFC 5789 2).
 *
 * Content-Location says that what is enclosed, or on a 204 the ETag, is that of the resource at this path, so that a
 * client may use it as if it had come from GET (RFC 9110 8.7).
 */
export function sendAnswer(
  req: PatchRequest,
  res: ServerResponse,
  location: string,
  { status, tag, preference, content }: Answer,
): void {
  res.statusCode = status;
  if (tag !== undefined) res.setHeader('ETag', tag);
  res.setHeader('Content-Location', location);
  // RFC 9110 15.3.2: without Location, the resource created is the target itself.
  if (status === 201 && location !== pathOf(req.originalUrl)) res.setHeader('Location', location);
  if (preference !== undefined) res.setHeader('Preference-Applied', `return=${preference}`);
  if (content !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (status !== 204) res.setHeader('Content-Length', Buffer.byteLength(content ?? ''));
  res.end(content);
}

/** The change is made: a fault in the host's `entityTag` must not answer that it is not. */
function tagOfWritten<T>(settings: PatchSettings<T>, written: Stored<T>): string | undefined {
  try {
    return settings.tagOf(written);
  } catch (error) {
    process.emitWarning(
      `A PATCH was committed, and is answered without ETag, as the option entityTag failed: ${thrownText(error)}`,
      { code: 'PATCH_OPTIONS_ENTITY_TAG' },
    );
    return undefined;
  }
}
