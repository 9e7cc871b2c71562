import type { IncomingMessage } from 'node:http';
import { OptionsCheck } from '../../configuration';
import { routerOf } from '../../express/apps';
import { leadsTo } from '../../express/mount-points';
import type { Middleware } from '../../http/middleware';
import { createTargetInspection } from '../../routes/allowed-methods';
import { appOf } from '../../routes/request-target';
import { checkOrigin, isRefused } from '../check-origin';
import { checkRequestedHeaders } from '../requested-headers';
import { browserRequests, type BrowserRequests } from './asked-request';
import type { AskedRequest, CorsFindings, Explanation, Failure } from './explanation';
import { failedConstructor, failedStep } from './fetch-steps';
import type { CorsInstance } from './instances';
import { notesOn } from './notes';
import { checkQuestion, type CorsQuestion } from './question';
import { wayThrough, type Front, type Way } from './way';

export interface CorsExplainer {
  readonly explain: (question: CorsQuestion) => Promise<Explanation>;
  /** Remembers the app that handles a request, where no `root` was named. */
  readonly see: (req: IncomingMessage) => void;
}

/** @param own - the instance that is asked */
export function corsExplainer(own: CorsInstance, root: unknown): CorsExplainer {
  let app: unknown;
  return {
    see(req) {
      if (root === undefined) app ??= appOf(req, own.middleware);
    },
    async explain(given) {
      const question = checkQuestion(given);
      const { root: named = root ?? app } = question;
      const requests = browserRequests(question);
      const { asked, preflight, actual } = requests;
      const forbidden = failedConstructor(asked);
      if (forbidden !== undefined) return explanation(own, requests, forbidden);
      const ways = waysOf(own, named, requests);
      if (preflight !== undefined) {
        const failure = await judged(ways.preflight, preflight, asked, named);
        if (failure !== undefined) return explanation(own, requests, failure, ways.preflight);
      }
      return explanation(own, requests, await judged(ways.actual, actual, asked, named), ways.actual);
    },
  };
}

interface Ways {
  readonly preflight: Way;
  readonly actual: Way;
}

/** Where an instance stands on no stack of the app, as in front of a server, every request comes to it first. */
function waysOf(own: CorsInstance, root: unknown, { asked, actual }: BrowserRequests): Ways {
  const first: Way = { instance: own, underPath: false, front: undefined };
  const router = routerOf(root);
  if (router === undefined) return { preflight: first, actual: first };
  const { url = '/' } = actual;
  const ways = {
    preflight: wayThrough(router, url, 'OPTIONS'),
    actual: wayThrough(router, url, asked.method),
  };
  const isMounted =
    leadsTo(router, own.middleware) || ways.preflight.instance === own || ways.actual.instance === own;
  return isMounted ? ways : { preflight: first, actual: first };
}

/** What fails for one request, by the verdict of the instance that it comes to. */
async function judged(
  { instance, front }: Way,
  req: IncomingMessage,
  asked: AskedRequest,
  root: unknown,
): Promise<Failure | undefined> {
  const preflight = req.headers['access-control-request-method'] !== undefined;
  if (instance === undefined) return unreached(front, preflight, asked);
  const { policy } = instance;
  const ofOrigin = await checkOrigin(policy, req, preflight);
  if (!preflight) return failedStep(policy, asked, { preflight, verdict: ofOrigin });
  const { verdict } = checkRequestedHeaders(policy, req, ofOrigin);
  const ofTarget = isRefused(verdict) ? {} : targetFindings(req, root);
  return failedStep(policy, asked, { preflight, verdict, ...ofTarget });
}

function targetFindings(
  req: IncomingMessage,
  root: unknown,
): Pick<CorsFindings, 'target' | 'optionsHandler'> {
  if (root === undefined) {
    const check = new OptionsCheck('explain()');
    const fix = 'Give the app: explain({ root: app, … }).';
    check.mistake('root', root, { code: 'root-unknown', reason: 'leaves open whose routes count', fix });
    check.done();
  }
  const found = createTargetInspection({ root })(req);
  return { target: found?.target, optionsHandler: found?.routes.optionsHandler === 'reachable' };
}

const answerers: Readonly<Record<Front, string>> = {
  route: 'A route for it',
  'options-handler': 'An OPTIONS handler',
  express: 'A router with routes of its own, whose OPTIONS Express answers,',
  middleware: 'Another middleware that answers OPTIONS',
};

function unreached(front: Front | undefined, preflight: boolean, { method }: AskedRequest): Failure {
  if (front === undefined) {
    return {
      code: 'cors-not-mounted',
      step: `${preflight ? 'CORS-preflight fetch step 7, CORS check' : 'CORS check'} step 2: no Access-Control-Allow-Origin`,
      reason: `No corsPreflight() is on the way of ${preflight ? 'the preflight' : `${method} to this path`}: mount one by app.use() in front of the routes.`,
    };
  }
  return preflight
    ? {
        code: 'cors-preflight-elsewhere',
        step: 'CORS-preflight fetch step 7: by the answer of another handler',
        reason: `${answerers[front]} stands in front of corsPreflight(), and answers the preflight: mount corsPreflight() first.`,
      }
    : {
        code: 'cors-mounted-late',
        step: 'CORS check step 2: no Access-Control-Allow-Origin',
        reason: `${answerers[front]} stands in front of corsPreflight(), so that its answer to ${method} has no CORS fields: mount corsPreflight() first.`,
      };
}

function explanation(
  own: CorsInstance,
  requests: BrowserRequests,
  failure: Failure | undefined,
  way?: Way,
): Explanation {
  const { asked, preflight } = requests;
  const instance: Middleware | undefined = way === undefined ? undefined : way.instance?.middleware;
  const reason = `The browser lets the page send ${asked.method} and read the answer.`;
  return {
    allowed: failure === undefined,
    preflight: preflight !== undefined,
    ...(failure ?? { code: 'cors-allowed', step: undefined, reason }),
    notes: notesOn(own, requests, failure, way),
    instance,
  };
}
