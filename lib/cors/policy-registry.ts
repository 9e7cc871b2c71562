import { trackedIn } from '../express/handler-metadata';
import type { Middleware } from '../http/middleware';
import type { CorsPolicy } from './policy/policy';

/** A `corsPreflight` middleware, and what it goes by. */
export interface CorsInstance {
  readonly middleware: Middleware;
  readonly policy: CorsPolicy;
  /** The option `root`: the app or router whose routes count; undefined: that which handles the request. */
  readonly root: unknown;
}

const instances = new WeakMap<object, CorsInstance>();

export function registerInstance(instance: CorsInstance): void {
  instances.set(instance.middleware, instance);
}

/** The instance that a handler is or has as a child, as `patchOptions` does, even if it was wrapped since. */
export function findInstanceIn(handler: object): CorsInstance | undefined {
  for (const tracked of trackedIn(handler)) {
    const instance = instances.get(tracked);
    if (instance !== undefined) return instance;
  }
  return undefined;
}
