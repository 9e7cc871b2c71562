import { memberOf } from '../../prototype-pollution';
import type { Stored } from '../../stores/contract/resource-store';

/** What is kept of an answer: enough to give it again, and to know the request that it was the answer to. */
export interface Outcome {
  readonly fingerprint: string;
  readonly status: 201 | 204;
  /** Left out where the host makes entity tags of what only the engine knows, the time of the write. */
  readonly tag?: string;
}

export function writeOutcome(outcome: Outcome): string {
  return JSON.stringify(outcome);
}

/** @throws TypeError for a text that `writeOutcome` has not made: somebody else has written to the engine */
export function readOutcome(text: string): Outcome {
  const outcome: unknown = JSON.parse(text);
  if (isOutcome(outcome)) return outcome;
  throw new TypeError(
    'The store gave back an outcome that was never kept there. Look who else writes to its engine.',
  );
}

function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== 'object' || value === null) return false;
  const { fingerprint, status } = value as Partial<Record<keyof Outcome, unknown>>;
  const tag: unknown = memberOf(value as Partial<Outcome>, 'tag') ?? '';
  return typeof fingerprint === 'string' && (status === 201 || status === 204) && typeof tag === 'string';
}

/** The entity tag that the state about to be written will have; undefined where that cannot be told yet. */
export function tagBefore<T>(
  tagOf: (stored: Stored<T>) => string,
  value: T,
  version: string,
): string | undefined {
  try {
    return tagOf({
      // As it will come back, and not before it is asked for: what a schema has made need not be JSON yet.
      get value(): T {
        return JSON.parse(JSON.stringify(value)) as T;
      },
      version,
      get modified(): Date {
        throw new Error('The engine says when it has written.');
      },
    });
  } catch {
    return undefined;
  }
}
