import type { IncomingMessage } from 'node:http';
import { parseFieldList } from '../http/field-list';
import { memberOf } from '../config/prototype-pollution';
import { isRefused, refused, type OriginDecision } from './origin/check-origin';
import type { CorsRefusalCode } from './policy/options';
import type { CorsPolicy } from './policy/policy';
import { nameFault } from './policy/field-names';

/** The result of checking a preflight's origin and header names, before its target is looked up. */
export interface PreflightDecision {
  readonly decision: OriginDecision;
  /** The value of Access-Control-Allow-Headers; undefined: the list of the policy. */
  readonly names: string | undefined;
}

/** The maximum length of a list that is echoed: four times as much as real pages send. */
const longestRequest = 4_096;

/**
 * Checks the header names that a preflight asks for, if the policy echoes them. They are echoed in lower
 * case, as browsers compare them.
 */
export function checkRequestedHeaders(
  { allowedHeaders }: CorsPolicy,
  { headers }: IncomingMessage,
  decision: OriginDecision,
): PreflightDecision {
  const asked =
    allowedHeaders === 'requested' ? memberOf(headers, 'access-control-request-headers') : undefined;
  if (asked === undefined || isRefused(decision)) return { decision, names: undefined };
  const refuse = (code: CorsRefusalCode): PreflightDecision => ({
    decision: refused(code, headers.origin ?? ''),
    names: undefined,
  });
  const names = asked.length > longestRequest ? undefined : parseFieldList(asked);
  if (names === undefined) return refuse('cors-headers-too-many');
  // A name that is not a token would make browsers refuse the whole list (Fetch, extract header list values).
  if (names.some((name) => nameFault(name) !== undefined)) return refuse('cors-headers-malformed');
  return { decision, names: names.length === 0 ? undefined : names.join(', ').toLowerCase() };
}
