import type { IncomingMessage } from 'node:http';
import type { TargetLookup, TargetMethods } from '../routes/allowed-methods';
import type { CorsPolicy } from './policy/policy';
import { isPreflight, judgeOrigin, type OriginVerdict } from './origin/verdict';
import { preflightAnswers, type PreflightAnswer } from './preflight-answer';

/** What CORS does with one request. */
export interface CorsDecision {
  readonly preflight: boolean;
  readonly verdict: OriginVerdict;
  /** The answer to a preflight; undefined: the request goes on, and its response is decorated. */
  readonly answer?: PreflightAnswer | undefined;
  /** The target that the answer was made for. */
  readonly target?: TargetMethods | undefined;
}

/** Decides on a request; a promise only where an origin predicate gave one, and it never rejects. */
export type CorsDecider = (req: IncomingMessage, asking: unknown) => CorsDecision | Promise<CorsDecision>;

/**
 * Makes the decision of one policy: the origin first, because that is cheapest and because an origin that is not
 * allowed learns nothing of the routes; then the target's methods. Which of them was asked for has no say, nor have
 * the header fields: whether they are among those listed is for the browser to judge, and its console then names the
 * one that is not.
 */
export function corsDecider(policy: CorsPolicy, lookup: TargetLookup): CorsDecider {
  const answers = preflightAnswers(policy);

  const decide = (
    req: IncomingMessage,
    asking: unknown,
    preflight: boolean,
    verdict: OriginVerdict,
  ): CorsDecision => {
    if (!preflight) return { preflight, verdict };
    const { allowOrigin } = verdict;
    if (allowOrigin === undefined) return { preflight, verdict, answer: answers.refused };
    const target = lookup(req, asking);
    const answer = target && answers.allowed(target, allowOrigin);
    return { preflight, verdict, answer, target };
  };

  return (req, asking) => {
    const preflight = isPreflight(req);
    const verdict = judgeOrigin(policy, req, preflight);
    return verdict instanceof Promise
      ? verdict.then((settled) => decide(req, asking, preflight, settled))
      : decide(req, asking, preflight, verdict);
  };
}
