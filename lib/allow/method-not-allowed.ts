import type { IncomingMessage, ServerResponse } from 'node:http';
import { warnOnce } from '../config/process-warning';
import { inspectShort } from '../config/inspect';
import { OptionsCheck } from '../config/options-check';
import type { Expectations } from '../config/read-options';
import { trackPosition, markAsOwn } from '../express/handler-metadata';
import { answerRefusal, refusalAnswer } from '../http/refusal';
import type { OptionsHandlerOptions } from './options-handler';
import { debugLog } from '../http/debug-log';
import type { Middleware, Next } from '../http/middleware';
import { passError } from '../http/pass-error';
import { ProblemError } from '../http/problem';
import { toPath, sentTarget } from '../http/target-path';
import type { Findings, MiddlewarePosition } from '../routes/route-walk';
import { appOrRouter, createTargetInspection, type TargetOptions } from '../routes/target-methods';

const debug = debugLog('options');

/** Options of `methodNotAllowed`. */
export interface MethodNotAllowedOptions extends TargetOptions, Pick<OptionsHandlerOptions, 'errors'> {}

/**
 * Answers 405 with `Allow` (RFC 9110 15.5.6) if the target has routes, but none for the request's method. All
 * other requests go on, for instance to your app's 404 handler. A route on a bare wildcard (`/*rest`) never
 * causes a 405.
 *
 * Mount it after the routes. It does not answer if a later route may handle the request, on its own router or
 * on one around it; every later `app.all` may. If it is mounted before routes of its own router, a process
 * warning is emitted once. You can also call it from an exception filter: it then assumes that every
 * `app.all` has passed the request on.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function methodNotAllowed(options: MethodNotAllowedOptions = {}): Middleware {
  const { errors, root } = checkOptions(options);
  const inspect = createTargetInspection(root);

  const findPosition = positionFinder();
  const warn = warnOnce('PATCH_OPTIONS_405_BEFORE_ROUTES', mountedEarly);

  function methodNotAllowed(req: IncomingMessage, res: ServerResponse, next: Next): void {
    const { method = 'GET' } = req;
    // OPTIONS is allowed if any other method is: without `optionsHandler`, Express answers it.
    const findings = method === 'OPTIONS' || res.headersSent ? undefined : inspect(req, methodNotAllowed);
    const here = findings && findPosition(req, methodNotAllowed, findings.walk.positions);
    if (here?.precedesRouteOfItsRouter(method) === true) warn(method, findings?.url);
    const allowed = findings && refusedFor(method, findings.walk);
    if (allowed === undefined || here?.precedesAnswer(method) === true) {
      next();
      return;
    }
    const allow = allowed.join(', ');
    debug('%s %s: 405, allowed are %s', method, sentTarget(req), allow);
    const detail = `${method} is not allowed on this resource. Allowed methods: ${allow}.`;
    const problem = new ProblemError(405, 'method-not-allowed', detail, { headers: { Allow: allow } });
    try {
      answerRefusal(errors, problem, req, res, next);
    } catch (error) {
      passError(error, res, next);
    }
  }

  return trackPosition(markAsOwn(methodNotAllowed));
}

/**
 * The methods that are allowed instead of this one; undefined if the method is not refused. Every `app.all`,
 * proxy and static file server before this middleware has passed the request on, so they do not count.
 */
function refusedFor(method: string, { methods, specific }: Findings): readonly string[] | undefined {
  if (methods === undefined || specific === undefined || specific.names.includes(method)) return undefined;
  // RFC 9110 9.3.2: HEAD is GET without the content. If GET is declared without HEAD, the declared service
  // answers HEAD itself.
  if (method === 'HEAD' && specific.names.includes('GET')) return undefined;
  // A bare wildcard route for the method has passed the request on, so it does not make the method allowed.
  return methods.names.filter((allowed) => allowed !== method);
}

/**
 * Finds the position at which a middleware is being called. If it is mounted several times, each call for a
 * request is the next position. If it is called from outside the routes, it has no position.
 */
function positionFinder(): (
  req: object,
  asking: object,
  positions: readonly MiddlewarePosition[],
) => MiddlewarePosition | undefined {
  const calls = new WeakMap<object, number>();
  return (req, asking, positions) => {
    const before = calls.get(req) ?? 0;
    calls.set(req, before + 1);
    return positions.filter(({ middleware }) => middleware === asking)[before];
  };
}

function mountedEarly(method: string, url = '/'): string {
  return (
    `methodNotAllowed() is mounted before routes: ${method} ${inspectShort(toPath(url))} ` +
    'reached it before the route that handles it. Mount it after all routes. ' +
    'If a framework adds its routes later, call it from an exception filter.'
  );
}

const expectations: Expectations<keyof MethodNotAllowedOptions> = {
  root: appOrRouter,
  errors: refusalAnswer,
};

function checkOptions(options: MethodNotAllowedOptions): MethodNotAllowedOptions {
  const check = new OptionsCheck('methodNotAllowed()');
  const settings = check.options(options, expectations);
  check.done();
  return settings;
}
