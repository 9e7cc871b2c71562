import type { IncomingMessage, ServerResponse } from 'node:http';
import { endResponse } from '../http/end-response';
import type { Middleware, Next } from '../http/middleware';
import { createTargetLookup } from '../routes/allowed-methods';
import { corsDecider, type CorsDecision } from './cors-decision';
import type { CorsOptions } from './cors-options';
import { corsPolicy } from './cors-policy';
import { responseDecorator } from './decorate-response';
import type { Explanation } from './explain';
import { corsExplainer, type CorsQuestion } from './explain-question';
import { report } from './report';

/** What `corsPreflight` returns: the middleware, which can also explain what it does. */
export interface CorsPreflight extends Middleware {
  /**
   * Says what a browser would make of a request: whether it lets the page send it and read the answer, and if not, at
   * which step of the Fetch standard it gives up, and why.
   *
   * @throws ConfigurationError (as a rejection) where the app whose routes count is not known: before its first
   *   request, and outside Express, name it as `root`
   */
  explain(question: CorsQuestion): Promise<Explanation>;
}

/** Requests that go on from the instance that has claimed them: one policy a path, the first that covers it. */
const claimed = new WeakSet<IncomingMessage>();

/**
 * Middleware that answers CORS preflights with the methods that the target's routes handle, and puts the CORS fields
 * on every other response, errors included. Mount it first: a preflight carries no login. Requests are never blocked:
 * what a page of another origin may read is for the browser to enforce (Fetch, CORS protocol).
 *
 * Several may be mounted, on routers too: the first that a request reaches claims it, preflight and actual request
 * alike, so the policy of a path stands before that of the whole.
 *
 * @param options - see CorsOptions; left out, every origin is allowed, without credentials
 * @throws ConfigurationError with every mistake in the options
 */
export function corsPreflight(options: CorsOptions = {}): CorsPreflight {
  const policy = corsPolicy(options);
  const decide = corsDecider(policy, createTargetLookup(options));
  const decorate = responseDecorator(policy);
  const explainer = corsExplainer(policy, options.root);

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
      explainer.see(req);
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
  return middleware;
}
