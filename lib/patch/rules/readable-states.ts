import { tellOnce } from '../../config/process-warning';
import type { ProblemError } from '../../http/problem';
import { isAtOrBelow, tokensIn } from '../../json/pointer';
import type { Stored } from '../../stores/contract/resource-store';
import { unreadableMembers } from '../../stores/contract/unreadable';
import { unreadableValue } from '../problems';
import type { HiddenMembers } from './hidden-members';
import type { Protection } from './protected-members';

type Unreadable = NonNullable<Stored<unknown>['unreadable']>[number];

/** What handlers do with a state that has members which are stored but cannot be shown. */
export class ReadableStates {
  readonly #hidden: HiddenMembers;
  readonly #keptByStore: readonly (readonly string[])[];
  readonly #tell: (reason: Error) => void;

  /**
   * @param keptByStore - what the store itself leaves as it is, as JSON Pointers
   * @param subject - the function whose handlers these are, as messages name it
   */
  constructor(hidden: HiddenMembers, keptByStore: readonly string[] = [], subject: string) {
    this.#hidden = hidden;
    this.#keptByStore = keptByStore.map(tokensIn);
    this.#tell = tellOnce(
      'PATCH_OPTIONS_UNREADABLE',
      (reason: Error) => `A resource of ${subject} cannot be shown. ${reason.message}`,
    );
  }

  /** @throws ProblemError 500 if a member is missing that clients would see */
  assertShown(state: Stored<unknown>): void {
    this.#assertNone(state, (member) => !this.#isHidden(member));
  }

  /** @throws ProblemError 500 if a patch cannot be applied to the state, because a member is missing */
  assertPatchable(state: Stored<unknown>): void {
    this.#assertNone(state, () => true);
  }

  /**
   * @throws ProblemError 500 if a representation cannot replace the state, because what it must leave as it
   *   is cannot be read, and so not be kept
   */
  assertReplaceable(state: Stored<unknown>, protection: Protection): void {
    this.#assertNone(state, (member) => this.#isHidden(member) || this.#isKept(member, protection));
  }

  /**
   * The state for a function of the app that decides by it. A member that cannot be read throws there: to a
   * rule such as `note.locked !== true`, a missing one would be as good as permission.
   */
  guard<T>(state: Stored<T>): Stored<T> {
    const unreadable = unreadableMembers(state);
    if (unreadable === undefined) return state;
    const value = { ...state.value };
    for (const member of unreadable) {
      const get = () => {
        throw this.#refusal(member);
      };
      const [name] = tokensIn(member.pointer);
      if (name === undefined) return get();
      Object.defineProperty(value, name, { get, enumerable: true });
    }
    return { ...state, value };
  }

  #assertNone(state: Stored<unknown>, matters: (member: Unreadable) => boolean): void {
    const member = unreadableMembers(state)?.find(matters);
    if (member !== undefined) throw this.#refusal(member);
  }

  #refusal(member: Unreadable): ProblemError {
    this.#tell(member.reason);
    return unreadableValue(this.#isHidden(member) ? undefined : member.pointer, member.reason);
  }

  #isHidden({ pointer }: Unreadable): boolean {
    return this.#hidden.covers(pointer);
  }

  /** Whether the library would have to keep it: because it is protected, or has a hidden part. */
  #isKept({ pointer }: Unreadable, protection: Protection): boolean {
    const tokens = tokensIn(pointer);
    if (this.#keptByStore.some((above) => isAtOrBelow(tokens, above))) return false;
    return (
      this.#hidden.paths.some((path) => isAtOrBelow(path, tokens)) ||
      protection.protects(tokens) !== undefined
    );
  }
}
