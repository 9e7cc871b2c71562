import { hasNames } from '../config/object';
import { OptionsCheck } from '../config/options-check';
import type { Middleware } from '../http/middleware';
import { checkMethodNames, declareMethods } from './declare-methods';
import { passesOptions } from './handler-metadata';
import type { Layer, Router } from './layers';

/**
 * Declares which routes exist, for services whose routes cannot be read: Feathers, GraphQL, a proxy, static
 * files. The routes count in Allow, preflights and the 405, as the routes of your app do. Mount the
 * middleware anywhere, or under a path if the declared routes are under that path. It answers nothing and
 * always calls `next`.
 *
 * A path consists of whole segments: text, a parameter (`:id`) or, at the end, a wildcard (`*rest`), in every
 * Express version. It matches in any case, with or without a trailing slash.
 *
 * @param routes - all methods of each path, in upper case: GET does not imply HEAD, and OPTIONS means that
 *   the service answers OPTIONS itself
 * @returns a middleware that only calls `next`
 * @throws ConfigurationError with every mistake in `routes`
 *
 * @example
 * ```ts
 * app.use(
 *   declareRoutes({ '/messages': ['GET', 'HEAD', 'POST'], '/messages/:id': ['GET', 'HEAD', 'PATCH'] }),
 * );
 * ```
 */
export function declareRoutes(routes: Readonly<Record<string, readonly string[]>>): Middleware {
  checkRoutes(routes);
  const stack = Object.entries(routes).map(([path, methods]) => createLayer(path, methods));
  // For the route walk this is a router. No request is sent through it: a parameter that cannot be decoded
  // would be a 400.
  const router: Router = Object.assign(() => undefined, { stack });
  const declaring = passesOptions(declareMethods(router as Router & (() => undefined), pass));
  return Object.defineProperty(declaring, 'name', { value: 'declareRoutes', configurable: true });
}

const pass: Middleware = (_req, _res, next) => {
  next();
};

function createLayer(declaredPath: string, methods: readonly string[]): Layer {
  const path =
    declaredPath.length > 1 && declaredPath.endsWith('/') ? declaredPath.slice(0, -1) : declaredPath;
  const pattern = toPattern(path);
  const match = (target: string): unknown => {
    const matched = pattern.exec(target);
    return matched === null ? undefined : { path: matched[0], params: matched.slice(1) };
  };
  const layer = { handle: declareMethods(methods, pass), name: 'declareRoutes', match };
  return { ...layer, route: { path, methods: { _all: true }, stack: [layer] } };
}

const segment = String.raw`(?:[\w~.!$&',;=@-]|%[\da-fA-F]{2})+|:[A-Za-z_]\w*`;
const wholePath = new RegExp(
  String.raw`^(?:\/|(?:\/(?:${segment}))+\/?|(?:\/(?:${segment}))*\/\*[A-Za-z_]\w*)$`,
);

function toPattern(path: string): RegExp {
  const source = path
    .replace(/[.$]/g, String.raw`\$&`)
    .replace(/:\w+/g, '([^/]+)')
    .replace(/\*\w+$/, '(.+)');
  return new RegExp(`^${path === '/' ? '' : source}/?$`, 'is');
}

function checkRoutes(routes: unknown): void {
  const check = new OptionsCheck('declareRoutes()');
  const example = "{ '/messages/:id': ['GET', 'PATCH'] }";
  if (!hasNames(routes)) {
    const fix = `Pass an object of paths and their methods, such as ${example}.`;
    check.mistake('routes', routes, { code: 'option-type', reason: 'must be an object', fix });
  } else {
    const entries = Object.entries(routes);
    if (entries.length === 0) {
      const fix = `Pass at least one route, as in ${example}.`;
      check.mistake('routes', routes, { code: 'option-empty', reason: 'is empty', fix });
    }
    for (const [path, methods] of entries) checkRoute(path, methods, check);
  }
  check.done();
}

function checkRoute(path: string, methods: unknown, check: OptionsCheck): void {
  const option = `routes[${JSON.stringify(path)}]`;
  if (!wholePath.test(path)) {
    const withSlash = `/${path}`;
    check.mistake(option, path, {
      code: 'route-path-invalid',
      reason: 'must be a path of whole segments',
      fix: wholePath.test(withSlash)
        ? `Write '${withSlash}'.`
        : "Write text and parameters, '/messages/:id', and a wildcard only at the end, '/files/*rest'.",
    });
  }
  if (!Array.isArray(methods)) {
    const fix = "Pass an array such as ['GET', 'PATCH'].";
    check.mistake(option, methods, { code: 'option-type', reason: 'must be a list of methods', fix });
    return;
  }
  if (methods.length === 0) {
    const fix = "Pass at least one method: ['GET'].";
    check.mistake(option, methods, { code: 'option-empty', reason: 'is empty', fix });
  }
  checkMethodNames(option, methods, check);
}
