import { OptionsCheck } from '../configuration';
import { debugLog } from '../http/debug-log';
import type { Middleware } from '../http/middleware';
import { ProblemError } from '../http/problem';
import { sendProblem } from '../http/send-problem';
import { createTargetInspection, type TargetOptions } from '../routes/allowed-methods';
import { checkRoot } from '../routes/request-target';

const debug = debugLog('options');

/** Options of `methodNotAllowed`. */
export interface MethodNotAllowedOptions extends TargetOptions {
  /** `'next'` hands the 405 to the host's error handler, as a `ProblemError`. Default `'answer'`. */
  readonly errors?: 'answer' | 'next';
}

/**
 * Answers 405 with `Allow` (RFC 9110 15.5.6) where the target has routes, but none for the method; all else goes on to
 * the host's 404. Mount it after the routes.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function methodNotAllowed(options: MethodNotAllowedOptions = {}): Middleware {
  const { errors, root } = checkOptions(options);
  const inspect = createTargetInspection({ root });

  return function methodNotAllowed(req, res, next) {
    const { method = 'GET' } = req;
    // OPTIONS is allowed wherever anything is: without `optionsHandler`, Express answers it.
    const found = method === 'OPTIONS' || res.headersSent ? undefined : inspect(req, methodNotAllowed);
    // Every route for all verbs, proxy and static file server let the request pass: those do not count here.
    const allowed = found?.routes.methods?.methods;
    if (allowed === undefined || allowed.includes(method)) {
      next();
      return;
    }
    const allow = allowed.join(', ');
    debug('%s %s: 405, allowed are %s', method, req.url, allow);
    const detail = `${method} is not allowed on this target. Allowed are ${allow}.`;
    const problem = new ProblemError(405, 'method-not-allowed', detail, { headers: { Allow: allow } });
    if (errors === 'next') next(problem);
    else sendProblem(res, problem);
  };
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
