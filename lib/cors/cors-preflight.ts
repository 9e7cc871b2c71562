import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { emitWarning, warnOnce } from '../config/process-warning';
import { readMember } from '../config/prototype-pollution';
import { inspectShort } from '../config/inspect';
import { isNpmCors, markAsOwn, trackPosition } from '../express/handler-metadata';
import { parseFieldList } from '../http/field-list';
import { header } from '../http/header';
import type { Middleware, Next } from '../http/middleware';
import { passError } from '../http/pass-error';
import { addNames, beforeHead, endResponse, setIfUnset } from '../http/response-head';
import { toPath } from '../http/target-path';
import {
  createTargetInspection,
  rememberRoot,
  type TargetFindings,
  type TargetInspection,
} from '../routes/target-methods';
import type * as Diagnostics from './diagnostics';
import { findNameIssue, isForbiddenInRequests } from './names';
import type { CorsOptions, CorsRefusalCode } from './options';
import { decideOrigin, isOwnPage, refuse, type OriginDecision } from './origin';
import { createPolicy, type CorsPolicy } from './policy';
import { corsLog, preflightChannel, readReportListener, type CorsReport } from './report';

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

/** One `corsPreflight`, where it is mounted. */
type MountedPolicy = readonly [middleware: Middleware, policy: CorsPolicy];

const firstPolicyKey = Symbol('patch-options:policy');

interface CorsRequest extends IncomingMessage {
  /** The first `corsPreflight` that the request has reached; those behind it leave the request alone. */
  [firstPolicyKey]?: MountedPolicy;
}

/** In the report of a request whose routes were not looked up. */
const notInspected = { methods: undefined, headersInFront: undefined, onlyWildcards: false } as const;

/**
 * @param subject - the function that the app called, for messages
 * @param outerRoot - the `root` of the middleware around this one; used if `options` have none
 */
