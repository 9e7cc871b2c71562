import type { IncomingMessage } from 'node:http';
import { OptionsCheck } from '../config/options-check';
import { checkRequestedHeaders } from '../cors/cors-preflight';
import {
  failedConstructor,
  failedStep,
  ownHeaders,
  sayAllowed,
  type CorsFindings,
  type Failure,
  type PageRequest,
} from '../cors/fetch-steps';
import { findInstanceIn, type CorsInstance } from '../cors/policy-registry';
import { checkOrigin, isRefused } from '../cors/origin/check-origin';
import { isRoot } from '../express/apps';
import { isRouter } from '../express/layers';
import { createTargetInspection } from '../routes/target-methods';
import { browserRequests, type BrowserRequests } from './browser-requests';
import { simulateDispatch, type Dispatch } from './dispatch';
import type { Explanation } from './explanation';
import type { EarlierHandler } from './handlers';
import { notesOn, type AnsweredRequest } from './notes';
import { checkQuestion, type CorsQuestion } from './question';

/**
 * Explains whether a browser would let a page make a request and read the response, which step of the Fetch
 * standard fails, and how to fix it. No request is sent through your app, so the answers of its own handlers
 * are not known; origin functions are called.
 *
 * @param app - what the server calls with every request: an Express app, a router, or the return value of
 *   `optionsListener` with `cors`
 * @param question - the request that the page makes
 * @returns a promise; it rejects with a ConfigurationError that reports every mistake in the arguments
 *
 * @example
 * ```ts
 * const { allowed, reason } = await explainCors(app, {
 *   origin: 'https://app.example',
 *   method: 'PATCH',
 *   headers: 'x-request-id',
 *   path: '/notes/1',
 * });
 * ```
 */
export async function explainCors(
  app: (req: never, res: never, next: never) => unknown,
  question: CorsQuestion,
): Promise<Explanation> {
  const check = new OptionsCheck('explainCors()');
  checkApp(app, check);
  const requests = browserRequests(checkQuestion(question, check));
  check.done();

  const { page, preflight, actual } = requests;
  const neverSent = failedConstructor(page);
  if (neverSent !== undefined) return explanation(requests, neverSent);
  const before: string[] = [];
  let needsRoot = false;
  if (preflight !== undefined) {
    const dispatch = dispatchTo(app, preflight, 'OPTIONS');
    const failure = await findFailure(app, dispatch, preflight, page);
    needsRoot = isRouter(app) && dispatch.instance !== undefined && dispatch.instance.root === undefined;
    if (failure !== undefined) {
      return explanation(requests, failure, { dispatch, decides: 'preflight', needsRoot });
    }
    before.push(...dispatch.before);
  }
  const dispatch = dispatchTo(app, actual, page.method);
  const failure = await findFailure(app, dispatch, actual, page);
  const all = { ...dispatch, before: [...new Set([...before, ...dispatch.before])] };
  return explanation(requests, failure, { dispatch: all, decides: 'response', needsRoot });
}

function checkApp(app: unknown, check: OptionsCheck): void {
  if (isRoot(app) || (typeof app === 'function' && findInstanceIn(app) !== undefined)) return;
  check.mistake('app', app, {
    code: 'option-type',
    reason: 'must be an Express app, a router, or an optionsListener() with cors',
    fix: 'Pass what the server calls with every request.',
  });
}

/** Which instance a request reaches: one in front of an app comes first. */
function dispatchTo(app: object, { url = '/' }: IncomingMessage, method: string): Dispatch {
  const inFront = findInstanceIn(app);
  return simulateDispatch(inFront === undefined ? app : inFront.root, url, method, inFront);
}

/**
 * The first step that fails for one request, by the policy of the instance that it reaches; undefined if none
 * fails.
 */
async function findFailure(
  app: unknown,
  { instance, answeredBy, unknownBehind }: Dispatch,
  req: IncomingMessage,
  page: PageRequest,
): Promise<Failure | undefined> {
  const preflight = req.headers['access-control-request-method'] !== undefined;
  if (instance === undefined) return unreached(answeredBy, preflight, page);
  const { policy } = instance;
  const ofOrigin = await checkOrigin(policy, req, preflight);
  if (!preflight) return failedStep(policy, page, { preflight, decision: ofOrigin });
  const { decision } = checkRequestedHeaders(policy, req, ofOrigin);
  const ofTarget = isRefused(decision) ? {} : inspectTarget(app, instance, req);
  return failedStep(policy, page, { preflight, decision, unknownBehind, ...ofTarget });
}

function inspectTarget(
  app: unknown,
  { root = isRoot(app) ? app : undefined, policy }: CorsInstance,
  req: IncomingMessage,
): Pick<CorsFindings, 'target' | 'optionsHandler'> {
  if (root === undefined) {
    // Without routes, the methods of every path are those of the option unseen.
    if (policy.unseen !== undefined) return {};
    const check = new OptionsCheck('explainCors()');
    const fix = 'Pass the app that it is mounted in: explainCors(app, { … }).';
    check.mistake('app', app, { code: 'root-unknown', reason: 'does not say where the routes are', fix });
    check.done();
  }
  const findings = createTargetInspection({ root })(req);
  return { target: findings?.target, optionsHandler: findings?.routes.optionsHandler === 'reachable' };
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
  { method }: PageRequest,
): Failure {
  if (answeredBy === undefined) {
    return {
      code: 'cors-not-mounted',
      step:
        `${preflight ? 'CORS-preflight fetch step 7, CORS check' : 'CORS check'} step 2: ` +
        'no Access-Control-Allow-Origin',
      reason:
        `${preflight ? 'The preflight' : `A ${method} request to this path`} ` +
        'does not reach a corsPreflight(). Mount one with app.use() before the routes.',
    };
  }
  return preflight
    ? {
        code: 'cors-preflight-elsewhere',
        step: 'CORS-preflight fetch step 7: depends on the answer of another handler',
        reason:
          `${handlerNames[answeredBy]} comes before corsPreflight() and answers the preflight. ` +
          'Mount corsPreflight() first.',
      }
    : {
        code: 'cors-mounted-late',
        step: 'CORS check step 2: no Access-Control-Allow-Origin',
        reason:
          `${handlerNames[answeredBy]} comes before corsPreflight(), ` +
          `so its response to ${method} has no CORS headers. Mount corsPreflight() first.`,
      };
}

function explanation(
  requests: BrowserRequests,
  failure: Failure | undefined,
  answered?: AnsweredRequest,
): Explanation {
  const { page, preflight } = requests;
  return {
    allowed: failure === undefined,
    preflight: preflight !== undefined,
    ...(failure ?? { code: 'cors-allowed', step: undefined, reason: whyAllowed(page, answered) }),
    notes: notesOn(requests, failure, answered),
    instance: answered?.dispatch.instance?.middleware,
  };
}

function whyAllowed(page: PageRequest, answered: AnsweredRequest | undefined): string {
  const { before = [], npmCors } = answered?.dispatch ?? {};
  const exceptions: string[] = [];
  if (answered?.needsRoot === true) {
    exceptions.push('the router is called without an Express app and one of its functions answers');
  }
  if (before.length > 0) exceptions.push('a function before corsPreflight() answers');
  if (npmCors === true) exceptions.push('npm cors sets other CORS headers');
  if (exceptions.length === 0) return sayAllowed(page);
  return (
    `The policy lets the page send ${page.method} and read the response, ` +
    `unless ${exceptions.join(', ')}, or ${ownHeaders}.`
  );
}
