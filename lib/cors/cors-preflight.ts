import type { IncomingMessage, ServerResponse } from 'node:http';
import { tellOnce } from '../config/process-warning';
import { readMember, pickOptions } from '../config/prototype-pollution';
import { passesOptions, trackPosition } from '../express/handler-metadata';
import { addNames, beforeHead, endResponse, setIfUnset } from '../http/response-head';
import { parseFieldList } from '../http/field-list';
import { passError } from '../http/pass-error';
import type { Middleware, Next } from '../http/middleware';
import { rememberRoot } from '../routes/target-methods';
import { createTargetInspection } from '../routes/target-methods';
import { checkOrigin, type OriginDecision } from './origin/check-origin';
import type { CorsOptions } from './policy/options';
import { createPolicy, restrictMethods, type CorsPolicy } from './policy/policy';
import { tellDecision } from './report';
import { checkRequestedHeaders } from './requested-headers';
import { createResponseDecorator, type WarnOfSecondPolicy } from './response-headers';
import {
  type CorsInstance,
  createHeaderWarnings,
  createPositionWarnings,
  createShadowWarning,
} from './warnings';

/**
 * Answers CORS preflights with the methods of the target's routes, and adds the CORS headers to every other
 * response, errors included (Fetch, CORS protocol). It never blocks requests that are not preflights.
 *
 * Mount it before the routes and before authentication: preflights carry no credentials. If a request reaches
 * several instances, the policy of the first applies.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function corsPreflight(options: CorsOptions = {}): Middleware {
  return createCorsPreflight(options);
}

/** The instance that has passed a request on; the instances behind it leave that alone. */
const firstInstances = new WeakMap<IncomingMessage, CorsInstance>();

/**
 * @param subject - the function that the app called, for messages
 * @param outerRoot - the `root` of the middleware of which this is a child; used if `options` have none
 */
export function createCorsPreflight(options: CorsOptions, subject?: string, outerRoot?: unknown): Middleware {
  const policy = createPolicy(options, subject);
  const { root = outerRoot } = pickOptions(options, ['root']);
  // With `unseen`, it also works in front of a server without Express, for which there is no `root` to give.
  const inspectTarget = createTargetInspection({ root, needsRoutes: policy.unseen === undefined });
  const warnOfSecondPolicy: WarnOfSecondPolicy = tellOnce(
    'PATCH_OPTIONS_CORS_TWICE',
    (describe: () => string) => describe(),
  );
  const warnOfPosition = createPositionWarnings(policy, warnOfSecondPolicy);
  const warnOfShadowing = createShadowWarning(policy, warnOfSecondPolicy, inspectTarget);
  const warnOfHeaders = createHeaderWarnings(policy);
  const responses = createResponseDecorator(policy, warnOfSecondPolicy);
  const listMethods = memoize((methods) => restrictMethods(policy, methods).join(', '));
  const policyFields = createPolicyFields(policy);
  // The presence of Access-Control-Request-Method, not its value, tells a preflight from other OPTIONS
  // requests, which are answered differently.
  const differsBy =
    'Access-Control-Request-Method' +
    (policy.allowedHeaders === 'requested' ? ', Access-Control-Request-Headers' : '');
  // Some browsers wait for content if the answer to OPTIONS has no Content-Length.
  const varyAndEnd = ['Vary', [...policy.vary, differsBy].join(', '), 'Content-Length', '0'];

  function middleware(req: IncomingMessage, res: ServerResponse, next: Next): void {
    rememberRoot(req, root);
    const first = firstInstances.get(req);
    if (first !== undefined) {
      warnOfShadowing(first, req, middleware);
      next();
      return;
    }
    const preflight = isPreflight(req);
    const respond = preflight ? answerPreflight : decorateResponse;
    // The origin first: that is cheapest, and an origin that is not allowed learns nothing about the routes.
    const decision = checkOrigin(policy, req, preflight);
    if (!(decision instanceof Promise)) {
      respond(decision, req, res, next);
      return;
    }
    // A response that is sent before the origin function settles depends on the origin, too: caches must see
    // that in Vary.
    if (!res.headersSent) responses.decorateUndecided(res);
    const responded = decision.then((settled) => {
      // A timeout middleware of the app may have answered in the meantime.
      if (!res.writableEnded) respond(settled, req, res, next);
    });
    responded.catch((error: unknown) => {
      passError(error, res, next);
    });
  }

  /**
   * The requested method is not compared with those of the target, nor are the requested headers: the browser
   * does that (CORS-preflight fetch steps 7.5 to 7.7), and its console names the one that is not allowed.
   */
  function answerPreflight(
    originDecision: OriginDecision,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    // The head of a stream, or of the answer of a timeout middleware: nothing can be added to it.
    if (res.headersSent) {
      decorateResponse(originDecision, req, res, next);
      return;
    }

    // CORS-preflight fetch step 7, CORS check step 2: an origin that is not allowed gets no
    // Access-Control-Allow-Origin, and no ok status.
    const { decision, requestedHeaders } = checkRequestedHeaders(policy, req, originDecision);
    const { allowOrigin } = decision;
    if (allowOrigin === undefined) {
      const report = {
        instance: middleware,
        policy,
        preflight: true,
        decision,
        ...notInspected,
      };
      tellDecision(report, req, res);
      endResponse(res, 403, [...varyAndEnd]);
      return;
    }

    const routes = inspectTarget(req, middleware);
    const target = routes?.target;
    const behindRoutes = routes !== undefined && warnOfPosition(req, routes, middleware);
    warnOfHeaders(req, target, routes?.url ?? '');
    const { specific, allVerbs } = routes?.routes ?? {};
    const onlyWildcards = target !== undefined && specific === undefined && allVerbs === false;
    const report = {
      instance: middleware,
      policy,
      preflight: true,
      decision,
      target,
      behindRoutes,
      onlyWildcards,
    };
    tellDecision(report, req, res);
    const methods = target?.methods ?? policy.unseen;
    const echoed = requestedHeaders === undefined ? [] : ['Access-Control-Allow-Headers', requestedHeaders];

    // No visible route: only the app knows what it answers. What it lacks is added when its head is written.
    if (methods === undefined) {
      beforeHead(res, () => {
        const appMethods = readAllow(res);
        if (appMethods === undefined) return;
        addNames(res, 'Vary', differsBy);
        setUnset(res, ['Access-Control-Allow-Methods', listMethods(appMethods), ...policyFields, ...echoed]);
      });
      pass(decision, req, res, next);
      return;
    }

    // Step 7.1: the methods, even if there are none. Without the header, the browser allows the request's own
    // method if the use-CORS-preflight flag is set (step 7.4).
    endResponse(res, 200, [
      ...['Access-Control-Allow-Origin', allowOrigin],
      ...['Access-Control-Allow-Methods', listMethods(methods)],
      ...[...policyFields, ...varyAndEnd, ...echoed],
    ]);
  }

  /** CORS check: the browser decides whether a page can read a response, from the response's headers. */
  function decorateResponse(
    decision: OriginDecision,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    const report = {
      instance: middleware,
      policy,
      preflight: false,
      decision,
      ...notInspected,
    };
    tellDecision(report, req, res);
    pass(decision, req, res, next);
  }

  function pass(
    { allowOrigin }: OriginDecision,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    firstInstances.set(req, instance);
    if (!res.headersSent) responses.decorate(req, res, allowOrigin);
    next();
  }

  const instance: CorsInstance = [middleware, policy];
  return trackPosition(passesOptions(middleware));
}

