import type { IncomingMessage } from 'node:http';
import { isThenable } from '../../app-callbacks';
import type { OriginPredicate } from '../policy/options';

/** Is this origin allowed? A promise only where a predicate gave one. */
export type OriginMatcher = (origin: string, req: IncomingMessage) => boolean | Promise<boolean>;

/** The rules of a policy by kind: what was in the `origin` option, read and checked. */
export interface OriginRules {
  readonly exact: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
  readonly predicates: readonly OriginPredicate[];
}

/**
 * Any rule may allow; predicates are asked last and in order, and only a true `true` allows. `null` is everybody's who
 * puts a page into a sandboxed frame, so only its own name allows it: no RegExp, and no predicate that looks for
 * something else and happens to admit it.
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