export function createCorsPreflight(options: CorsOptions, subject?: string, outerRoot?: unknown): Middleware {
  const policy = createPolicy(options, subject);
  // Checked by `createPolicy`, but no part of a policy: the same policy can be mounted in several apps.
  const root = readMember(options, 'root') ?? outerRoot;
  // With `fallbackMethods`, it also works in front of a server without Express, for which there is no `root` to give.
  const inspectTarget = createTargetInspection(root, policy.fallbackMethods === undefined);

  const mounted: MountedPolicy = [middleware, policy];
  const policyFields = createPolicyFields(policy);
  // A preflight and other OPTIONS requests differ by the presence of Access-Control-Request-Method, not by its
  // value, and are answered differently.
  const preflightVary =
    'Access-Control-Request-Method' +
    (policy.allowedHeaders === 'requested' ? ', Access-Control-Request-Headers' : '');
  // Some browsers wait for content if the answer to OPTIONS has no Content-Length.
  const varyAndLength = ['Vary', [...policy.vary, preflightVary].join(', '), 'Content-Length', '0'];
  const fieldsFor = createAnswerFields(policy, [...policyFields, ...varyAndLength]);
  const varyNames = policy.vary.join(', ');
  const exposedNames = policy.exposedHeaders.join(', ');

  // Warns once if two policies apply to the same responses.
  const warnOfSecondPolicy = warnOnce('PATCH_OPTIONS_CORS_TWICE', (describe: () => string) => describe());
  const warnOfLateMount = warnOnce('PATCH_OPTIONS_CORS_BEHIND_ROUTES', (method: string, url: string) =>
    loadDiagnostics().describeLateMount(policy.subject, method, url),
  );
  const warnOfShadowing = createShadowWarning(policy, warnOfSecondPolicy, inspectTarget);
  const warnOfHeaders = createHeaderWarnings(policy);

  function middleware(req: CorsRequest, res: ServerResponse, next: Next): void {
    // Middlewares behind this one look their routes up in the same app.
    rememberRoot(req, root);
    const first = req[firstPolicyKey];
    if (first !== undefined) {
      warnOfShadowing(first, req, middleware);
      next();
      return;
    }
    const preflight = isPreflight(req);
    const respond = preflight ? answerPreflight : passOn;
    // The origin is checked first, because that is cheapest, and because an origin that is not allowed must
    // learn nothing about the routes.
    const decision = decideOrigin(policy, req, preflight);
    if (!(decision instanceof Promise)) {
      respond(decision, req, res, next);
      return;
    }
    // A response that is sent before the origin function settles depends on the origin, too, so Vary must
    // tell caches.
    if (!res.headersSent) {
      beforeHead(res, () => {
        addNames(res, 'Vary', varyNames);
      });
    }
    const responded = decision.then((settled) => {
      // A timeout middleware of the app may have answered in the meantime.
      if (!res.writableEnded) respond(settled, req, res, next);
    });
    responded.catch((error: unknown) => {
      passError(error, res, next);
    });
  }

  /**
   * The answer does not depend on the requested method, nor on the requested headers: the browser compares them
   * with the answer (CORS-preflight fetch steps 7.5 to 7.7), and its console names the one that is not allowed.
   */
  function answerPreflight(
    originDecision: OriginDecision,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    // A stream, or a timeout middleware, has already sent the head: nothing can be added to it.
    if (res.headersSent) {
      passOn(originDecision, req, res, next);
      return;
    }

    let decision = originDecision;
    let echoed: readonly string[] = [];
    const requested = header(req, 'access-control-request-headers');
    if (policy.allowedHeaders === 'requested' && requested !== undefined && decision.code === undefined) {
      const names = readRequestedNames(requested);
      if (typeof names === 'string') decision = refuse(names, header(req, 'origin') ?? '');
      else if (names.length > 0) echoed = ['Access-Control-Allow-Headers', names.join(', ').toLowerCase()];
    }

    // CORS-preflight fetch step 7, CORS check step 2: an origin that is not allowed gets no
    // Access-Control-Allow-Origin, and no ok status. A preflight always has an origin, so undefined means
    // refused.
    const { allowOrigin } = decision;
    if (allowOrigin === undefined) {
      report(req, res, true, decision);
      endResponse(res, 403, [...varyAndLength]);
      return;
    }

    const target = inspectTarget(req, middleware);
    warnAndReport(decision, target, req, res);

    // No visible route: only the app knows its methods. Headers that its answer lacks are added when the head
    // is written.
    const methods = target?.methods?.names ?? policy.fallbackMethods;
    if (methods === undefined) {
      beforeHead(res, () => {
        const appMethods = readAllow(res);
        if (appMethods === undefined) return;
        addNames(res, 'Vary', preflightVary);
        const fields = [...methodsField(policy, appMethods), ...policyFields, ...echoed];
        for (let i = 0; i < fields.length; i += 2) setIfUnset(res, fields[i] ?? '', fields[i + 1] ?? '');
      });
      decorateAndPass(allowOrigin, req, res, next);
      return;
    }

    // Step 7.1: the methods, even if there are none. Without the header, the browser allows the request's own
    // method if the use-CORS-preflight flag is set (step 7.4).
    endResponse(res, 200, ['Access-Control-Allow-Origin', allowOrigin, ...fieldsFor(methods), ...echoed]);
  }

  /**
   * Tells the app why the page's request may fail all the same, and everybody who listens how the preflight was
   * answered. Nothing here changes the answer: only for this is the requested method compared.
   */
  function warnAndReport(
    decision: OriginDecision,
    target: TargetFindings | undefined,
    req: IncomingMessage,
    res: ServerResponse,
  ): void {
    const { url = '', methods, walk } = target ?? {};
    const method = header(req, 'access-control-request-method') ?? '';
    const positions = walk?.positions ?? [];
    // If it is mounted several times, the first position is the one whose policy applies.
    const here = positions.find((position) => position.middleware === middleware);
    // The preflight succeeds, but the route comes before this middleware, so its response has only the CORS
    // headers of middleware in front of both. This cannot happen for OPTIONS itself: an OPTIONS handler in
    // front would have answered this preflight.
    const behindRoutes = method !== 'OPTIONS' && here?.followsAllRoutes(method) === true;
    const headersInFront = behindRoutes ? readCorsHeaders(res) : undefined;
    if (behindRoutes && headersInFront?.['access-control-allow-origin'] === undefined)
      warnOfLateMount(method, url);
    // The headers of npm cors are kept, like all headers that the app sets.
    if (positions.some((position) => position !== here && isNpmCors(position.middleware)))
      warnOfSecondPolicy(() => loadDiagnostics().describeNpmCors(policy.subject, method, url));
    // If the target lacks the method, the browser refuses for that reason, so there is nothing to warn of.
    if (methods?.names.includes(method) === true) warnOfHeaders(req, method, url);
    const onlyWildcards = methods !== undefined && walk?.specific === undefined && walk?.allVerbs === false;
    report(req, res, true, decision, { methods, headersInFront, onlyWildcards });
  }

  /**
   * Passes on any other request, and a preflight whose head is already sent. From the response's headers, the
   * browser decides whether a page can read it (CORS check).
   */
  function passOn(decision: OriginDecision, req: IncomingMessage, res: ServerResponse, next: Next): void {
    report(req, res, false, decision);
    decorateAndPass(decision.allowOrigin, req, res, next);
  }

  /**
   * Adds the CORS headers when the head of the response is written, after all changes by handlers, error
   * handlers and `writeHead`. If they were set earlier, an error handler that removes all headers would lose
   * them, and a handler that sets `Vary` would let a cache serve a response for one origin to another.
   *
   * Headers that the app has set are kept, and names are added to headers that list names. If the app's
   * headers lead a browser to another decision than the headers of the policy, a process warning says so,
   * once.
   *
   * @param allowOrigin - undefined if the origin is not allowed, or if the request has none
   */
  function decorateAndPass(
    allowOrigin: string | undefined,
    req: CorsRequest,
    res: ServerResponse,
    next: Next,
  ): void {
    req[firstPolicyKey] = mounted;
    if (res.headersSent) {
      next();
      return;
    }
    const { method = '', url = '/', headers } = req;
    const origin = header(req, 'origin');
    beforeHead(res, () => {
      if (varyNames !== '') addNames(res, 'Vary', varyNames);
      const isSetByApp =
        res.hasHeader('Access-Control-Allow-Origin') ||
        (policy.credentials && res.hasHeader('Access-Control-Allow-Credentials'));
      if (isSetByApp && origin !== undefined && !isOwnPage(req)) {
        // Runs after the middlewares in front, which can still change the head.
        process.nextTick(() => {
          const response = {
            ...{ method, url, origin, headers },
            allowOrigin: readValue(res, 'Access-Control-Allow-Origin'),
            allowCredentials: policy.credentials
              ? readValue(res, 'Access-Control-Allow-Credentials')
              : undefined,
          };
          const message = loadDiagnostics().describeOtherDecision(policy, allowOrigin, response);
          if (message !== undefined) warnOfSecondPolicy(() => message);
        });
      }
      if (allowOrigin === undefined) return;
      setIfUnset(res, 'Access-Control-Allow-Origin', allowOrigin);
      if (policy.credentials) setIfUnset(res, 'Access-Control-Allow-Credentials', 'true');
      if (exposedNames !== '') addNames(res, 'Access-Control-Expose-Headers', exposedNames);
    });
    next();
  }

  /** Reports a decision to all listeners, before the answer. */
  function report(
    req: IncomingMessage,
    res: ServerResponse,
    preflight: boolean,
    decision: OriginDecision,
    inspected: Pick<CorsReport, 'methods' | 'headersInFront' | 'onlyWildcards'> = notInspected,
  ): void {
    if (preflight && preflightChannel.hasSubscribers) {
      const isAnswered = inspected.methods !== undefined || policy.fallbackMethods !== undefined;
      const status = isAnswered ? 200 : undefined;
      preflightChannel.traceSync(() => undefined, {
        origin: header(req, 'origin') ?? '',
        outcome: decision.code ?? 'allowed',
        status: decision.code === undefined ? status : 403,
      });
    }
    const isHeard =
      readReportListener(req) !== undefined ||
      corsLog.enabled ||
      (decision.code !== undefined && policy.notifyRefused !== undefined);
    if (!isHeard || (!preflight && isOwnPage(req))) return;
    const decided = { instance: middleware, policy, preflight, decision, ...inspected };
    loadDiagnostics().reportDecision(decided, req, res);
  }

  // So that the walk over the routes records where it is mounted, and does not count it as an OPTIONS handler.
  return trackPosition(markAsOwn(middleware));
}