/** Of a request whose routes were not looked up, in a report. */
const notInspected = { target: undefined, behindRoutes: false, onlyWildcards: false } as const;

/** Targets share their lists of methods, whose number depends on the routes: so each is joined once. */
function memoize(join: (methods: readonly string[]) => string): (methods: readonly string[]) => string {
  const lists = new WeakMap<readonly string[], string>();
  return (methods) => {
    let list = lists.get(methods);
    if (list === undefined) lists.set(methods, (list = join(methods)));
    return list;
  };
}

/**
 * Whether a request is a CORS-preflight request (Fetch, CORS protocol): OPTIONS with both headers. OPTIONS
 * without one of them asks about the resource. Only the presence of Access-Control-Request-Method matters,
 * not its value.
 */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    readMember(headers, 'origin') !== undefined &&
    readMember(headers, 'access-control-request-method') !== undefined
  );
}

/**
 * The headers that a policy adds to every preflight that it allows, as a flat list of names and values (Fetch,
 * CORS-preflight fetch steps 7.2 and 7.9, and CORS check step 8).
 */
function createPolicyFields({ allowedHeaders, credentials, maxAge }: CorsPolicy): readonly string[] {
  const listed = allowedHeaders === 'requested' ? [] : allowedHeaders.all;
  return [
    ...(listed.length > 0 ? ['Access-Control-Allow-Headers', listed.join(', ')] : []),
    ...(credentials ? ['Access-Control-Allow-Credentials', 'true'] : []),
    ...['Access-Control-Max-Age', String(maxAge)],
  ];
}

/**
 * The methods in the Allow header of the app's answer, such as Express's own answer at the end of a router
 * that cannot be walked. Undefined if the answer is not a success, which browsers reject (Fetch,
 * CORS-preflight fetch step 7), or if the app has set Access-Control-Allow-Methods itself.
 */
function readAllow(res: ServerResponse): readonly string[] | undefined {
  const isOk = res.statusCode >= 200 && res.statusCode <= 299;
  if (!isOk || !res.hasHeader('Allow') || res.hasHeader('Access-Control-Allow-Methods')) return undefined;
  const allow = res.getHeader('Allow');
  return parseFieldList(typeof allow === 'number' ? String(allow) : allow);
}

/** Sets the headers of a flat list that the app has not set. */
function setUnset(res: ServerResponse, fields: readonly string[]): void {
  for (let i = 0; i < fields.length; i += 2) setIfUnset(res, fields[i] ?? '', fields[i + 1] ?? '');
}
