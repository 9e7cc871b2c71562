import type { IncomingMessage, ServerResponse } from 'node:http';
import { shownText, tellOnce } from '../config/app-callbacks';
import { readMember, pickOptions } from '../config/prototype-pollution';
import { isNpmCors, passesOptions, trackPosition } from '../express/handler-metadata';
import { beforeHead } from '../http/before-head';
import { parseFieldList } from '../http/field-list';
import { handOn } from '../http/hand-on';
import type { Middleware, Next } from '../http/middleware';
import { endResponse, setIfUnset, varyOn } from '../http/response-head';
import { toPath } from '../http/target-path';
import { createTargetInspection, type TargetFindings, type TargetMethods } from '../routes/target-methods';
import { registerInstance } from './policy-registry';
import { checkOrigin, refused, type OriginDecision } from './origin/check-origin';
import { nameFault } from './policy/field-names';
import type { CorsOptions } from './policy/options';
import { corsPolicy, listedMethods, type CorsPolicy } from './policy/policy';
import { sayBehindRoutes, type CorsFindings } from './fetch-steps';
import { report, reportAnswer } from './report';
import { createResponseDecorator, type TellTwice } from './response-headers';

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

/** Requests that an instance has passed on; the instances behind it leave them alone. */
const passedOn = new WeakSet<IncomingMessage>();

/**
 * @param subject - the function that the app called, for messages
 * @param outerRoot - the `root` of the middleware of which this is a child; used if `options` have none
 */
export function createCorsPreflight(options: CorsOptions, subject?: string, outerRoot?: unknown): Middleware {
  const policy = corsPolicy(options, subject);
  const { root = outerRoot } = pickOptions(options, ['root']);
  // With `unseen`, it also works in front of a server without Express, for which there is no `root` to give.
  const inspectTarget = createTargetInspection({ root, needsRoutes: policy.unseen === undefined });
  const tellTwice: TellTwice = tellOnce('PATCH_OPTIONS_CORS_TWICE', (describe: () => string) => describe());
  const warnOfPosition = createPositionWarnings(policy, tellTwice);
  const responses = createResponseDecorator(policy, tellTwice);
  const answers = prepareAnswers(policy);

  function middleware(req: IncomingMessage, res: ServerResponse, next: Next): void {
    if (passedOn.has(req)) {
      next();
      return;
    }
    const preflight = isPreflight(req);
    const carryOn = preflight ? answerPreflight : passOn;
    // The origin first: that is cheapest, and an origin that is not allowed learns nothing about the routes.
    const ofOrigin = checkOrigin(policy, req, preflight);
    if (!(ofOrigin instanceof Promise)) {
      carryOn(ofOrigin, req, res, next);
      return;
    }
    // A response that is sent before the origin function settles depends on the origin, too: caches must see
    // that in Vary.
    if (!res.headersSent) responses.decorateUndecided(res);
    const carriedOn = ofOrigin.then((settled) => {
      // A timeout middleware of the app can have answered in the meantime.
      if (!res.writableEnded) carryOn(settled, req, res, next);
    });
    carriedOn.catch((error: unknown) => {
      handOn(error, res, next);
    });
  }

  /**
   * The requested method is not compared with those of the target, nor are the requested headers: the browser
   * does that, and its console names the one that is not allowed.
   */
  function answerPreflight(
    ofOrigin: OriginDecision,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    const { decision, requestedHeaders } = checkRequestedHeaders(policy, req, ofOrigin);
    const { allowOrigin } = decision;
    const { target, behindRoutes } = allowOrigin === undefined ? nothing : lookUpTarget(req);
    const findings = { preflight: true, decision, target, behindRoutes };
    const fields = answers.ofTarget(target);

    if (res.headersSent) {
      letThrough(decision, req, res, next);
    } else if (allowOrigin === undefined) {
      // CORS-preflight fetch step 7, CORS check step 2: no Access-Control-Allow-Origin.
      endResponse(res, 403, answers.refused);
    } else if (fields !== undefined) {
      const echoed = requestedHeaders === undefined ? [] : ['Access-Control-Allow-Headers', requestedHeaders];
      endResponse(res, 200, ['Access-Control-Allow-Origin', allowOrigin, ...fields, ...echoed]);
    } else {
      // No visible route: only the app knows what it answers.
      reportAnswer(policy, findings, req, res);
      beforeHead(res, () => {
        answers.complete(res, requestedHeaders);
      });
      letThrough(decision, req, res, next);
      return;
    }
    report(policy, findings, req, middleware);
  }

  function lookUpTarget(req: IncomingMessage): Pick<CorsFindings, 'target' | 'behindRoutes'> {
    const findings = inspectTarget(req, middleware);
    if (findings === undefined) return nothing;
    return { target: findings.target, behindRoutes: warnOfPosition(req, findings, middleware) };
  }

  /** CORS check: the browser decides whether a page can read a response, from the response's headers. */
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
    passedOn.add(req);
    // The head can have been sent before, as for a stream; then nothing can be added.
    if (!res.headersSent) responses.decorate(req, res, allowOrigin);
    next();
  }

  registerInstance({ middleware, policy, root });
  return trackPosition(passesOptions(middleware));
}

/** Of a target that is not looked up. */
const nothing: Pick<CorsFindings, 'target' | 'behindRoutes'> = { target: undefined, behindRoutes: false };

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

/** What a preflight's origin and header names lead to, before its target is looked up. */
interface PreflightDecision {
  readonly decision: OriginDecision;
  /** The value of Access-Control-Allow-Headers; undefined: the list of the policy. */
  readonly requestedHeaders: string | undefined;
}

