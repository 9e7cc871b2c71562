import { readMember } from '../../config/prototype-pollution';
import type { Stored } from '../../stores/contract/resource-store';

/** What a store keeps of an answer: enough to repeat it, and to recognise the request. */
export interface Outcome {
  readonly fingerprint: string;
  readonly status: 201 | 204;
  /** The version that the request made; missing if states are their content. A repeat then gets the status alone. */
  readonly version?: string;
  /**
   * Missing if the app makes entity tags of something that only the engine knows, such as the time of the
   * write.
   */
  readonly tag?: string;
}

export function writeOutcome(outcome: Outcome): string {
  return JSON.stringify(outcome);
}

/**
 * @param hasVersion - whether states have versions
 * @throws TypeError, or SyntaxError if it is not even JSON, for a text that `writeOutcome` did not make
 */
export function readOutcome(text: string, hasVersion: boolean): Outcome {
  const outcome: unknown = JSON.parse(text);
  if (isOutcome(outcome) && (outcome.version !== undefined) === hasVersion) return outcome;
  throw new TypeError(
    'The store returned an outcome that this library did not write. ' +
      'Check which other code writes to its tables or keys.',
  );
}

function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== 'object' || value === null) return false;
  const { fingerprint, status, version } = value as Partial<Record<keyof Outcome, unknown>>;
  const tag: unknown = readMember(value as Partial<Outcome>, 'tag') ?? '';
  const texts = [fingerprint, version ?? '', tag].every((member) => typeof member === 'string');
  return texts && (status === 201 || status === 204);
}

/**
 * The entity tag that the next state will have; undefined if it cannot be known before the write.
 *
 * @param keepsValues - false if the store can write another value than the given one, as one with read-only
 *   columns does
 */
export function tagBefore<T>(
  createTag: (stored: Stored<T>) => string,
  value: T,
  version: string,
  keepsValues: boolean,
): string | undefined {
  try {
    return createTag({
      // As it will be read back, and only on demand: the output of a schema need not be JSON yet.
      get value(): T {
        if (!keepsValues) throw new Error('The value is not known before the write.');
        return JSON.parse(JSON.stringify(value)) as T;
      },
      version,
      get modified(): Date {
        throw new Error('The time of the write is not known before the write.');
      },
    });
  } catch {
    return undefined;
  }
}
