import { METHODS } from 'node:http';
import type { RequestHandler } from 'express';
import { OptionsCheck } from '../config/options-check';
import { isRoot } from './apps';
import { declareHandler } from './handler-metadata';

/**
 * Declares which methods a middleware answers if its routes cannot be read: static files, a proxy, a router
 * behind a function. The methods count for every path under the middleware's mount path, in Allow, preflights
 * and the 405. Declare an empty list for a handler on a route that always calls `next`, such as an
 * authentication check. For single paths of a service that is mounted later, declare the methods of a
 * middleware that calls `next`.
 *
 * ```ts
 * app.use('/files', declareMethods(['GET', 'HEAD'], express.static('files')));
 * app.use('/api', declareMethods(api, (req, res, next) => inTransaction(() => api(req, res, next))));
 * app.all('/admin', declareMethods([], authenticate));
 * app.all('/graphql', declareMethods(['GET', 'POST'], (req, res, next) => next()));
 * ```
 *
 * @param declared - all methods, in upper case: GET does not imply HEAD, and OPTIONS means that the
 *   middleware answers OPTIONS itself; or the router or app that the middleware calls
 * @param middleware - the middleware that answers; it is not changed
 * @returns a new middleware that calls `middleware`
 * @throws ConfigurationError with every mistake in the arguments
 */
export function declareMethods<Arguments extends unknown[] = Parameters<RequestHandler>, Result = unknown>(
  declared: readonly string[] | ((...args: never[]) => unknown),
  middleware: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  checkArguments(declared, middleware);
  return declareHandler((...args: Arguments): Result => middleware(...args), declared);
}

function checkArguments(declared: unknown, middleware: unknown): void {
  const check = new OptionsCheck('declareMethods()');
  if (typeof middleware !== 'function') {
    check.mistake('middleware', middleware, {
      code: 'option-type',
      reason: 'must be a function',
      fix: 'Pass the middleware that answers the methods.',
    });
  } else if (middleware.length > 3) {
    check.mistake('middleware', middleware, {
      code: 'middleware-handles-errors',
      reason: 'has four parameters, so it is an error handler and answers no method',
      fix: 'Mount it without declareMethods().',
    });
  }
  if (Array.isArray(declared)) {
    checkMethodNames('methods', declared, check);
  } else if (!isRoot(declared)) {
    const fix = "Pass an array such as ['GET'], or the Express app or router that the middleware calls.";
    check.mistake('methods', declared, {
      code: 'option-type',
      reason: 'must be a list of methods, an app or a router',
      fix,
    });
  }
  check.done();
}

/** Reports every entry of a list that is not a method that Node parses. */
function checkMethodNames(option: string, methods: readonly unknown[], check: OptionsCheck): void {
  methods.forEach((method, i) => {
    if (typeof method === 'string' && METHODS.includes(method)) return;
    const upper = typeof method === 'string' ? method.toUpperCase() : '';
    const known = METHODS.includes(upper);
    check.mistake(`${option}[${i}]`, method, {
      code: known ? 'method-case' : 'method-unknown',
      reason: known ? 'must be in upper case' : 'is not an HTTP method that Node parses',
      fix: known ? `Write '${upper}'.` : "Write a method such as 'GET' or 'PATCH'.",
    });
  });
}
