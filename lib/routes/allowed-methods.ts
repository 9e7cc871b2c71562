import type { IncomingMessage } from 'node:http';

/** What the routes of the host's app say of one target resource. Targets with the same methods share one object. */
export interface TargetMethods {
  /** Sorted, no duplicates; HEAD where GET is, OPTIONS always. */
  readonly methods: readonly string[];
  /** The media types of `patchHandler` on this target, in order; empty where PATCH is not registered with it. */
  readonly acceptPatch: readonly string[];
  /** Only routes for all verbs (`app.all`) match, so the methods are every verb that Express registers. */
  readonly allVerbs: boolean;
}

/** Where the routes are found when no path leads from the request to them. */
export interface TargetOptions {
  /** The app or router that dispatches the request; left out, it is found from the request. */
  readonly root?: unknown;
}

/** The methods of a request's target resource; undefined where no route matches it. */
export type TargetLookup = (req: IncomingMessage) => TargetMethods | undefined;
