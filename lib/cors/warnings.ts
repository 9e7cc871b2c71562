import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { emitWarning, tellOnce } from '../config/process-warning';
import { shownText } from '../config/shown-text';
import { readMember } from '../config/prototype-pollution';
import { readReportListener } from '../explain/words/cors-report';
import { isNpmCors } from '../express/handler-metadata';
import { parseFieldList } from '../http/field-list';
import type { Middleware } from '../http/middleware';
import { toPath } from '../http/target-path';
import type { TargetFindings, TargetInspection } from '../routes/target-methods';
import { isForbiddenInRequests, findNameFault } from './policy/field-names';
import type { CorsPolicy } from './policy/policy';
import type { WarnOfSecondPolicy } from './response-headers';
import { loadWords } from './words';

/**
 * Warns once if a preflight succeeds, but the policy of the actual response is another: because the
 * middleware is mounted after the route, so that the response has no CORS headers, or because npm cors is
 * mounted, too, whose headers are kept like all that the app sets.
 *
 * @returns a function that tells whether the middleware is mounted after the route
 */
export function createPositionWarnings(
  { subject }: CorsPolicy,
  warnOfSecondPolicy: WarnOfSecondPolicy,
): (req: IncomingMessage, target: TargetFindings, middleware: Middleware) => boolean {
  const warnOfLateMount = tellOnce('PATCH_OPTIONS_CORS_BEHIND_ROUTES', (method: string, url: string) =>
    loadWords().describeLateMount(subject, method, url),
  );
  return ({ headers }, { url, routes: { positions } }, middleware) => {
    const method = readMember(headers, 'access-control-request-method');
    if (method === undefined) return false;
    // If it is mounted several times, the first position is the one whose policy applies.
    const here = positions.find((position) => position.middleware === middleware);
    // An OPTIONS handler before it would have answered the preflight, too.
    const isLate = method !== 'OPTIONS' && here?.followsAllRoutes(method) === true;
    if (isLate) warnOfLateMount(method, url);
    if (positions.some((position) => isNpmCors(position.middleware))) {
      warnOfSecondPolicy(() => loadWords().describeNpmCors(subject, method, url));
    }
    return isLate;
  };
}

/** One `corsPreflight`. */
export type CorsInstance = readonly [middleware: Middleware, policy: CorsPolicy];

/**
 * Warns once if an instance with another policy is in front of this one wherever this one is reached, so that
 * its policy never applies. One for fewer paths in front of one for all is as it should be.
 */
export function createShadowWarning(
  policy: CorsPolicy,
  warnOfSecondPolicy: WarnOfSecondPolicy,
  inspect: TargetInspection,
): (first: CorsInstance, req: IncomingMessage, middleware: Middleware) => void {
  const compared = new WeakSet<CorsPolicy>();
  // What differs between any two instances.
  const differingAnyway = { subject: undefined, allows: undefined, notifyRefused: undefined };
  return ([inFront, other], req, middleware) => {
    if (compared.has(other)) return;
    compared.add(other);
    if (isDeepStrictEqual({ ...other, ...differingAnyway }, { ...policy, ...differingAnyway })) return;
    const { url, routes } = inspect(req, middleware) ?? {};
    const here = routes?.positions.find((position) => position.middleware === middleware);
    if (here?.place.inFront.includes(inFront) !== true) return;
    const request = `${req.method} ${shownText(toPath(url ?? '/'))}`;
    warnOfSecondPolicy(() => loadWords().describeShadowing(policy.subject, other.subject, request));
  };
}

/** Clients choose the names: so each gets one warning, and there are at most ten. */
const maxHeaderWarnings = 10;

/**
 * Warns of headers that a page of an allowed origin asks for and that are not allowed: the preflight gets
 * 200, and only the browser's console would say why the request fails.
 */
export function createHeaderWarnings(
  policy: CorsPolicy,
): (req: IncomingMessage, target: TargetFindings['target'], url: string) => void {
  const { allowedHeaders, credentials, subject } = policy;
  if (allowedHeaders === 'requested') return () => undefined;
  const warnings = new Set<string>();
  // Pages mostly send the same headers: a list that was checked is not read again.
  let checkedList = '';
  const allowed = new Set(allowedHeaders.all.map((name) => name.toLowerCase()));
  const isAllowed = (name: string): boolean =>
    allowed.has(name) || (allowed.has('*') && !credentials && name !== 'authorization');
  return (req, target, url) => {
    const { headers } = req;
    const requested = readMember(headers, 'access-control-request-headers');
    if (requested === undefined || requested === checkedList || warnings.size >= maxHeaderWarnings) return;
    // `explainCors` says it itself.
    if (readReportListener(req) !== undefined) return;
    const { origin = '', 'access-control-request-method': method = '' } = headers;
    // Then the method is why the browser refuses.
    if (target?.methods.includes(method) !== true) return;
    checkedList = requested;
    for (const requestedName of parseFieldList(requested) ?? []) {
      const name = requestedName.toLowerCase();
      if (isAllowed(name) || warnings.has(name) || warnings.size >= maxHeaderWarnings) continue;
      // No browser asks for these.
      if (findNameFault(name) !== undefined || isForbiddenInRequests(name) || name.length > 100) continue;
      warnings.add(name);
      const request = { method, url, origin };
      const message = loadWords().describeUnlistedHeader(subject, name, request, {
        allowedHeaders,
        credentials,
      });
      emitWarning('PATCH_OPTIONS_CORS_HEADER', message);
    }
  };
}
