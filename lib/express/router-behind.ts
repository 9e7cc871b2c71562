import { innerRouter, isRoot, leadsToApp, readRouter } from './apps';
import { declaredMethods, declaredRouter } from './declare-methods';
import { handlesRequests, isRouter, type Layer, type Router } from './layers';

/** The router that a middleware's layer calls; undefined if none can be found. */
export function routerBehind(layer: Layer): Router | undefined {
  const { handle } = layer;
  if (isRouter(handle)) return handle;
  if (!handlesRequests(layer) || declaredMethods(handle) !== undefined) return undefined;
  return innerRouter(layer) ?? readRouter(declaredRouter(handle));
}

/**
 * Whether a middleware's layer calls an Express 4 app that can still get its router: the first route creates
 * it.
 */
export function mayGainRouter(layer: Layer): boolean {
  return leadsToApp(layer) || isRoot(declaredRouter(layer.handle));
}
