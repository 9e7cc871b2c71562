import type { IncomingMessage, ServerResponse } from 'node:http';
import { shownText, tellOnce } from '../app-callbacks';
import { OptionsCheck } from '../configuration';
import { declareWaypoint, passesOptions } from '../express/handler-metadata';
import { debugLog } from '../http/debug-log';
import type { Middleware, Next } from '../http/middleware';
import { ProblemError } from '../http/problem';
import { sendProblem } from '../http/send-problem';
import { pathOf } from '../http/target-path';
import { createTargetInspection, type TargetOptions } from '../routes/allowed-methods';
import { checkRoot } from '../routes/request-target';
import type { Findings } from '../routes/route-walk';
import type { Waypoint } from '../routes/waypoint';

const debug = debugLog('options');

/** Options of `methodNotAllowed`. */
export interface MethodNotAllowedOptions extends TargetOptions {
  /** `'next'` hands the 405 to the host's error handler, as a `ProblemError`. Default `'answer'`. */
  readonly errors?: 'answer' | 'next';
}

/**
 * Answers 405 with `Allow` (RFC 9110 15.5.6) where the target has routes, but none for the method; all else goes on to
 * the host's 404. A route on a bare wildcard (`/*rest`) is no reason for a 405.
 *
 * Mount it after the routes. It answers no 405 while a route behind it takes the request, be it the app's around its router;
 * that it stands in front of routes of its own router becomes a process warning, once. Called by another function, such as an
 * exception filter, it has no place among the routes: then routes for all verbs (`app.all`) are taken to have let the request
 * pass.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function methodNotAllowed(options: MethodNotAllowedOptions = {}): Middleware {
  const { errors, root } = checkOptions(options);
  const inspect = createTargetInspection({ root });

  const placeOf = placeFinder();
  const tell = tellOnce('PATCH_OPTIONS_405_BEFORE_ROUTES', mountedEarly);

  function methodNotAllowed(req: IncomingMessage, res: ServerResponse, next: Next): void {
    const { method = 'GET' } = req;
    // OPTIONS is allowed wherever anything is: without `optionsHandler`, Express answers it.
    const found = method === 'OPTIONS' || res.headersSent ? undefined : inspect(req, methodNotAllowed);
    const here = found && placeOf(req, methodNotAllowed, found.routes.waypoints);
    if (here?.isInFrontOfRoutesHere(method) === true) tell(method, found?.url);
    const allowed = found && refusedFor(method, found.routes);
    if (allowed === undefined || here?.isInFrontOf(method) === true) {
      next();
      return;
    }
    const allow = allowed.join(', ');
    debug('%s %s: 405, allowed are %s', method, req.url, allow);
    const detail = `${method} is not allowed on this target. Allowed are ${allow}.`;
    const problem = new ProblemError(405, 'method-not-allowed', detail, { headers: { Allow: allow } });
    if (errors === 'next') next(problem);
    else sendProblem(res, problem);
  }

  return declareWaypoint(passesOptions(methodNotAllowed));
}

/**
 * What is allowed in place of this method; undefined where nothing refuses it. Every route for all verbs, proxy and static file
 * server has let the request pass: those do not count here.
 */
function refusedFor(method: string, { methods, specific }: Findings): readonly string[] | undefined {
  if (methods === undefined || specific === undefined || specific.methods.includes(method)) return undefined;
  // RFC 9110 9.3.2: HEAD is GET without the content. Where a declaration has GET alone, what it stands for has answered HEAD.
  if (method === 'HEAD' && specific.methods.includes('GET')) return undefined;
  // A route on a bare wildcard for the method has passed the request on: it allows nothing here.
  return methods.methods.filter((allowed) => allowed !== method);
}

/**
 * Where a middleware stands that a request has come to: mounted at several places on its way, it is called at one after the
 * other. Called from elsewhere it has no place.
 */
function placeFinder(): (
  req: object,
  asking: object,
  waypoints: readonly Waypoint[],
) => Waypoint | undefined {
  const calls = new WeakMap<object, number>();
  return (req, asking, waypoints) => {
    const before = calls.get(req) ?? 0;
    calls.set(req, before + 1);
    return waypoints.filter(({ middleware }) => middleware === asking)[before];
  };
}

function mountedEarly(method: string, url = '/'): string {
  return (
    `methodNotAllowed() is mounted before routes: ${method} ${shownText(pathOf(url))} reached it before the route that ` +
    'handles it. Mount it after all routes; where a framework adds its routes later, call it from an exception filter.'
  );
}

function checkOptions(given: MethodNotAllowedOptions): MethodNotAllowedOptions {
  const check = new OptionsCheck('methodNotAllowed()');
  const options = check.names(given, ['root', 'errors']);
  checkRoot(check, options);
  const { errors }: { errors?: unknown } = options;
  if (errors !== undefined && errors !== 'answer' && errors !== 'next') {
    check.mistake('errors', errors, {
      code: 'option-value',
      reason: 'is not known',
      fix: "Write 'answer' or 'next'.",
    });
  }
  check.done();
  return options;
}
