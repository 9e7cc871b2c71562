import { formatPointer, parsePointer, valueAt } from '../parsers/json-pointer';
import { isEqualJson } from '../parsers/json-value';
import { changedPointers } from './changed-pointers';
import type { PatchHandlerOptions, PatchRequest, Validator } from './patch-handler-options';
import { forbidden, invalidResult, readOnly } from './patch-problems';
import { isStandardSchema, type SchemaIssue, type StandardSchema } from './standard-schema';

/**
 * Judges what a patch has made of a value, and gives what is to be stored.
 *
 * @param current - undefined where the resource is being created
 * @param base - what the patch was applied to
 * @throws ProblemError 422 or 403
 */
export type Judge<T> = (made: unknown, current: T | undefined, base: T, req: PatchRequest) => Promise<T> | T;

type JudgeOptions<T> = Pick<PatchHandlerOptions<T>, 'readOnly' | 'validate' | 'transform' | 'authorize'>;

/** One judge of the options given: what is read-only, then what is valid, then who may. */
export function compileJudge<T>(options: JudgeOptions<T>): Judge<T> {
  const guard = readOnlyGuard(options.readOnly ?? []);
  const validate = compileValidator(options.validate, options.transform ?? false);
  const { authorize } = options;
  if (options.validate === undefined && authorize === undefined) {
    return (made, _current, base) => {
      guard(base, made);
      return made as T;
    };
  }

  return async (made, current, base, req) => {
    guard(base, made);
    const next = await validate(made, current, req);
    if (next !== made) guard(base, next);
    if (authorize !== undefined) {
      const allowed = await authorize(req, { current, next, changed: changedPointers(current, next) });
      if (!allowed) throw forbidden();
    }
    return next;
  };
}

function readOnlyGuard(pointers: readonly string[]): (base: unknown, made: unknown) => void {
  const guarded = pointers.map((pointer) => ({ pointer, path: parsePointer(pointer)?.tokens ?? [] }));
  return (base, made) => {
    for (const { pointer, path } of guarded) {
      if (!isEqualJson(valueAt(made, path), valueAt(base, path))) throw readOnly(pointer);
    }
  };
}

/**
 * Gives the value to be stored, or throws what is wrong with it. What a patch makes of a T need not be one: whether it
 * is, is the host's to judge, here, and without a validator it is taken for one.
 */
type CompiledValidator<T> = (made: unknown, current: T | undefined, req: PatchRequest) => Promise<T> | T;

function compileValidator<T>(
  validate: StandardSchema<T> | Validator<T> | undefined,
  transform: boolean,
): CompiledValidator<T> {
  if (validate === undefined) return (made) => made as T;
  if (isStandardSchema(validate)) return schemaValidator(validate, transform);
  return async (made, current, req) => {
    const next = made as T;
    const errors = (await validate(next, current, req)) ?? [];
    if (errors.length > 0) throw invalidResult(errors);
    return next;
  };
}

function schemaValidator<T>(schema: StandardSchema<T>, transform: boolean): CompiledValidator<T> {
  return async (made) => {
    const result = await schema['~standard'].validate(made);
    if (result.issues !== undefined) throw invalidResult(result.issues.map(asInvalidMember));
    return transform ? result.value : (made as T);
  };
}

function asInvalidMember({ message, path = [] }: SchemaIssue): { detail: string; pointer: string } {
  const names = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
  return { detail: message, pointer: formatPointer(names) };
}
