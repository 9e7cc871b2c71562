import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { OptionsCheck } from '../../configuration';
import { optionsOf } from '../../prototype-pollution';
import { parseFieldList } from '../../http/field-list';
import { createTargetLookup, type TargetLookup } from '../../routes/allowed-methods';
import { appOf, checkRoot } from '../../routes/request-target';
import type { CorsPolicy } from '../policy/policy';
import { explainAnswer, type AskedRequest, type Explanation } from './explain';
import { isSafelistedMethod, normalizedMethod } from '../policy/fetch-methods';
import { isRefused, checkOrigin } from '../check-origin';
import { checkRequestedHeaders } from '../requested-headers';

/** A request that a page might make. */
export interface CorsQuestion {
  readonly origin: string;
  readonly method: string;
  /** As in Access-Control-Request-Headers: without those that are CORS-safelisted. */
  readonly headers?: string | readonly string[];
  /** As the server receives it, with every mount path. */
  readonly path: string;
  /** `credentials: 'include'`. Default false. */
  readonly credentials?: boolean;
  /** Default: the option `root`, or the app that requests come through. */
  readonly root?: unknown;
}

const questionMembers: readonly (keyof CorsQuestion)[] = [
  'origin',
  'method',
  'headers',
  'path',
  'credentials',
  'root',
];

export interface CorsExplainer {
  readonly explain: (question: CorsQuestion) => Promise<Explanation>;
  /** Remembers the app that handles a request, where no `root` was named. */
  readonly see: (req: IncomingMessage, asking: unknown) => void;
}

export function corsExplainer(policy: CorsPolicy, root: unknown): CorsExplainer {
  let app: unknown;
  return {
    see(req, asking) {
      if (root === undefined) app ??= appOf(req, asking);
    },
    async explain(given) {
      const question = optionsOf(given, questionMembers);
      const { root: named = root ?? app } = question;
      const asked = askedRequest(question);
      const req = requestOf(question, asked);
      const ofOrigin = await checkOrigin(policy, req, asked.preflight);
      const { verdict } = checkRequestedHeaders(policy, req, ofOrigin);
      const walked = asked.preflight && !isRefused(verdict);
      const target = walked ? lookupIn(named)(req) : undefined;
      return explainAnswer(policy, asked, { verdict, target });
    },
  };
}

function askedRequest({ method: written, headers, credentials }: CorsQuestion): AskedRequest {
  const method = normalizedMethod(written);
  const names = parseFieldList(headers);
  const simple = isSafelistedMethod(method) && names?.length === 0;
  return { preflight: !simple, method, headers: names, credentials };
}

/** The request that the browser would send first, in no connection. */
function requestOf(
  { origin, headers, path }: CorsQuestion,
  { preflight, method }: AskedRequest,
): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.method = preflight ? 'OPTIONS' : method;
  req.url = path;
  req.headers.origin = origin;
  if (!preflight) return req;
  req.headers['access-control-request-method'] = method;
  if (headers !== undefined) req.headers['access-control-request-headers'] = String(headers);
  return req;
}

function lookupIn(root: unknown): TargetLookup {
  const check = new OptionsCheck('explain()');
  checkRoot(check, { root });
  if (root === undefined) {
    const fix = 'Give the app: explain({ root: app, … }).';
    check.mistake('root', root, { code: 'root-unknown', reason: 'leaves open whose routes count', fix });
  }
  check.done();
  return createTargetLookup({ root });
}
