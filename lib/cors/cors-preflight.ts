import type { IncomingMessage, ServerResponse } from 'node:http';
import { optionsOf } from '../config/prototype-pollution';
import { trackPosition, passesOptions } from '../express/handler-metadata';
import { handOn } from '../http/hand-on';
import { beforeHead } from '../http/before-head';
import { endResponse } from '../http/response-head';
import type { Middleware, Next } from '../http/middleware';
import { responseDecorator } from './decorate-response';
import { corsExplainer } from '../explain/explain-cors';
import type { Explanation } from '../explain/explanation';
import { registerInstance } from './instances';
import type { CorsQuestion } from '../explain/question';
import { report, reportAnswer } from './report';
import { isPreflight, checkOrigin, type OriginDecision } from './origin/check-origin';
import { createMountedLookup } from './mounted-lookup';
import type { CorsOptions } from './policy/options';
import { corsPolicy } from './policy/policy';
import { preflightAnswers } from './preflight-answer';
import { checkRequestedHeaders } from './requested-headers';

/** The middleware that `corsPreflight` returns, with a method that explains its decisions. */
export interface CorsPreflight extends Middleware {
  /**
   * Explains whether a browser would let a page make a request and read the response, which step of the Fetch
   * standard fails, and how to fix it. No request is sent through your app, so the answers of its own
   * handlers are not known. If another `corsPreflight` handles the path, that of a `patchOptions` for
   * example, the explanation is for that one.
   *
   * @param question - the request that the page makes; it needs `root` before the first request, and outside
   *   Express
   * @returns a promise; it rejects with a ConfigurationError that reports every mistake in the question
   */
  explain(question: CorsQuestion): Promise<Explanation>;
}

/**
 * Requests that an instance has passed on: if a request reaches several instances, the policy of the first
 * applies.
 */
const governed = new WeakSet<IncomingMessage>();

/**
 * Answers CORS preflights with the methods of the target's routes, and adds the CORS headers to every other
 * response, errors included (Fetch, CORS protocol). It never blocks requests that are not preflights.
 *
 * Mount it before the routes and before authentication: preflights carry no credentials. If a request reaches
 * several instances, the policy of the first applies.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function corsPreflight(options: CorsOptions = {}): CorsPreflight {
  return createCorsPreflight(options);
}

/** @param outerRoot - the `root` of the middleware of which this is a child; used if `options` have none */
export function createCorsPreflight(options: CorsOptions, outerRoot?: unknown): CorsPreflight {
  const policy = corsPolicy(options);
  const { root = outerRoot } = optionsOf(options, ['root']);
  // With `unseen`, it also works in front of a server without Express, for which there is no `root` to give.
  const lookup = createMountedLookup({ root, needsRoutes: policy.unseen === undefined });
  const answers = preflightAnswers(policy);
  const decorate = responseDecorator(policy);

  const middleware: CorsPreflight = Object.assign(
    (req: IncomingMessage, res: ServerResponse, next: Next): void => {
      if (governed.has(req)) {
        next();
        return;
      }
      explainer.see(req);
      const preflight = isPreflight(req);
      const carryOn = preflight ? answerPreflight : passOn;
      const decision = checkOrigin(policy, req, preflight);
      if (decision instanceof Promise) {
        // A response that is sent before the predicate settles depends on the origin, too: caches must see
        // that in Vary.
        if (!res.headersSent) decorate(res, undefined);
        const carriedOn = decision.then((settled) => {
          // A timeout middleware of the app can have answered in the meantime.
          if (!res.writableEnded) carryOn(settled, req, res, next);
        });
        carriedOn.catch((error: unknown) => {
          handOn(error, res, next);
        });
      } else {
        carryOn(decision, req, res, next);
      }
    },
    { explain: (question: CorsQuestion) => explainer.explain(question) },
  );
  const own = { middleware, policy };
  const explainer = corsExplainer(own, root);

  /**
   * Checks the origin first: that is cheapest, and an origin that is not allowed learns nothing about the
   * routes. Then the target's methods are looked up. The requested method and headers are not compared
   * (unless the policy echoes the headers): the browser does that, and its console names the one that is not
   * allowed.
   */
  function answerPreflight(
    ofOrigin: OriginDecision,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    const { decision, names } = checkRequestedHeaders(policy, req, ofOrigin);
    const { allowOrigin } = decision;
    const target = allowOrigin === undefined ? undefined : lookup(req, middleware);
    const answer = allowOrigin === undefined ? answers.refused : answers.allowed(target, allowOrigin, names);
    const findings = { preflight: true, decision, target };
    if (answer === undefined && !res.headersSent) {
      reportAnswer(policy, findings, req, res);
      beforeHead(res, () => {
        answers.complete(res, names);
      });
      letThrough(decision, req, res, next);
      return;
    }
    if (answer === undefined || res.headersSent) letThrough(decision, req, res, next);
    else endResponse(res, answer.status, answer.fields);
    report(policy, findings, req, middleware);
  }

  /**
   * Fetch, CORS check: the browser decides whether a page can read a response, from the response's headers.
   */
  function passOn(decision: OriginDecision, req: IncomingMessage, res: ServerResponse, next: Next): void {
    letThrough(decision, req, res, next);
    report(policy, { preflight: false, decision }, req, middleware);
  }

  function letThrough(
    { allowOrigin }: OriginDecision,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    governed.add(req);
    // The head can have been sent before, as for a stream; then nothing can be added.
    if (!res.headersSent) decorate(res, allowOrigin);
    next();
  }

  registerInstance(own);
  return trackPosition(passesOptions(middleware));
}
