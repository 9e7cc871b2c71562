import { warnOnce } from '../../config/app-callbacks';
import type { ProblemError } from '../../http/problem';
import { parsePointer } from '../../json/pointer';
import type { Stored } from '../../stores/contract/resource-store';
import { unreadableMembers } from '../../stores/contract/unreadable';
import { unreadableValue } from '../problems';
import type { HiddenMembers } from './hidden';

type Unreadable = NonNullable<Stored<unknown>['unreadable']>[number];

/** What handlers do with a state that has members which are stored but cannot be shown. */
export class ReadableStates {
  readonly #hidden: HiddenMembers;
  readonly #warn: (reason: unknown) => void;

  /** @param subject - the function whose handlers these are, as messages name it */
  constructor(hidden: HiddenMembers, subject: string) {
    this.#hidden = hidden;
    this.#warn = warnOnce('PATCH_OPTIONS_UNREADABLE', `Showing a resource of ${subject}`);
  }

  /** @throws ProblemError 500 if a member is missing that clients would see */
  assertShown(state: Stored<unknown>): void {
    this.#assertNone(state, (lost) => !this.#isHidden(lost));
  }

  /** @throws ProblemError 500 if a patch cannot be applied to the state, because a member is missing */
  assertPatchable(state: Stored<unknown>): void {
    this.#assertNone(state, () => true);
  }

  /** @throws ProblemError 500 if a representation cannot replace the state, because a member is missing that it must not contain */
  assertReplaceable(state: Stored<unknown>): void {
    this.#assertNone(state, (lost) => this.#isHidden(lost));
  }

  /**
   * The state for a function of the app that decides by it. A member that cannot be read throws there: to a rule such as
   * `note.locked !== true`, a missing one would be as good as permission.
   */
  guarded<T>(state: Stored<T>): Stored<T> {
    const unreadable = unreadableMembers(state);
    if (unreadable === undefined) return state;
    const value = { ...state.value };
    for (const lost of unreadable) {
      const get = () => {
        throw this.#refusal(lost);
      };
      const [member, ...below] = parsePointer(lost.pointer)?.tokens ?? [];
      if (member === undefined || below.length > 0) return get();
      Object.defineProperty(value, member, { get, enumerable: true });
    }
    return { ...state, value };
  }

  #assertNone(state: Stored<unknown>, matters: (lost: Unreadable) => boolean): void {
    const lost = unreadableMembers(state)?.find(matters);
    if (lost !== undefined) throw this.#refusal(lost);
  }

  #refusal(lost: Unreadable): ProblemError {
    this.#warn(lost.reason);
    return unreadableValue(this.#isHidden(lost) ? undefined : lost.pointer, lost.reason);
  }

  #isHidden({ pointer }: Unreadable): boolean {
    return this.#hidden.covers(pointer);
  }
}
