import type { IncomingMessage } from 'node:http';
import { OptionsCheck } from '../config/options-check';
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
import { checkRequestedHeaders } from '../cors/requested-headers';
import { isRoot } from '../express/apps';
import { isRouter } from '../express/layers';
import { createTargetInspection } from '../routes/target-methods';
import { browserRequests, type BrowserRequests } from './browser-requests';
import { simulateDispatch, type Dispatch } from './dispatch';
import type { Explanation } from './explanation';
import { findMounted, type EarlierHandler } from './handlers';
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
      return explanation(requests, failure, {
        dispatch,
        decides: 'preflight',
        subject: findSubject(app, dispatch),
        needsRoot,
      });
    }
    before.push(...dispatch.before);
  }
  const dispatch = dispatchTo(app, actual, page.method);
  const failure = await findFailure(app, dispatch, actual, page);
  const all = { ...dispatch, before: [...new Set([...before, ...dispatch.before])] };
  const subject = findSubject(app, dispatch);
  return explanation(requests, failure, { dispatch: all, decides: 'response', subject, needsRoot });
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
  app: object,
  dispatch: Dispatch,
  req: IncomingMessage,
  page: PageRequest,
): Promise<Failure | undefined> {
  const preflight = isPreflight(req);
  const { instance, unknownBehind } = dispatch;
  if (instance === undefined) return unreached(app, dispatch, req, page);
  const { policy } = instance;
  const ofOrigin = await checkOrigin(policy, req, preflight);
  if (!preflight) return failedStep(policy, page, { preflight, decision: ofOrigin });
  const { decision } = checkRequestedHeaders(policy, req, ofOrigin);
  const ofTarget = isRefused(decision) ? {} : inspectTarget(app, instance, req);
  return failedStep(policy, page, { preflight, decision, unknownBehind, ...ofTarget });
}

function isPreflight({ headers }: IncomingMessage): boolean {
  return headers['access-control-request-method'] !== undefined;
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
  'npm-cors': 'npm cors',
  optionsHandler: 'optionsHandler()',
  patchOptions: 'patchOptions() without cors',
};

/** The function that made the instance, or another of the app; undefined if the app has none. */
function findSubject(app: unknown, { instance = findMounted(app) }: Dispatch): string | undefined {
  return instance?.policy.subject;
}

function unreached(app: object, dispatch: Dispatch, req: IncomingMessage, { method }: PageRequest): Failure {
  const { answeredBy } = dispatch;
  const preflight = isPreflight(req);
  const step = 'CORS check step 2: no Access-Control-Allow-Origin';
  const notMounted = {
    code: 'cors-not-mounted',
    step: preflight ? `CORS-preflight fetch step 7, ${step}` : step,
  } as const;
  const elsewhere = {
    code: 'cors-preflight-elsewhere',
    step: 'CORS-preflight fetch step 7: depends on the answer of another handler',
  } as const;
  const subject = findSubject(app, dispatch);
  if (subject === undefined) {
    const ofOthers = answeredBy === 'options-handler' || answeredBy === 'npm-cors';
    const failure = preflight && ofOthers ? elsewhere : notMounted;
    return { ...failure, reason: whyNotMounted(app, dispatch, req, method) };
  }
  if (answeredBy === undefined) {
    return {
      ...notMounted,
      reason:
        `${preflight ? 'The preflight' : `A ${method} request to this path`} ` +
        `does not reach a ${subject}. Mount one with app.use() before the routes.`,
    };
  }
  return preflight
    ? {
        ...elsewhere,
        reason:
          `${handlerNames[answeredBy]} comes before ${subject} and answers the preflight. ` +
          `Mount ${subject} first.`,
      }
    : {
        code: 'cors-mounted-late',
        step,
        reason:
          `${handlerNames[answeredBy]} comes before ${subject}, ` +
          `so its response to ${method} has no CORS headers. Mount ${subject} first.`,
      };
}

/** What an app without any instance lacks. */
function whyNotMounted(
  app: object,
  { answeredBy, before, npmCors }: Dispatch,
  req: IncomingMessage,
  method: string,
): string {
  const preflight = isPreflight(req);
  const mount = 'Mount patchOptions({ cors: … }) before all routes.';
  if (npmCors) {
    return (
      'Only npm cors sets CORS headers in this app. ' +
      'Mount patchOptions({ cors: … }) in its place, before all routes.'
    );
  }
  if (preflight && answeredBy === 'options-handler') {
    return `${handlerNames[answeredBy]} answers the preflight. ${mount}`;
  }
  if (dispatchTo(app, req, 'OPTIONS').answeredBy === 'patchOptions') {
    return (
      `patchOptions() ${preflight ? 'answers the preflight' : 'is mounted'}, but its option cors is not set. ` +
      "Write patchOptions({ cors: { origin: 'https://app.example' } })."
    );
  }
  const nothing = before.length === 0 ? 'Nothing' : 'Apart from the functions in notes, nothing';
  const lacks = preflight
    ? 'answers preflights with CORS headers'
    : `adds CORS headers to the response to ${method}`;
  return `${nothing} in this app ${lacks}. ${mount}`;
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
  const { before = [], npmCors, instance } = answered?.dispatch ?? {};
  const exceptions: string[] = [];
  if (answered?.needsRoot === true) {
    exceptions.push('the router is called without an Express app and one of its functions answers');
  }
  if (before.length > 0) exceptions.push(`a function before ${String(answered?.subject)} answers`);
  if (npmCors === true) exceptions.push('npm cors sets other CORS headers');
  if (exceptions.length === 0) return sayAllowed(page, instance?.policy);
  return (
    `The policy lets the page send ${page.method} and read the response, ` +
    `unless ${exceptions.join(', ')}, or ${ownHeaders}.`
  );
}
