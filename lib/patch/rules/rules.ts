import { memberOf } from '../../prototype-pollution';
import { parsePointer, valueAt } from '../../parsers/json/pointer';
import { isEqualJson } from '../../parsers/json/value';
import type { PatchLimits } from '../../parsers/patch-parser';
import type { ResourceStore } from '../../stores/contract/resource-store';
import type { PatchHandlerOptions, Validator } from '../options/handler-options';
import type { PatchRequest } from '../../request/routed-request';
import { invalidMembersIn, isStandardSchema, type StandardSchema } from '../../request/standard-schema';
import { frozenJson } from '../../stores/contract/frozen-json';
import { invalidResult, type InvalidMember } from '../../stores/contract/invalid-result';
import { forbidden, readOnly, tooManyChanges } from '../problems';
import { changesWithin } from './changed-pointers';
import type { HiddenMembers } from './hidden';
import { writableCheck } from './writable';

/** One patch, applied. */
export interface AppliedPatch<T> {
  readonly key: string;
  /** What it was applied to, without what is hidden. */
  readonly visible: unknown;
  readonly made: unknown;
  /** The same, with what is hidden: the stored value, or the one that creation starts from. */
  readonly base: T;
  /** Undefined where the resource is being created. */
  readonly current: T | undefined;
  readonly req: PatchRequest;
}

/**
 * Holds what a patch has made against the rules of the app, and gives what is to be stored.
 *
 * @throws ProblemError 422 or 403
 */
export type Rules<T> = (applied: AppliedPatch<T>) => Promise<T> | T;

type RuleOptions<T> = Pick<
  PatchHandlerOptions<T>,
  'readOnly' | 'writable' | 'validate' | 'transform' | 'authorize'
>;

/** The rules in the order of their answers: what is hidden, what may be changed, what is valid, then who may. */
export function compileRules<T>(
  { readOnly: pointers = [], writable, validate, transform = false, authorize }: RuleOptions<T>,
  hidden: HiddenMembers,
  { changes: mostChanges }: Pick<PatchLimits, 'changes'>,
  store: Pick<ResourceStore<T>, 'fit'>,
): Rules<T> {
  const guarded = pointers.map((pointer) => ({ pointer, path: parsePointer(pointer)?.tokens ?? [] }));
  const changeBesideWritable = writable && writableCheck(writable);
  const validated = compileValidator(validate, transform, hidden);
  const fit = (key: string, next: T, current: T | undefined): T => store.fit?.(key, next, current) ?? next;

  const guard = (before: unknown, after: unknown): void => {
    for (const { pointer, path } of guarded) {
      if (!isEqualJson(valueAt(after, path), valueAt(before, path))) throw readOnly(pointer);
    }
    const changed = changeBesideWritable?.(before, after);
    if (changed !== undefined) throw readOnly(changed);
  };
  /** What a patch makes of a T need not be one: whether it is, is for the app's validator to say. */
  function wholeOf({ key, visible, made, base, current }: AppliedPatch<T>): T {
    hidden.assertUntouched(visible, made);
    guard(visible, made);
    const whole = (made === visible ? base : hidden.restored(made, base)) as T;
    return fit(key, whole, current);
  }
  if (validated === undefined && authorize === undefined) return wholeOf;

  return async function applyRules(applied) {
    const { key, base, current, req } = applied;
    const whole = wholeOf(applied);
    const valid = validated === undefined ? whole : await validated(whole, current, req);
    // As JSON: what a schema has made of a text may be a Date, which has no members that could have changed.
    const next = valid === whole ? valid : fit(key, hidden.restored(frozenJson(valid, base), base), current);
    if (next !== whole) guard(base, next);
    if (authorize !== undefined) {
      const changes = changesWithin(current, next, mostChanges);
      if (changes === undefined) throw tooManyChanges(mostChanges);
      const change = {
        current,
        next,
        get changed() {
          return changes.pointers;
        },
      };
      if (!(await authorize(req, change))) throw forbidden();
    }
    return next;
  };
}

/** Gives the value to be stored, or throws what is wrong with it. */
type CompiledValidator<T> = (made: T, current: T | undefined, req: PatchRequest) => Promise<T>;

function compileValidator<T>(
  validate: StandardSchema<T> | Validator<T> | undefined,
  transform: boolean,
  hidden: HiddenMembers,
): CompiledValidator<T> | undefined {
  if (validate === undefined) return undefined;
  const refuse = (errors: readonly InvalidMember[]): never => {
    throw invalidResult(errors.map((error) => withoutHidden(error, hidden)));
  };
  if (isStandardSchema(validate)) {
    return async (made) => {
      const result = await validate['~standard'].validate(made);
      const invalid = invalidMembersIn(result);
      if (invalid !== undefined) return refuse(invalid);
      return transform ? (result as { readonly value: T }).value : made;
    };
  }
  return async (made, current, req) => {
    const errors = (await validate(made, current, req)) ?? [];
    return errors.length > 0 ? refuse(errors) : made;
  };
}

/** Of what is wrong with a hidden member a client is not told more than that something is. */
function withoutHidden(error: InvalidMember, hidden: HiddenMembers): InvalidMember {
  const pointer = memberOf(error, 'pointer');
  if (pointer === undefined || !hidden.covers(pointer)) return error;
  return { detail: 'A member that is not shown would be invalid.' };
}
