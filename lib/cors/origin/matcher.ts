import type { IncomingMessage } from 'node:http';
import { isThenable } from '../../app-callbacks';
import type { OriginPredicate } from '../policy/options';

/** Tells whether an origin is allowed. Returns a promise only if a predicate returned one. */
export type OriginMatcher = (origin: string, req: IncomingMessage) => boolean | Promise<boolean>;

/** The checked rules of the option `origin`, by kind. */
export interface OriginRules {
  readonly exact: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
  readonly predicates: readonly OriginPredicate[];
}

/**
 * Any rule can allow an origin. Predicates are called last, in order, and only `true` itself allows. `null` is the origin of
 * every page in a sandboxed frame, so only the string `'null'` allows it: not a RegExp or a predicate that matches it by
 * accident.
 */
export function originMatcher({ exact, patterns, predicates }: OriginRules): OriginMatcher {
  return (origin, req) => {
    if (exact.has(origin)) return true;
    if (origin === 'null') return false;
    return patterns.some((pattern) => pattern.test(origin)) || anyAllows(predicates, origin, req);
  };
}

function anyAllows(
  predicates: readonly OriginPredicate[],
  origin: string,
  req: IncomingMessage,
): boolean | Promise<boolean> {
  for (const [index, predicate] of predicates.entries()) {
    const allowed: unknown = predicate(origin, req);
    if (allowed === true) return true;
    if (isThenable(allowed)) {
      return Promise.resolve(allowed).then(
        (later) => later === true || anyAllows(predicates.slice(index + 1), origin, req),
      );
    }
  }
  return false;
}
