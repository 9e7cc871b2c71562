import { METHODS } from 'node:http';
import type { RequestHandler } from 'express';
import { OptionsCheck } from '../configuration';
import { isRoot, wrappings } from './apps';
import { addProperty, annotate, metadataOf, type MetadataKind } from './handler-metadata';

const methodsKind: MetadataKind = { label: 'declareMethods', key: 'patch-options:methods' };
const routerKey = 'patch-options:router';

/**
 * Names what a middleware answers whose routes are out of sight: static files, proxies, a router behind a function. It
 * counts for every path under the middleware's mount, in Allow, preflights and the 405. A handler that is taken for an
 * endpoint, and always passes on, declares no method.
 *
 * ```ts
 * app.use('/files', declareMethods(['GET', 'HEAD'], express.static('files')));
 * app.use('/api', declareMethods(api, (req, res, next) => inTransaction(() => api(req, res, next))));
 * app.all('/admin', declareMethods([], authenticate));
 * ```
 *
 * @param declared - the methods, in upper case, and no others (GET without HEAD is GET alone; with OPTIONS the middleware
 *   answers OPTIONS itself), or the router or app that the middleware calls
 * @param middleware - is not changed
 * @returns a middleware that does the same
 * @throws ConfigurationError with every mistake in the arguments
 */
export function declareMethods<Arguments extends unknown[] = Parameters<RequestHandler>, Result = unknown>(
  declared: readonly string[] | ((...args: never[]) => unknown),
  middleware: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  checkArguments(declared, middleware);
  const declaring = (...args: Arguments): Result => middleware(...args);
  if (typeof declared === 'function') {
    return addProperty(declaring, routerKey, declared);
  }
  return annotate(declaring, methodsKind, declared);
}

/** The methods that a middleware was declared with. */
export function declaredMethods(handler: unknown): readonly string[] | undefined {
  return metadataOf(handler, methodsKind);
}

/** The router or app that a middleware was declared to pass its requests to. */
export function declaredRouter(handler: unknown): unknown {
  for (const inner of wrappings(handler)) if (routerKey in inner) return inner[routerKey];
  return undefined;
}

function checkArguments(declared: unknown, middleware: unknown): void {
  const check = new OptionsCheck('declareMethods()');
  if (typeof middleware !== 'function') {
    check.mistake('middleware', middleware, {
      code: 'option-type',
      reason: 'is no function',
      fix: 'Give the middleware that answers.',
    });
  } else if (middleware.length > 3) {
    check.mistake('middleware', middleware, {
      code: 'middleware-handles-errors',
      reason: 'has four parameters, as an error handler has',
      fix: 'Mount it as it is.',
    });
  }
  if (Array.isArray(declared)) {
    checkMethods('methods', declared, check);
  } else if (!isRoot(declared)) {
    const fix = "Give an array such as ['GET'], or the Express app or router that the middleware calls.";
    check.mistake('methods', declared, {
      code: 'option-type',
      reason: 'is neither a list of methods nor a router',
      fix,
    });
  }
  check.done();
}

/** Every method of a list must be one that Node parses. */
export function checkMethods(option: string, methods: readonly unknown[], check: OptionsCheck): void {
  methods.forEach((method, i) => {
    if (typeof method === 'string' && METHODS.includes(method)) return;
    const upper = typeof method === 'string' ? method.toUpperCase() : '';
    const known = METHODS.includes(upper);
    check.mistake(`${option}[${i}]`, method, {
      code: known ? 'method-case' : 'method-unknown',
      reason: 'is no method that Node parses',
      fix: known ? `Write '${upper}'.` : 'Methods are upper-case names such as GET.',
    });
  });
}
