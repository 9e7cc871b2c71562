import type { IncomingMessage } from 'node:http';
import { readMember } from '../config/prototype-pollution';
import { parseFieldList } from '../http/field-list';
import { refuse, type OriginDecision } from './origin/check-origin';
import { findNameFault } from './policy/field-names';
import type { CorsPolicy } from './policy/policy';

/** What a preflight's origin and header names lead to, before its target is looked up. */
interface PreflightDecision {
  readonly decision: OriginDecision;
  /** The value of Access-Control-Allow-Headers; undefined: the list of the policy. */
  readonly requestedHeaders: string | undefined;
}

/** The maximum length of a list that is echoed: four times as much as real pages send. */
const maxListLength = 4_096;

/**
 * Checks the header names that a preflight asks for, if the policy echoes them. They are echoed in lower
 * case, as browsers compare them.
 */
export function checkRequestedHeaders(
  { allowedHeaders }: CorsPolicy,
  { headers }: IncomingMessage,
  decision: OriginDecision,
): PreflightDecision {
  const requested =
    allowedHeaders === 'requested' ? readMember(headers, 'access-control-request-headers') : undefined;
  if (requested === undefined || decision.allowOrigin === undefined)
    return { decision, requestedHeaders: undefined };
  const origin = headers.origin ?? '';
  const names = requested.length > maxListLength ? undefined : parseFieldList(requested);
  if (names === undefined)
    return { decision: refuse('cors-headers-too-many', origin), requestedHeaders: undefined };
  // A name that is not a token would make browsers refuse the whole list (Fetch, extract header list values).
  if (names.some((name) => findNameFault(name) !== undefined))
    return { decision: refuse('cors-headers-malformed', origin), requestedHeaders: undefined };
  return { decision, requestedHeaders: names.length === 0 ? undefined : names.join(', ').toLowerCase() };
}
