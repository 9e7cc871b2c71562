import type { ServerResponse } from 'node:http';
import type { ReturnPreference } from '../http/prefer';
import { memberOf } from '../prototype-pollution';
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

/**
 * 204, 200 with the representation, 201 where the resource was created. All of it is made of what the store has written,
 * which need not be what it was given: a body under an entity tag is what GET sends under that tag.
 */
export async function answerToChange<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  { proposal: { before, next }, after }: Committed<T>,
  preference: ReturnPreference | undefined,
): Promise<Answer> {
  const tag = after && tagOfWritten(settings, after);
  const wanted = preference ?? settings.respond;
  const content = wanted === 'minimal' ? undefined : await representation(settings, req, next, after);
  const status = content === undefined ? 204 : 200;
  return {
    status: before === undefined ? 201 : status,
    tag,
    preference: content === undefined && preference === 'representation' ? undefined : preference,
    content,
  };
}

/** As the first request was answered, without content: a 200 becomes 204. A dry run says no tag here either. */
export function answerToRepeat(
  outcome: Outcome,
  preference: ReturnPreference | undefined,
  dryRun: boolean,
): Answer {
  return {
    status: outcome.status,
    tag: dryRun ? undefined : memberOf(outcome, 'tag'),
    preference: preference === 'minimal' ? preference : undefined,
    content: undefined,
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

/** The change is made: a fault in `entityTag` or `represent` costs what they make, and must not answer that it is not. */
function tagOfWritten<T>({ tagOf, warnOfTag }: PatchSettings<T>, written: Stored<T>): string | undefined {
  try {
    return tagOf(written);
  } catch (error) {
    warnOfTag(error);
    return undefined;
  }
}

async function representation<T>(
  { represent, hidden, warnOfRepresentation }: PatchSettings<T>,
  req: PatchRequest,
  next: T,
  written: Stored<T> | undefined,
): Promise<string | undefined> {
  try {
    // A store may have written, and be unable to say what it is now.
    const value = written === undefined ? next : written.value;
    return jsonOf(await represent(hidden.visible(value), req));
  } catch (error) {
    if (written === undefined) throw error;
    warnOfRepresentation(error);
    return undefined;
  }
}

function jsonOf(representation: unknown): string {
  const text: unknown = JSON.stringify(representation);
  if (typeof text === 'string') return text;
  throw new TypeError('The option represent gave nothing that JSON can write. Return a value, or null.');
}
