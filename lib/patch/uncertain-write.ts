import { readMember } from '../config/prototype-pollution';
import { entityTag } from '../http/entity-tag';
import type { PatchRequest } from '../http/routed-request';
import { isLostConnection } from '../stores/contract/lost-connection';
import { isUnwritten } from '../stores/contract/unwritten';
import type { PatchSettings } from './options/settings';
import { writeUncertain } from './problems';

/**
 * Sends a write to the store.
 *
 * @param hasKey - whether the request has an Idempotency-Key that is honoured
 * @throws ProblemError 503 `write-uncertain` if the connection was lost, so that nobody knows whether it was
 *   made
 */
export async function sendWrite<T, R>(
  { warnOfStore, createTag }: PatchSettings<T>,
  req: PatchRequest,
  hasKey: boolean,
  write: () => Promise<R>,
): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (!isLostConnection(error) || isUnwritten(req, error)) throw error;
    warnOfStore(error);
    // `*` holds for the state that the first request made, too, and so can a tag that the app makes.
    const hasTag = (readMember(req.headers, 'if-match') ?? '*').trim() !== '*' && createTag === entityTag;
    throw writeUncertain(hasKey ? 'Idempotency-Key' : hasTag ? 'If-Match' : undefined, error);
  }
}
