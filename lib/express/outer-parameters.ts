import { isObject } from '../config/object';
import type { PatchRequest } from '../http/routed-request';
import { toPath } from '../http/target-path';
import { findTopApp, readRouter } from './apps';
import { MalformedTarget, matchParameters, type Router } from './layers';
import { routerBehind } from './router-behind';

/** A parameter in the path that a router is mounted at, and its value. */
export type OuterParameter = readonly [name: string, value: unknown];

/**
 * The parameters in the paths of the routers around the route that handles a request. Without `mergeParams`
 * the route does not see them. It walks the stacks, so it is for a request in a thousand; where the app has
 * rewritten the URL, nothing is found.
 */
export function outerParameters(req: PatchRequest): readonly OuterParameter[] {
  const root = readRouter(findTopApp(req));
  return (root && findRoute(root, toPath(req.originalUrl), req.route, new Set())) ?? [];
}

/** @returns the parameters on the way to the route; undefined if it is not below this router */
function findRoute(
  router: Router,
  path: string,
  route: unknown,
  entered: Set<Router>,
): readonly OuterParameter[] | undefined {
  entered.add(router);
  for (const layer of router.stack) {
    if (layer.route !== undefined) {
      if (layer.route === route) return [];
      continue;
    }
    const inner = routerBehind(layer);
    const match = inner === undefined || entered.has(inner) ? undefined : matchParameters(layer, path);
    if (inner === undefined || match === undefined || match instanceof MalformedTarget) continue;
    const rest = path.slice(match.path.length);
    const innerParameters = findRoute(inner, rest.startsWith('/') ? rest : `/${rest}`, route, entered);
    if (innerParameters !== undefined) return [...readEntries(match.params), ...innerParameters];
  }
  return undefined;
}

function readEntries(params: unknown): readonly OuterParameter[] {
  return isObject(params) ? Object.entries(params).filter(([, value]) => value !== undefined) : [];
}
