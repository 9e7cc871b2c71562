import type { IncomingMessage } from 'node:http';
import { OptionsCheck } from '../config/options-check';
import { routerOf } from '../express/apps';
import { isMountedOn } from '../express/mount-points';
import type { Middleware } from '../http/middleware';
import { createTargetInspection } from '../routes/allowed-methods';
import { appOf } from '../routes/request-target';
import { checkOrigin, isRefused } from '../cors/origin/check-origin';
import { checkRequestedHeaders } from '../cors/requested-headers';
import { browserRequests, type BrowserRequests } from './browser-requests';
import type { AskedRequest, CorsFindings, Explanation, Failure } from './explanation';
import { failedConstructor, failedStep } from '../cors/fetch-steps';
import type { CorsInstance } from '../cors/instances';
import { notesOn } from './notes';
import { checkQuestion, type CorsQuestion } from './question';
import { simulateDispatch, type Dispatch, type EarlierHandler } from './dispatch';

export interface CorsExplainer {
  readonly explain: (question: CorsQuestion) => Promise<Explanation>;
  /** Stores the app that handles a request, unless there is a `root`. */
  readonly see: (req: IncomingMessage) => void;
}

/** @param own - the instance whose `explain` is called */
export function corsExplainer(own: CorsInstance, root: unknown): CorsExplainer {
  let app: unknown;
  let isUsed = false;
  return {
    see(req) {
      isUsed = true;
      if (root === undefined) app ??= appOf(req, own.middleware);
    },
    async explain(given) {
      const question = checkQuestion(given);
      const { root: named = root ?? app } = question;
      const requests = browserRequests(question);
      const { asked, preflight, actual } = requests;
      const forbidden = failedConstructor(asked);
      if (forbidden !== undefined) return explanation(own, requests, forbidden);
      const dispatched = dispatchBoth(own, isUsed, named, requests);
      if (preflight !== undefined) {
        const failure = await failureOf(dispatched.preflight, preflight, asked, named);
        if (failure !== undefined) return explanation(own, requests, failure, dispatched.preflight);
      }
      const failure = await failureOf(dispatched.actual, actual, asked, named);
      return explanation(own, requests, failure, dispatched.actual);
    },
  };
}

interface BothDispatches {
  readonly preflight: Dispatch;
  readonly actual: Dispatch;
}

/**
 * If an instance that handles requests is on no stack of the app, as in `optionsListener`, every request
 * reaches it first. One that has not been used, and is on no stack, may have been made only to ask: then the
 * instance that is mounted decides, if there is one.
 */
function dispatchBoth(
  own: CorsInstance,
  isUsed: boolean,
  root: unknown,
  { asked, actual }: BrowserRequests,
): BothDispatches {
  const first: Dispatch = { instance: own, underPath: false, answeredBy: undefined };
  const router = routerOf(root);
  if (router === undefined) return { preflight: first, actual: first };
  const { url = '/' } = actual;
  const both = {
    preflight: simulateDispatch(router, url, 'OPTIONS'),
    actual: simulateDispatch(router, url, asked.method),
  };
  const isMounted =
    isMountedOn(router, own.middleware) || both.preflight.instance === own || both.actual.instance === own;
  if (isMounted) return both;
  if (isUsed) return { preflight: first, actual: first };
  const isAnotherReached = both.preflight.instance !== undefined || both.actual.instance !== undefined;
  if (isAnotherReached) return both;
  const assumed: Dispatch = { ...first, isAssumed: true };
  return { preflight: assumed, actual: assumed };
}

/**
 * The first step that fails for one request, by the policy of the instance that it reaches; undefined if none
 * fails.
 */
async function failureOf(
  { instance, answeredBy }: Dispatch,
  req: IncomingMessage,
  asked: AskedRequest,
  root: unknown,
): Promise<Failure | undefined> {
  const preflight = req.headers['access-control-request-method'] !== undefined;
  if (instance === undefined) return unreached(answeredBy, preflight, asked);
  const { policy } = instance;
  const ofOrigin = await checkOrigin(policy, req, preflight);
  if (!preflight) return failedStep(policy, asked, { preflight, decision: ofOrigin });
  const { decision } = checkRequestedHeaders(policy, req, ofOrigin);
  const ofTarget = isRefused(decision) ? {} : targetFindings(req, root);
  return failedStep(policy, asked, { preflight, decision, ...ofTarget });
}

function targetFindings(
  req: IncomingMessage,
  root: unknown,
): Pick<CorsFindings, 'target' | 'optionsHandler'> {
  if (root === undefined) {
    const check = new OptionsCheck('explain()');
    const fix = 'Pass the app: explain({ root: app, … }).';
    check.mistake('root', root, { code: 'root-unknown', reason: 'does not say where the routes are', fix });
    check.done();
  }
  const found = createTargetInspection({ root })(req);
  return { target: found?.target, optionsHandler: found?.routes.optionsHandler === 'reachable' };
}

const handlerNames: Readonly<Record<EarlierHandler, string>> = {
  route: 'A route for the method',
  'options-handler': 'An OPTIONS handler',
  express: 'A router for which Express answers OPTIONS',
  middleware: 'Another middleware that answers OPTIONS',
};

function unreached(
  answeredBy: EarlierHandler | undefined,
  preflight: boolean,
  { method }: AskedRequest,
): Failure {
  if (answeredBy === undefined) {
    return {
      code: 'cors-not-mounted',
      step: `${preflight ? 'CORS-preflight fetch step 7, CORS check' : 'CORS check'} step 2: no Access-Control-Allow-Origin`,
      reason: `${preflight ? 'The preflight' : `A ${method} request to this path`} does not reach a corsPreflight(). Mount one with app.use() before the routes.`,
    };
  }
  return preflight
    ? {
        code: 'cors-preflight-elsewhere',
        step: 'CORS-preflight fetch step 7: depends on the answer of another handler',
        reason: `${handlerNames[answeredBy]} comes before corsPreflight() and answers the preflight. Mount corsPreflight() first.`,
      }
    : {
        code: 'cors-mounted-late',
        step: 'CORS check step 2: no Access-Control-Allow-Origin',
        reason: `${handlerNames[answeredBy]} comes before corsPreflight(), so its response to ${method} has no CORS headers. Mount corsPreflight() first.`,
      };
}

function explanation(
  own: CorsInstance,
  requests: BrowserRequests,
  failure: Failure | undefined,
  dispatch?: Dispatch,
): Explanation {
  const { asked, preflight } = requests;
  const instance: Middleware | undefined = dispatch === undefined ? undefined : dispatch.instance?.middleware;
  const reason = `The browser lets the page send ${asked.method} and read the response.`;
  return {
    allowed: failure === undefined,
    preflight: preflight !== undefined,
    ...(failure ?? { code: 'cors-allowed', step: undefined, reason }),
    notes: notesOn(own, requests, failure, dispatch),
    instance,
  };
}
