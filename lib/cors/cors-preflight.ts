import type { IncomingMessage, ServerResponse } from 'node:http';
import { optionsOf } from '../prototype-pollution';
import { declareWaypoint, passesOptions } from '../express/handler-metadata';
import { handOn } from '../http/hand-on';
import { beforeHead } from '../http/before-head';
import { endResponse } from '../http/response-head';
import type { Middleware, Next } from '../http/middleware';
import { responseDecorator } from './decorate-response';
import { corsExplainer } from './explain/explainer';
import type { Explanation } from './explain/explanation';
import { rememberInstance } from './explain/instances';
import type { CorsQuestion } from './explain/question';
import { report, reportAnswer } from './explain/report';
import { isPreflight, checkOrigin, type OriginVerdict } from './check-origin';
import { createMountedLookup } from './mounted-lookup';
import type { CorsOptions } from './policy/options';
import { corsPolicy } from './policy/policy';
import { preflightAnswers } from './preflight-answer';
import { checkRequestedHeaders } from './requested-headers';

/** What `corsPreflight` returns. */
export interface CorsPreflight extends Middleware {
  /**
   * What would a browser make of this, by Fetch? Before the first request, and outside Express, it needs `root`. Nothing
   * is sent through the app: what a handler of its own would answer, it does not know. Where another instance claims
   * the path, the verdict is that one's.
   *
   * @throws ConfigurationError, as a rejection, with every mistake in the question
   */
  explain(question: CorsQuestion): Promise<Explanation>;
}

/** Requests that an instance has let through: of several on their way, the first sets the policy. */
const governed = new WeakSet<IncomingMessage>();

/**
 * Answers CORS preflights with the methods of the target's routes, and puts the CORS fields on every other response,
 * errors included (Fetch, CORS protocol). Mount it first: a preflight carries no login. Other requests are never
 * blocked. Of several, on routers too, the first that a request reaches sets the policy.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function corsPreflight(options: CorsOptions = {}): CorsPreflight {
  return createCorsPreflight(options);
}

/** @param outerRoot - where `options` name none: that of the middleware that this one is a part of */
export function createCorsPreflight(options: CorsOptions, outerRoot?: unknown): CorsPreflight {
  const policy = corsPolicy(options);
  const { root = outerRoot } = optionsOf(options, ['root']);
  const lookup = createMountedLookup({ root });
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
      const verdict = checkOrigin(policy, req, preflight);
      if (verdict instanceof Promise) {
        // Whatever is answered while a predicate thinks depends on the origin, too: for caches, if not for the page.
        if (!res.headersSent) decorate(res, undefined);
        const carriedOn = verdict.then((settled) => {
          // While a predicate thought, a time limit of the app's may have answered.
          if (!res.writableEnded) carryOn(settled, req, res, next);
        });
        carriedOn.catch((error: unknown) => {
          handOn(error, res, next);
        });
      } else {
        carryOn(verdict, req, res, next);
      }
    },
    { explain: (question: CorsQuestion) => explainer.explain(question) },
  );
  const own = { middleware, policy };
  const explainer = corsExplainer(own, root);

  /**
   * The origin first, because that is cheapest and because an origin that is not allowed learns nothing of the routes;
   * then the target's methods. Which of them was asked for has no say, nor have the header fields, unless the policy sends
   * them back: whether they are among those listed is for the browser to decide, and its console then names the one that
   * is not.
   */
  function answerPreflight(
    ofOrigin: OriginVerdict,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    const { verdict, names } = checkRequestedHeaders(policy, req, ofOrigin);
    const { allowOrigin } = verdict;
    const target = allowOrigin === undefined ? undefined : lookup(req, middleware);
    const answer = allowOrigin === undefined ? answers.refused : answers.allowed(target, allowOrigin, names);
    const findings = { preflight: true, verdict, target };
    if (answer === undefined && !res.headersSent) {
      reportAnswer(policy, findings, req, res);
      beforeHead(res, () => {
        answers.complete(res, names);
      });
      letThrough(verdict, req, res, next);
      return;
    }
    if (answer === undefined || res.headersSent) letThrough(verdict, req, res, next);
    else endResponse(res, answer.status, answer.fields);
    report(policy, findings, req, middleware);
  }

  /** Fetch, CORS check: whether a page may read a response is for the browser to decide, by what the response says. */
  function passOn(verdict: OriginVerdict, req: IncomingMessage, res: ServerResponse, next: Next): void {
    letThrough(verdict, req, res, next);
    report(policy, { preflight: false, verdict }, req, middleware);
  }

  function letThrough(
    { allowOrigin }: OriginVerdict,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    governed.add(req);
    // The head of a stream, say, may have gone out before, and can no longer be decorated.
    if (!res.headersSent) decorate(res, allowOrigin);
    next();
  }

  rememberInstance(own);
  return declareWaypoint(passesOptions(middleware));
}
