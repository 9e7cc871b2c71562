import { warnOnce } from '../../config/app-callbacks';
import type { ProblemError } from '../../http/problem';
import type { HiddenPath } from '../../formats/hidden-members';
import { parsePointer } from '../../json/pointer';
import type { Stored } from '../../stores/contract/resource-store';
import { unreadableMembers } from '../../stores/contract/unreadable';
import { unreadableValue } from '../problems';
import { type HiddenMembers, isAtOrBelow } from './hidden';

type Unreadable = NonNullable<Stored<unknown>['unreadable']>[number];

/** What handlers do with a state that has members which are stored but cannot be shown. */
export class ReadableStates {
  readonly #hidden: HiddenMembers;
  /** The paths that a representation must leave as they are. */
  readonly #protected: readonly HiddenPath[];
  readonly #warn: (reason: unknown) => void;

  /**
   * @param readOnly - JSON Pointers
   * @param subject - the function whose handlers these are, as messages name it
   */
  constructor(hidden: HiddenMembers, readOnly: readonly string[], subject: string) {
    this.#hidden = hidden;
    this.#protected = [...hidden.paths, ...readOnly.map(tokensIn)];
    this.#warn = warnOnce('PATCH_OPTIONS_UNREADABLE', `Showing a resource of ${subject}`);
  }

  /** @throws ProblemError 500 if a member is missing that clients would see */
  assertShown(state: Stored<unknown>): void {
    this.#assertNone(state, (member) => !this.#isHidden(member));
  }

  /** @throws ProblemError 500 if a patch cannot be applied to the state, because a member is missing */
  assertPatchable(state: Stored<unknown>): void {
    this.#assertNone(state, () => true);
  }

  /** @throws ProblemError 500 if a representation cannot replace the state, because it would replace what it must leave as it is */
  assertReplaceable(state: Stored<unknown>): void {
    const isAbove = (pointer: string) => {
      const above = tokensIn(pointer);
      return this.#protected.some((path) => path.length > above.length && isAtOrBelow(path, above));
    };
    this.#assertNone(state, (member) => this.#isHidden(member) || isAbove(member.pointer));
  }

  /**
   * The state for a function of the app that decides by it. A member that cannot be read throws there: to a rule such as
   * `note.locked !== true`, a missing one would be as good as permission.
   */
  guard<T>(state: Stored<T>): Stored<T> {
    const unreadable = unreadableMembers(state);
    if (unreadable === undefined) return state;
    const value = { ...state.value };
    for (const member of unreadable) {
      const get = () => {
        throw this.#refusal(member);
      };
      const [name, ...below] = tokensIn(member.pointer);
      if (name === undefined || below.length > 0) return get();
      Object.defineProperty(value, name, { get, enumerable: true });
    }
    return { ...state, value };
  }

  #assertNone(state: Stored<unknown>, matters: (member: Unreadable) => boolean): void {
    const member = unreadableMembers(state)?.find(matters);
    if (member !== undefined) throw this.#refusal(member);
  }

  #refusal(member: Unreadable): ProblemError {
    this.#warn(member.reason);
    return unreadableValue(this.#isHidden(member) ? undefined : member.pointer, member.reason);
  }

  #isHidden({ pointer }: Unreadable): boolean {
    return this.#hidden.covers(pointer);
  }
}

function tokensIn(pointer: string): readonly string[] {
  return parsePointer(pointer)?.tokens ?? [];
}
