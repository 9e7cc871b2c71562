import type { IncomingMessage } from 'node:http';
import { isObject } from '../config/object';

/**
 * Whether a handler can answer on the route that has called it: false if it was mounted there by `app.put`, but
 * answers other methods only. Express leaves the last route that it tried in `req.route`, so one that does not
 * have the handler says nothing.
 *
 * @param methods - the methods that the handler answers, in upper case
 */
export function answersOnRoute(handler: unknown, methods: readonly string[], req: IncomingMessage): boolean {
  const route: unknown = 'route' in req ? req.route : undefined;
  const stack: unknown = isObject(route) && 'stack' in route ? route.stack : undefined;
  if (!Array.isArray(stack)) return true;
  const layers = stack.filter(
    (layer: unknown) => isObject(layer) && 'handle' in layer && layer.handle === handler,
  );
  return (
    layers.length === 0 || layers.some(({ method }: { method?: unknown }) => isAnswered(method, methods))
  );
}

/** `app.all` makes a layer for each method, `route.all` one without a method. */
function isAnswered(method: unknown, methods: readonly string[]): boolean {
  return typeof method !== 'string' || methods.includes(method.toUpperCase());
}
