import type { ServerResponse } from 'node:http';
import type { ReturnPreference } from '../http/prefer';
import { readMember } from '../config/prototype-pollution';
import { pathReference, toPath } from '../http/target-path';
import { valueAt } from '../json/pointer';
import { hasValue } from '../stores/contract/check-result';
import type { Stored } from '../stores/contract/resource-store';
import type { Committed } from './commit-loop';
import type { Replay } from './idempotency';
import type { PatchRequest } from '../http/routed-request';
import type { PatchSettings } from './options/settings';
import { createRepresentation } from './representation';

/** The answer to a committed change, or to the repeat of a request that made one. */
export interface ChangeAnswer {
  readonly status: number;
  readonly tag?: string | undefined;
  /** The preference of the client that the answer honours. */
  readonly preference: ReturnPreference | undefined;
  readonly content?: string | undefined;
  /** Whether the URL of the request is no longer that of the resource. */
  readonly hasMoved: boolean;
}

/** Returns whether the answer can have the entity tag of the state that the request made. */
type MaySendTag<T> = (state: Stored<T>) => Promise<boolean>;

/**
 * 204, 200 with the representation, or 201 if the resource was created. The answer is made of what the store
 * has written, which can differ from what it was given: a body has the bytes that GET sends under the same
 * entity tag.
 */
export async function answerToChange<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  { before, after }: Committed<T>,
  preference: ReturnPreference | undefined,
  maySendTag: MaySendTag<T> | undefined,
): Promise<ChangeAnswer> {
  const tag = await createAnswerTag(settings, req, after, maySendTag);
  const preferred = preference ?? settings.respond;
  const content = preferred === 'minimal' ? undefined : await createContent(settings, req, after);
  const status = before === undefined ? 201 : 204;
  return { ...answerWith(status, tag, preference, content), hasMoved: hasMoved(req, before, after) };
}

/**
 * Whether the write has changed a member that the URL contains: one that is named as a parameter of the route, and had
 * its value, such as the slug of `/articles/:slug`.
 */
function hasMoved(
  { params }: PatchRequest,
  before: Stored<unknown> | undefined,
  after: Stored<unknown>,
): boolean {
  if (before === undefined || !hasValue(after)) return false;
  return Object.entries(params).some(([name, parameter]) => {
    const [old, next] = [before, after].map(({ value }) => valueAt(value, [name]));
    return old !== next && String(old) === parameter;
  });
}

/**
 * Repeats the first answer. Its content was not kept: it is made anew as long as the resource is in the state
 * that the request made, by its version, because entity tags of the app can repeat. After that, and where
 * states have no versions, a 200 becomes 204.
 */
export async function answerToRepeat<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  { outcome, state }: Replay<T>,
  preference: ReturnPreference | undefined,
  maySendTag: MaySendTag<T> | undefined,
): Promise<ChangeAnswer> {
  const isCurrent = outcome.version !== undefined && state.version === outcome.version;
  // For a state that is gone, it can no longer be found out whether an answer can have its tag.
  const earlierTag = maySendTag === undefined ? readMember(outcome, 'tag') : undefined;
  const tag = isCurrent ? await createAnswerTag(settings, req, state, maySendTag) : earlierTag;
  const preferred = preference ?? settings.respond;
  const content =
    isCurrent && preferred !== 'minimal' ? await createContent(settings, req, state) : undefined;
  return answerWith(outcome.status, tag, preference, content);
}

function answerWith(
  status: number,
  tag: string | undefined,
  preference: ReturnPreference | undefined,
  content: string | undefined,
): ChangeAnswer {
  return {
    status: status === 204 && content !== undefined ? 200 : status,
    tag,
    preference: content === undefined && preference === 'representation' ? undefined : preference,
    content,
    hasMoved: false,
  };
}

/**
 * Sends no header that would make the answer cacheable (RFC 5789 2).
 *
 * Content-Location says that the content, or on a 204 the ETag, belongs to the resource at this path, so
 * clients can use it as if it came from GET (RFC 9110 8.7). It is the path that the client requested, even if
 * the app has rewritten `req.url`, unless the resource is no longer found there. A 201 has no Location: the created
 * resource is the target (15.3.2).
 */
export function sendAnswer(
  req: PatchRequest,
  res: ServerResponse,
  { status, tag, preference, content, hasMoved: isElsewhere }: ChangeAnswer,
): void {
  res.statusCode = status;
  if (tag !== undefined) res.setHeader('ETag', tag);
  if (!isElsewhere) res.setHeader('Content-Location', pathReference(toPath(req.originalUrl)));
  if (preference !== undefined) res.setHeader('Preference-Applied', `return=${preference}`);
  if (content !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (status !== 204) res.setHeader('Content-Length', Buffer.byteLength(content ?? ''));
  res.end(content);
}

/**
 * The change is committed: an error in `entityTag` or `represent` costs only the header or the body, and must
 * not make the request look failed.
 */
async function createAnswerTag<T>(
  { createTag, warnOfTag, warnOfRepresentation }: PatchSettings<T>,
  req: PatchRequest,
  state: Stored<T>,
  maySendTag: MaySendTag<T> | undefined,
): Promise<string | undefined> {
  // The tag of a state that is its content is made of the value.
  if (state.version === undefined && !hasValue(state)) return undefined;
  try {
    if (maySendTag !== undefined && !(hasValue(state) && (await maySendTag(state)))) return undefined;
  } catch (error) {
    warnOfRepresentation(error);
    return undefined;
  }
  try {
    return createTag(state, req);
  } catch (error) {
    warnOfTag(error);
    return undefined;
  }
}

async function createContent<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  state: Stored<T>,
): Promise<string | undefined> {
  if (!hasValue(state)) return undefined;
  try {
    return await createRepresentation(settings, state.value, req);
  } catch (error) {
    settings.warnOfRepresentation(error);
    return undefined;
  }
}