/** Loaded when the first decision is reported, because most requests do not need it. */
function loadDiagnostics(): typeof Diagnostics {
  return require('./diagnostics') as typeof Diagnostics;
}

/**
 * The headers of an answer to a preflight, except for the origin, as a flat list of names and values.
 *
 * Each list of headers is made once: targets share their lists of methods, whose number depends on the
 * routes.
 *
 * @param others - the headers that do not depend on the target
 */
function createAnswerFields(
  policy: CorsPolicy,
  others: readonly string[],
): (methods: readonly string[]) => readonly string[] {
  const known = new WeakMap<readonly string[], readonly string[]>();
  return (methods) => {
    let fields = known.get(methods);
    if (fields === undefined) known.set(methods, (fields = [...methodsField(policy, methods), ...others]));
    return fields;
  };
}

/**
 * The methods that the answer to a preflight lists: all methods that the target's routes handle, and OPTIONS,
 * restricted by the option `methods`. They are listed even if they were not requested, so that the browser
 * can cache the answer for them, and its console can name a missing one.
 */
function methodsField({ methods: listed }: CorsPolicy, methods: readonly string[]): readonly string[] {
  const names = methods.filter((method) => listed?.includes(method) !== false);
  return ['Access-Control-Allow-Methods', names.join(', ')];
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
 * Warns once if every request that reaches this instance has passed another instance with another policy, so
 * that the policy of this one never applies. It does not warn if the instance in front is for fewer paths.
 */
function createShadowWarning(
  policy: CorsPolicy,
  warnOfSecondPolicy: (describe: () => string) => void,
  inspect: TargetInspection,
): (first: MountedPolicy, req: IncomingMessage, middleware: Middleware) => void {
  const compared = new WeakSet<CorsPolicy>();
  // Members that differ between any two instances.
  const differingAnyway = { subject: undefined, allows: undefined, notifyRefused: undefined };
  return ([inFront, other], req, middleware) => {
    if (compared.has(other)) return;
    compared.add(other);
    if (isDeepStrictEqual({ ...other, ...differingAnyway }, { ...policy, ...differingAnyway })) return;
    const { url, walk } = inspect(req, middleware) ?? {};
    const here = walk?.positions.find((position) => position.middleware === middleware);
    if (here?.place.inFront.includes(inFront) !== true) return;
    const request = `${req.method} ${inspectShort(toPath(url ?? '/'))}`;
    warnOfSecondPolicy(() => loadDiagnostics().describeShadowing(policy.subject, other.subject, request));
  };
}

/** Clients choose the names, so there is one warning for each name, and at most ten. */
const maxHeaderWarnings = 10;

/**
 * Warns of headers that a page of an allowed origin asks for, but that are not allowed: the preflight gets
 * 200, so only the browser's console would say why the request fails.
 */
function createHeaderWarnings(
  policy: CorsPolicy,
): (req: IncomingMessage, method: string, url: string) => void {
  const { allowedHeaders, credentials, subject } = policy;
  if (allowedHeaders === 'requested') return () => undefined;
  const warnings = new Set<string>();
  // Pages mostly send the same headers, so the list that was checked last is not read again.
  let checkedList = '';
  const allowed = new Set(allowedHeaders.all.map((name) => name.toLowerCase()));
  const isAllowed = (name: string): boolean =>
    allowed.has(name) || (allowed.has('*') && !credentials && name !== 'authorization');
  return (req, method, url) => {
    const requested = header(req, 'access-control-request-headers');
    if (requested === undefined || requested === checkedList || warnings.size >= maxHeaderWarnings) return;
    // `explainCors` reports it itself.
    if (readReportListener(req) !== undefined) return;
    checkedList = requested;
    for (const requestedName of parseFieldList(requested) ?? []) {
      const name = requestedName.toLowerCase();
      if (isAllowed(name) || warnings.has(name) || warnings.size >= maxHeaderWarnings) continue;
      // No browser asks for such a name.
      if (findNameIssue(name) !== undefined || isForbiddenInRequests(name) || name.length > 100) continue;
      warnings.add(name);
      const request = { method, url, origin: header(req, 'origin') ?? '' };
      const listed = { allowedHeaders, credentials };
      const message = loadDiagnostics().describeUnlistedHeader(subject, name, request, listed);
      emitWarning('PATCH_OPTIONS_CORS_HEADER', message);
    }
  };
}

/**
 * Whether a request is a CORS-preflight request (Fetch, CORS protocol): OPTIONS with both headers. OPTIONS
 * without one of them asks about the resource. Only the presence of Access-Control-Request-Method matters,
 * not its value.
 */
function isPreflight(req: IncomingMessage): boolean {
  return (
    req.method === 'OPTIONS' &&
    header(req, 'origin') !== undefined &&
    header(req, 'access-control-request-method') !== undefined
  );
}

/** The maximum length of a list that is echoed: four times the length that real pages send. */
const maxListLength = 4_096;

/**
 * The header names that a preflight asks for, which are echoed in lower case, as browsers compare them; or
 * the code of the refusal. A name that is not a token would make browsers refuse the whole list (Fetch,
 * extract header list values).
 */
function readRequestedNames(requested: string): readonly string[] | CorsRefusalCode {
  const names = requested.length > maxListLength ? undefined : parseFieldList(requested);
  if (names === undefined) return 'cors-headers-too-many';
  return names.some((name) => findNameIssue(name) !== undefined) ? 'cors-headers-malformed' : names;
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

/** A header as the browser reads it: several lines joined by a comma (Fetch, get a header). */
function readCorsHeaders(res: ServerResponse): CorsReport['headersInFront'] {
  const names = ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials'];
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), readValue(res, name)]));
}

function readValue(res: ServerResponse, name: string): string | undefined {
  const value = res.getHeader(name);
  return value === undefined ? undefined : [value].flat().join(', ').trim();
}
