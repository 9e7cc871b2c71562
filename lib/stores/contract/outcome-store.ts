import { hasMember } from '../../config/prototype-pollution';
import { ProblemError } from '../../http/problem';
import type { PendingOutcome, ResourceStore, VersionedState, WriteContext } from './resource-store';

/**
 * A store that also keeps the outcomes of requests with an idempotency key. An outcome is a text, stored for
 * the key of the resource and the id of the request. `storeConformance` from `patch-options/testing` tests
 * each clause.
 *
 * - `replace` with `context.outcome` stores the outcome if and only if it writes the value, in the same step.
 *   If an outcome with this id exists, it writes nothing, as if the version did not match.
 * - `get` with `context.outcome` returns it as `Stored.outcome`, read in one step with the state.
 * - An outcome is kept for `maxAge` seconds, whatever else is written to the key, and then expires.
 * - If the key has `keep` unexpired outcomes of the `scope`, or `total` of all scopes, a `replace` that would
 *   write throws `outcomesFull` and writes nothing. Scopes are compared by code points, and a full scope
 *   refuses only its own requests.
 * - Deleting the resource deletes its outcomes.
 */
export interface OutcomeStore<T = unknown> extends ResourceStore<T> {
  /** Distinguishes an `OutcomeStore` from a `ResourceStore` at run time. */
  readonly keepsOutcomes: true;
}

export function keepsOutcomes<T>(store: ResourceStore<T>): store is OutcomeStore<T> {
  return hasMember(store, 'keepsOutcomes') && store.keepsOutcomes === true;
}

/**
 * The error for an `OutcomeStore` to throw when it has no room for another outcome: 503 with Retry-After.
 *
 * @param seconds - until the first outcome of the scope expires, if the scope is full; or else the first of
 *   the key
 */
export function outcomesFull(seconds: number): ProblemError {
  const detail =
    'Too many idempotency keys are stored for this resource, and nothing was written. ' +
    'Retry with the same Idempotency-Key after the time in Retry-After.';
  return new ProblemError(503, 'outcomes-full', detail, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) },
  });
}

/**
 * The outcomes of one resource, oldest first. They are stored beside the value as one text with a line for
 * each, and every write that adds an outcome rewrites it. Lines take a fifth of the time that JSON takes.
 */
export class OutcomeList {
  static readonly empty = new OutcomeList([]);

  private constructor(private readonly outcomes: readonly StoredOutcome[]) {}

  /**
   * @param place - where the text is stored, for the error, such as `the column outcomes`
   * @param text - null, undefined or empty if there are none
   * @throws TypeError for any other text
   */
  static parse(place: string, text: unknown): OutcomeList {
    if (text === null || text === undefined || text === '') return OutcomeList.empty;
    const lines = typeof text === 'string' ? text.split('\n') : [''];
    return new OutcomeList(
      lines.map((line) => {
        const [, expires = '', scope = '', id = ''] = prefixFormat.exec(line) ?? [];
        if (id !== '') return { id, scope, expires: Number(expires), line };
        throw new TypeError(
          `There is something other than outcomes in ${place}, although only the store may write there. Empty it.`,
        );
      }),
    );
  }

  /** The text of an unexpired outcome. */
  find(id: string): string | undefined {
    const now = Date.now();
    const found = this.outcomes.find((outcome) => outcome.id === id && outcome.expires > now);
    return found?.line.replace(prefixFormat, '').replace(/%25|%0A/g, decodeURIComponent);
  }

  /**
   * The unexpired outcomes and a new one, for the version being written, if there is one.
   *
   * @returns undefined if the id already has an outcome, so that nothing must be written
   * @throws ProblemError 503 if there is no room for it
   */
  with({ id, scope, text, keep, total, maxAge }: PendingOutcome, version?: string): OutcomeList | undefined {
    const now = Date.now();
    const unexpired = this.outcomes.filter((outcome) => outcome.expires > now);
    if (unexpired.some((outcome) => outcome.id === id)) return undefined;
    const inScope = unexpired.filter((outcome) => outcome.scope === scope);
    const full = inScope.length >= keep ? inScope : unexpired.length >= total ? unexpired : [];
    if (full.length > 0) {
      const next = full.reduce((earliest, { expires }) => Math.min(earliest, expires), Infinity);
      throw outcomesFull((next - now) / 1_000);
    }
    const expires = now + maxAge * 1_000;
    const line = `${expires} ${scope} ${id} ${text(version).replace(/[%\n]/g, encodeURIComponent)}`;
    return new OutcomeList([...unexpired, { id, scope, expires, line }]);
  }

  toString(): string {
    return this.outcomes.map(({ line }) => line).join('\n');
  }
}

interface StoredOutcome {
  readonly id: string;
  readonly scope: string;
  /** Milliseconds since the epoch, by the clock of the process that wrote it. */
  readonly expires: number;
  /** The stored form: the members above, and the text. */
  readonly line: string;
}

/** The text of the outcome follows it. */
const prefixFormat = /^(\d+) ([\w-]+) ([\w-]+) /;

/**
 * The outcomes in a store that keeps them as a text beside the value. The text that was read with a state is
 * remembered until the write on that state, so that the write need not read it again.
 */
export class OutcomesByState {
  readonly #lists = new WeakMap<object, OutcomeList>();

  /** @param place - where the store keeps the text, for errors, such as `the column outcomes` */
  constructor(private readonly place: string) {}

  /** Adds the outcome with this id to the state that was read with the text. */
  addOutcome<T>(state: VersionedState<T>, text: string | undefined, id: string): VersionedState<T> {
    const list = OutcomeList.parse(this.place, text);
    this.#lists.set(state, list);
    const outcome = list.find(id);
    return outcome === undefined ? state : Object.assign(state, { outcome });
  }

  /**
   * The text that a write stores: the outcomes at `expected`, and the outcome of the request.
   *
   * @returns undefined if nothing must be written: the version is another one, or the request already has an
   *   outcome
   * @throws ProblemError 503 if there is no room
   */
  async nextText(
    store: OutcomeStore,
    { key, expected, version }: { key: string; expected: string | null; version: string },
    outcome: PendingOutcome,
    context: WriteContext,
  ): Promise<string | undefined> {
    const list = expected === null ? OutcomeList.empty : await this.#readList(store, key, expected, context);
    return list?.with(outcome, version)?.toString();
  }

  async #readList(
    store: OutcomeStore,
    key: string,
    expected: string,
    context: WriteContext,
  ): Promise<OutcomeList | undefined> {
    const { current } = context;
    if (current?.version === expected && this.#lists.has(current)) return this.#lists.get(current);
    const state = await store.get(key, context);
    return state?.version === expected ? this.#lists.get(state) : undefined;
  }
}
