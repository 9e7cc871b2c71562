import type { IncomingMessage, ServerResponse } from 'node:http';
import { endResponse } from '../http/end-response';
import type { Middleware, Next } from '../http/middleware';
import { createTargetLookup } from '../routes/allowed-methods';
import { passesOptions } from '../express/handler-metadata';
import { corsDecider, type CorsDecision } from './cors-decision';
import type { CorsOptions } from './policy/options';
import { corsPolicy } from './policy/policy';
import { responseDecorator } from './decorate-response';
import type { Explanation } from './explain/explain';
import { corsExplainer, type CorsQuestion } from './explain/explain-question';
import { report } from './explain/report';

/** What `corsPreflight` returns. */
export interface CorsPreflight extends Middleware {
  /**
   * What would a browser make of this? Before the first request, and outside Express, it needs `root`, and rejects with
   * a ConfigurationError where that is missing.
   */
  explain(question: CorsQuestion): Promise<Explanation>;
}

/** Requests that go on from the instance that has claimed them: one policy a path, the first that covers it. */
const claimed = new WeakSet<IncomingMessage>();

/**
 * Answers CORS preflights with the methods of the target's routes, and puts the CORS fields on every other response,
 * errors included (Fetch, CORS protocol). Mount it first: a preflight carries no login. Other requests are never
 * blocked. Of several, on routers too, the first that a request reaches claims it.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function corsPreflight(options: CorsOptions = {}): CorsPreflight {
  return corsPreflightUnder(undefined, options);
}

/** @param outer - the root where `options` name none, as `patchOptions` has it for OPTIONS */
export function corsPreflightUnder(outer: unknown, options: CorsOptions): CorsPreflight {
  const policy = corsPolicy(options);
  const { root = outer } = options;
  const decide = corsDecider(policy, createTargetLookup({ root }));
  const decorate = responseDecorator(policy);
  const explainer = corsExplainer(policy, root);

  function carryOut(decision: CorsDecision, req: IncomingMessage, res: ServerResponse, next: Next): void {
    const { answer } = decision;
    if (answer !== undefined && !res.headersSent) {
      endResponse(res, answer.status, answer.fields);
    } else {
      claimed.add(req);
      // The head of a stream, say, may have gone out before, and can no longer be decorated.
      if (!res.headersSent) decorate(res, decision.verdict.allowOrigin);
      next();
    }
    report(policy, decision, req, middleware);
  }

  const middleware: CorsPreflight = Object.assign(
    (req: IncomingMessage, res: ServerResponse, next: Next): void => {
      if (claimed.has(req)) {
        next();
        return;
      }
      explainer.see(req, middleware);
      const decision = decide(req, middleware);
      if (decision instanceof Promise) {
        decision.then((settled) => {
          // While a predicate thought, a time limit of the host's may have answered.
          if (!res.writableEnded) carryOut(settled, req, res, next);
        }, next);
      } else {
        carryOut(decision, req, res, next);
      }
    },
    { explain: explainer.explain },
  );
  return passesOptions(middleware);
}
