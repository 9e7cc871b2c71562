import type { ServerResponse } from 'node:http';
import type { ReturnPreference } from '../http/prefer';
import { memberOf } from '../prototype-pollution';
import { pathOf } from '../http/target-path';
import type { Stored } from '../stores/contract/resource-store';
import type { Committed, Replay } from './commit/commit';
import type { Replacement } from './commit/decide';
import type { Outcome } from './idempotency/outcome';
import type { PatchRequest } from '../request/routed-request';
import type { PatchSettings } from './options/settings';
import { representationOf } from './representation';

/** The answer to a change that was made, now or when it was first asked for. */
export interface Answer {
  readonly status: number;
  readonly tag?: string | undefined;
  /** What the client asked to get back, and gets. */
  readonly preference: ReturnPreference | undefined;
  readonly content?: string | undefined;
}

/** Whether the answer may have the entity tag of a state that the request has made. */
type TellsTag<T> = (made: Stored<T>) => Promise<boolean>;

/**
 * 204, 200 with the representation, 201 where the resource was created. All of it is made of what the store has written,
 * which need not be what it was given: a body under an entity tag is what GET sends under that tag.
 */
export async function answerToChange<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  { proposal: { before, next }, written, kept }: Committed<Replacement<T>, Stored<T>>,
  preference: ReturnPreference | undefined,
  tellsTag: TellsTag<T> | undefined,
): Promise<Answer> {
  const state = kept ? before : written;
  const tag = state && (await tagOfState(settings, state, tellsTag));
  const wanted = preference ?? settings.respond;
  const content = wanted === 'minimal' ? undefined : await contentOf(settings, req, next, state);
  const status = content === undefined ? 204 : 200;
  return {
    status: before === undefined ? 201 : status,
    tag,
    preference: content === undefined && preference === 'representation' ? undefined : preference,
    content,
  };
}

/** As the first request was answered, without content: a 200 becomes 204. A dry run says no tag here either. */
export async function answerToRepeat<T>(
  settings: PatchSettings<T>,
  { outcome, state }: Replay<T, Outcome>,
  preference: ReturnPreference | undefined,
  { dryRun, tellsTag }: { readonly dryRun: boolean; readonly tellsTag: TellsTag<T> | undefined },
): Promise<Answer> {
  const tag = dryRun ? undefined : memberOf(outcome, 'tag');
  // Where that depends on what was made, it can be told only while it is what stands.
  const tells = tellsTag === undefined || tag === (await tagOfState(settings, state, tellsTag));
  return {
    status: outcome.status,
    tag: tells ? tag : undefined,
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
async function tagOfState<T>(
  { tagOf, warnOfTag, warnOfRepresentation }: PatchSettings<T>,
  state: Stored<T>,
  tellsTag: TellsTag<T> | undefined,
): Promise<string | undefined> {
  try {
    if (tellsTag !== undefined && !(await tellsTag(state))) return undefined;
  } catch (error) {
    warnOfRepresentation(error);
    return undefined;
  }
  try {
    return tagOf(state);
  } catch (error) {
    warnOfTag(error);
    return undefined;
  }
}

async function contentOf<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  next: T,
  state: Stored<T> | undefined,
): Promise<string | undefined> {
  try {
    // A store may have written, and be unable to say what it is now.
    return await representationOf(settings, state === undefined ? next : state.value, req);
  } catch (error) {
    if (state === undefined) throw error;
    settings.warnOfRepresentation(error);
    return undefined;
  }
}
