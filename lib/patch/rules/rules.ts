import { formatPointer, parsePointer, valueAt } from '../../parsers/json/pointer';
import { isEqualJson } from '../../parsers/json/value';
import { changedPointers } from './changed-pointers';
import type { PatchHandlerOptions, PatchRequest, Validator } from '../options/handler-options';
import { forbidden, invalidResult, readOnly } from '../problems';
import { isStandardSchema, type SchemaIssue, type StandardSchema } from '../options/standard-schema';

/**
 * Holds what a patch has made of a value against the rules of the app, and gives what is to be stored.
 *
 * @param current - undefined where the resource is being created
 * @param base - what the patch was applied to
 * @throws ProblemError 422 or 403
 */
export type Rules<T> = (made: unknown, current: T | undefined, base: T, req: PatchRequest) => Promise<T> | T;

type RuleOptions<T> = Pick<PatchHandlerOptions<T>, 'readOnly' | 'validate' | 'transform' | 'authorize'>;

/** The rules that the options make: what is read-only, then what is valid, then who may. */
export function compileRules<T>({
  readOnly: pointers = [],
  validate,
  transform = false,
  authorize,
}: RuleOptions<T>): Rules<T> {
  const guarded = pointers.map((pointer) => ({ pointer, path: parsePointer(pointer)?.tokens ?? [] }));
  const guard = (base: unknown, made: unknown): void => {
    for (const { pointer, path } of guarded) {
      if (!isEqualJson(valueAt(made, path), valueAt(base, path))) throw readOnly(pointer);
    }
  };
  const validated = compileValidator(validate, transform);
  if (validated === undefined && authorize === undefined) {
    return (made, _current, base) => {
      guard(base, made);
      return made as T;
    };
  }

  return async (made, current, base, req) => {
    guard(base, made);
    // What a patch makes of a T need not be one: whether it is, is for the app's own validator to say.
    const next = validated === undefined ? (made as T) : await validated(made as T, current, req);
    if (next !== made) guard(base, next);
    if (authorize !== undefined) {
      const allowed = await authorize(req, { current, next, changed: changedPointers(current, next) });
      if (!allowed) throw forbidden();
    }
    return next;
  };
}

/** Gives the value to be stored, or throws what is wrong with it. */
type CompiledValidator<T> = (made: T, current: T | undefined, req: PatchRequest) => Promise<T>;

function compileValidator<T>(
  validate: StandardSchema<T> | Validator<T> | undefined,
  transform: boolean,
): CompiledValidator<T> | undefined {
  if (validate === undefined) return undefined;
  if (isStandardSchema(validate)) {
    return async (made) => {
      const result = await validate['~standard'].validate(made);
      if (result.issues !== undefined) throw invalidResult(result.issues.map(asInvalidMember));
      return transform ? result.value : made;
    };
  }
  return async (made, current, req) => {
    const errors = (await validate(made, current, req)) ?? [];
    if (errors.length > 0) throw invalidResult(errors);
    return made;
  };
}

function asInvalidMember({ message, path = [] }: SchemaIssue): { detail: string; pointer: string } {
  const names = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
  return { detail: message, pointer: formatPointer(names) };
}
