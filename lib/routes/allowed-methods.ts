import { METHODS, type IncomingMessage } from 'node:http';
import { findRoutes } from './cache/walk-cache';
import type { Findings } from './route-walk';
import { serverFindings } from './server-methods';
import { targetOf, type TargetOptions } from './request-target';
import { targetMethods, type TargetMethods } from './method-set';

export type { TargetOptions } from './request-target';
export type { TargetMethods } from './method-set';

/** What the routes say of a request's target. */
export interface TargetFindings {
  /** The target as the outermost router sees it. */
  readonly url: string;
  /** The target's methods: those that routes name, or where none does, every verb if a route takes them all. */
  readonly target: TargetMethods | undefined;
  /** What a request would come upon on its way through the routes. */
  readonly routes: Findings;
}

/**
 * The methods of a request's target resource; undefined where no route matches it.
 *
 * @param asking - the middleware that asks. Where it stands on the root's own stack and the host has taken a prefix
 *   off the URL before, the lookup can only know by it.
 */
export type TargetLookup = (req: IncomingMessage, asking?: unknown) => TargetMethods | undefined;

/** Made once for a middleware. */
export function createTargetLookup(options: TargetOptions = {}): TargetLookup {
  const inspect = createTargetInspection(options);
  return (req, asking) => inspect(req, asking)?.target;
}

/** The same with everything that was found out; undefined where no router is in sight. */
export function createTargetInspection({ root }: TargetOptions = {}): (
  req: IncomingMessage,
  asking?: unknown,
) => TargetFindings | undefined {
  return (req, asking) => {
    const found = targetOf(req, root, asking);
    if (found === undefined) return undefined;
    const { router, url } = found;
    // RFC 9110 9.3.7: for the asterisk, OPTIONS asks about the server in general. No other method has that form.
    const ofServer = url === '*' && req.method === 'OPTIONS';
    const routes = ofServer ? serverFindings(router) : findRoutes(router, url);
    return { url, routes, target: routes.methods ?? (routes.allVerbs ? everyVerb : undefined) };
  };
}

const everyVerb = targetMethods(METHODS, [], true);
