import type { IncomingMessage } from 'node:http';
import { tellOnce } from '../../config/process-warning';
import { nameThrown } from '../../config/shown-text';
import { shownValue } from '../../config/shown-value';
import { isThenable } from '../../config/object';
import type { OriginPredicate } from '../policy/options';
import { loadWords } from '../words';

/** Tells whether an origin is allowed. Returns a promise only if a predicate returned one. */
export type OriginMatcher = (origin: string, req: IncomingMessage) => boolean | Promise<boolean>;

/** The checked rules of the option `origin`, by kind. */
export interface OriginRules {
  /** The origins and patterns as the app has written them. */
  readonly texts: readonly string[];
  readonly exact: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
  readonly predicates: readonly OriginPredicate[];
}

/** Emits the process warning; `what` says what a predicate did. */
type Tell = (what: string) => void;

/**
 * Any rule can allow an origin. Predicates are called last, in order, and only `true` itself allows. `null`
 * is the origin of every page in a sandboxed frame, so only the string `'null'` allows it: not a
 * predicate that does so by accident.
 */
export function createMatcher({ exact, patterns, predicates }: OriginRules, subject: string): OriginMatcher {
  const tell = tellOnce('PATCH_OPTIONS_ORIGIN', (what: string) =>
    loadWords().describeOriginFault(subject, what),
  );
  const checked = predicates.map((predicate) => createReporting(predicate, tell));
  return (origin, req) => {
    if (exact.has(origin)) return true;
    if (origin === 'null') return false;
    return patterns.some((pattern) => pattern.test(origin)) || anyAllows(checked, origin, req);
  };
}

/** Calls a predicate, and tells what it did if it neither returned a boolean nor a promise of one. */
function createReporting(predicate: OriginPredicate, tell: Tell): OriginPredicate {
  const failed = (error: unknown): never => {
    tell(`threw ${nameThrown(error)}`);
    throw error;
  };
  const settled = (allowed: unknown): boolean => {
    if (typeof allowed !== 'boolean') tell(`returned ${shownValue(allowed)}`);
    return allowed === true;
  };
  return (origin, req) => {
    try {
      const allowed: unknown = predicate(origin, req);
      return isThenable(allowed) ? Promise.resolve(allowed).then(settled, failed) : settled(allowed);
    } catch (error) {
      return failed(error);
    }
  };
}

function anyAllows(
  predicates: readonly OriginPredicate[],
  origin: string,
  req: IncomingMessage,
): boolean | Promise<boolean> {
  for (const [index, predicate] of predicates.entries()) {
    const allowed = predicate(origin, req);
    if (allowed === true) return true;
    if (allowed !== false) {
      return allowed.then((later) => later || anyAllows(predicates.slice(index + 1), origin, req));
    }
  }
  return false;
}