/** The maximum length of a list that is echoed: four times as much as real pages send. */
const longestRequest = 4_096;

/**
 * Checks the header names that a preflight asks for, if the policy echoes them. They are echoed in lower
 * case, as browsers compare them.
 */
export function checkRequestedHeaders(
  { allowedHeaders }: CorsPolicy,
  { headers }: IncomingMessage,
  decision: OriginDecision,
): PreflightDecision {
  const requested =
    allowedHeaders === 'requested' ? readMember(headers, 'access-control-request-headers') : undefined;
  if (requested === undefined || decision.allowOrigin === undefined)
    return { decision, requestedHeaders: undefined };
  const origin = headers.origin ?? '';
  const names = requested.length > longestRequest ? undefined : parseFieldList(requested);
  if (names === undefined)
    return { decision: refused('cors-headers-too-many', origin), requestedHeaders: undefined };
  // A name that is not a token would make browsers refuse the whole list (Fetch, extract header list values).
  if (names.some((name) => nameFault(name) !== undefined))
    return { decision: refused('cors-headers-malformed', origin), requestedHeaders: undefined };
  return { decision, requestedHeaders: names.length === 0 ? undefined : names.join(', ').toLowerCase() };
}

/** The headers of a policy's answers to preflights, as flat lists of names and values. */
interface PreparedAnswers {
  /** For an origin, or for header names, that are not allowed. */
  readonly refused: string[];
  /**
   * All but the origin.
   *
   * @param target - undefined if no visible route matches
   * @returns undefined if the preflight goes on to the app
   */
  ofTarget(target: TargetMethods | undefined): readonly string[] | undefined;
  /**
   * Turns the app's answer to an OPTIONS request into an answer to a preflight; called when its head is
   * written.
   */
  complete(res: ServerResponse, requestedHeaders: string | undefined): void;
}

function prepareAnswers(policy: CorsPolicy): PreparedAnswers {
  const { allowedHeaders, unseen } = policy;
  // The presence of this header, not its value, tells a preflight from other OPTIONS requests, which are
  // answered differently.
  const differsBy = ['Access-Control-Request-Method'];
  if (allowedHeaders === 'requested') differsBy.push('Access-Control-Request-Headers');
  const vary = ['Vary', [...policy.vary, ...differsBy].join(', ')];
  // Sent because some browsers wait for content if the answer to OPTIONS has no Content-Length.
  const empty = ['Content-Length', '0'];
  const ofUnseen = unseen && [...preflightFields(policy, unseen), ...vary, ...empty];
  /** By `TargetMethods`, whose number depends on the routes. */
  const ofTargets = new WeakMap<TargetMethods, readonly string[]>();

  return {
    refused: [...vary, ...empty],
    ofTarget(target) {
      if (target === undefined) return ofUnseen;
      let fields = ofTargets.get(target);
      if (fields === undefined) {
        fields = [...preflightFields(policy, listedMethods(policy, target.methods)), ...vary, ...empty];
        ofTargets.set(target, fields);
      }
      return fields;
    },
    complete(res, requestedHeaders) {
      const methods = readAllow(res);
      if (methods === undefined) return;
      varyOn(res, differsBy.join(', '));
      const fields = preflightFields(policy, listedMethods(policy, methods));
      if (requestedHeaders !== undefined) fields.push('Access-Control-Allow-Headers', requestedHeaders);
      for (let i = 0; i < fields.length; i += 2) setIfUnset(res, fields[i] ?? '', fields[i + 1] ?? '');
    },
  };
}

function preflightFields(policy: CorsPolicy, methods: readonly string[]): string[] {
  const { credentials, allowedHeaders, maxAge } = policy;
  const listed = allowedHeaders === 'requested' ? [] : allowedHeaders.all;
  return [
    // Sent even if it is empty: without the header, the browser allows the request's own method if the
    // use-CORS-preflight flag is set (Fetch, CORS-preflight fetch step 7.4).
    ...['Access-Control-Allow-Methods', methods.join(', ')],
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

/**
 * Warns once if a preflight succeeds, but the policy of the actual response is another: because the
 * middleware is mounted after the route, so that the response has no CORS headers, or because npm cors is
 * mounted, too, whose headers are kept like all that the app sets.
 *
 * @returns a function that tells whether the middleware is mounted after the route
 */
function createPositionWarnings(
  { subject }: CorsPolicy,
  tellTwice: TellTwice,
): (req: IncomingMessage, target: TargetFindings, middleware: Middleware) => boolean {
  const tellLate = tellOnce('PATCH_OPTIONS_CORS_BEHIND_ROUTES', mountedLate);
  return ({ headers }, { url, routes: { positions } }, middleware) => {
    const method = readMember(headers, 'access-control-request-method');
    if (method === undefined) return false;
    // If it is mounted several times, the first position is the one whose policy applies.
    const here = positions.find((position) => position.middleware === middleware);
    const isLate = here?.followsAllRoutes(method) === true;
    if (isLate) tellLate(subject, method, url);
    if (positions.some((position) => isNpmCors(position.middleware))) {
      tellTwice(() => mountedTwice(subject, method, url));
    }
    return isLate;
  };
}

function mountedLate(subject: string, method: string, url: string): string {
  return sayBehindRoutes(subject, `${method} ${shownText(toPath(url))}`);
}

function mountedTwice(subject: string, method: string, url: string): string {
  return (
    `npm cors is mounted beside ${subject}: the preflight for ${method} ${shownText(toPath(url))} was ` +
    `answered by the policy of ${subject}, but npm cors sets the CORS headers of the response, ` +
    `also for origins that ${subject} refuses. Remove npm cors, and cors: true of Nest.`
  );
}
