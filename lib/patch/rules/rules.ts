import { emitWarning } from '../../config/process-warning';
import { readMember } from '../../config/prototype-pollution';
import { shownText } from '../../config/shown-text';
import { callAside } from '../../config/unawaited';
import type { PatchRequest } from '../../http/routed-request';
import { readAppJson } from '../../json/app-json';
import { quotedPointer, tokensIn } from '../../json/pointer';
import { copyJson, isEqualJson } from '../../json/value';
import { checkValue } from '../../stores/contract/check-result';
import { type InvalidMember, type InvalidMembers, invalidResult } from '../../stores/contract/invalid-result';
import type { ResourceStore } from '../../stores/contract/resource-store';
import type { PatchLimits } from '../formats/patch-parser';
import type { PatchHandlerOptions, Validator } from '../options/handler-options';
import { forbidden, memberForbidden, readOnly, tooManyChanges } from '../refusals';
import { changedPointers, changesWithin } from './changed-pointers';
import { decisionBy } from './decision';
import type { HiddenMembers } from './hidden-members';
import type { PermittedState } from './permitted-state';
import { coverage, type Protection } from './protected-members';
import { takeOutput } from './schema-output';
import { isStandardSchema, readIssues, readOutput, type StandardSchema } from './standard-schema';

/** The result of one patch. */
export interface AppliedPatch<T> {
  readonly key: string;
  /** The value that it was applied to, without hidden members. */
  readonly visible: unknown;
  readonly result: unknown;
  /** That value with its hidden members: the stored one, or the initial one of a creation. */
  readonly base: T;
  /** Nothing is stored if the resource is being created. */
  readonly state: PermittedState<T>;
  readonly protection: Protection;
  /** The containers of the result that are edited copies, each with its original. */
  readonly originals: ReadonlyMap<object, object>;
  /** Whether the result was sent as a whole, apart from what a request cannot change. */
  readonly isWhole: boolean;
  readonly req: PatchRequest;
}

/**
 * Checks the result of a patch against the rules of the app, and gives the value to be stored.
 *
 * @throws ProblemError 422 or 403
 */
export type Rules<T> = (applied: AppliedPatch<T>) => Promise<T> | T;

type RuleOptions<T> = Pick<PatchHandlerOptions<T>, 'validate' | 'authorize'>;

/**
 * Makes the checks, in the order of their answers: hidden members, writable members, validation,
 * authorisation.
 */
export function compileRules<T>(
  { validate, authorize: decide }: RuleOptions<T>,
  hidden: HiddenMembers,
  limits: Pick<PatchLimits, 'bytes' | 'depth'>,
  store: FittingStore<T>,
  subject: string,
): Rules<T> {
  const authorize = decide && decisionBy('authorize', decide, subject);
  const validated = compileValidator(validate, { hidden, store, depth: limits.depth, subject });

  /** The result of a patch need not be a T: the app's validator checks that. */
  function toWhole(applied: AppliedPatch<T>): T {
    const { visible, result, base, protection } = applied;
    hidden.assertUntouched(visible, result);
    const pointer = protection.firstChange(visible, result);
    if (pointer !== undefined) {
      if (!protection.isRight) throw readOnly(pointer);
      const changes = changesWithin(visible, result, limits.bytes)?.pointers ?? [];
      const denied = changes.filter((change) => protection.protects(tokensIn(change)) !== undefined);
      throw memberForbidden(denied.length === 0 ? [pointer] : denied);
    }
    return (result === visible ? base : hidden.restored(result, base)) as T;
  }
  if (validate === undefined && authorize === undefined)
    return (applied) => fitted(store, toWhole(applied), applied);

  return async function applyRules(applied) {
    const { state, req } = applied;
    const next = await validated(toWhole(applied), applied);
    if (authorize !== undefined) {
      const changes = changesWithin(state.stored?.value, next, limits.bytes);
      if (changes === undefined) throw tooManyChanges(limits.bytes);
      const change = {
        current: state.stored?.value,
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

type FittingStore<T> = Pick<ResourceStore<T>, 'complete' | 'fit' | 'readOnly'>;

function fitted<T>(store: FittingStore<T>, next: T, { key, state }: AppliedPatch<T>): T {
  return checkValue('fit', store.fit?.(key, next, state.stored?.value)) ?? next;
}

function completed<T>(store: FittingStore<T>, next: T, { key, state }: AppliedPatch<T>): T {
  return checkValue('complete', store.complete?.(key, next, state.stored?.value)) ?? next;
}

/**
 * Gives the value to be stored, or throws a ProblemError. A function gets what the store would hold; a schema
 * gets what the client has sent, because it can make of it what the store takes.
 */
type CompiledValidator<T> = (whole: T, applied: AppliedPatch<T>) => T | Promise<T>;

interface ValidatorContext<T> {
  readonly hidden: HiddenMembers;
  readonly store: FittingStore<T>;
  readonly depth: number;
  readonly subject: string;
}

function compileValidator<T>(
  validate: StandardSchema<T> | Validator<T> | undefined,
  { hidden, store, depth, subject }: ValidatorContext<T>,
): CompiledValidator<T> {
  if (validate === undefined) return (whole, applied) => fitted(store, whole, applied);
  const refuse = (errors: InvalidMembers, { result }: AppliedPatch<T>): never => {
    const unseen = hidden.unset(result);
    throw invalidResult(unseen.length === 0 ? errors : withoutUnseen(errors, unseen));
  };
  if (isStandardSchema(validate)) {
    // A copy, because schemas can write into what they check, and stored values are shared or frozen.
    const check = (value: T) => validate['~standard'].validate(copyJson(value));
    let hasTold = false;
    const checkStored = async (key: string, stored: T | undefined) => {
      if (stored === undefined || hasTold) return;
      const [invalid] = readIssues(await check(stored)) ?? [];
      if (invalid === undefined) return;
      hasTold = true;
      emitWarning('PATCH_OPTIONS_VALIDATE', sayStoredInvalid(subject, key, invalid));
    };
    const keptByStore = (readMember(store, 'readOnly') ?? []).map(tokensIn);
    return async (whole, applied) => {
      const { key, state, base, originals, isWhole, protection } = applied;
      const candidate = completed(store, whole, applied);
      const result = await check(candidate);
      const invalid = readIssues(result);
      if (invalid !== undefined) {
        callAside(
          () => checkStored(key, state.stored?.value),
          () => undefined,
        );
        return refuse(invalid, applied);
      }
      const output = readOutput(result);
      const before = isWhole ? undefined : base;
      // What the client has not set, a schema cannot write either: it would hash a password that is hashed.
      const keptPaths = [...hidden.unset(applied.result), ...keptByStore];
      const keeps = (path: readonly string[]) => {
        const part = coverage(keptPaths, path);
        return part === 'whole' ? part : (protection.protects(path) ?? part);
      };
      const next = takeOutput({ before, result: whole, output, originals, keeps, depth }) as T;
      // If the schema has changed a member that the request leaves alone, its output is not what is stored.
      const judged = completed(store, next, applied);
      // The schema has accepted the candidate and made the output: neither is judged again.
      if (!isEqualJson(judged, candidate) && !isEqualJson(judged, output)) {
        const [fault] = readIssues(await check(judged)) ?? [];
        const own = fault && readOwnJson(output);
        // A schema that refuses its own output as well, such as a hashed password, does not miss the untaken change.
        if (
          fault !== undefined &&
          own !== undefined &&
          readIssues(await check(completed(store, own as T, applied))) === undefined
        ) {
          const [untaken] = changedPointers(judged, own);
          if (untaken !== undefined) throw new TypeError(sayMixedInvalid(untaken, fault));
        }
      }
      return fitted(store, next, applied);
    };
  }
  return async (whole, applied) => {
    const next = fitted(store, whole, applied);
    const errors: unknown = (await validate(next, applied.state.stored?.value, applied.req)) ?? [];
    if (!isInvalidMemberList(errors)) throw new TypeError(wrongErrors);
    return errors.length > 0 ? refuse(errors, applied) : next;
  };
}

function sayStoredInvalid(subject: string, key: string, { pointer = '', detail }: InvalidMember): string {
  const where = `${shownText(key)} as well, at ${quotedPointer(pointer, 200)}: ${shownText(detail)}`;
  return (
    `The option validate of ${subject} refused a request, and refuses what is stored under ${where}. ` +
    'Let the schema describe the resource rather than the patch, or correct what is stored.'
  );
}

/** The output of a schema as JSON; undefined if JSON cannot hold it, such as an entity that refers to itself. */
function readOwnJson(output: unknown): unknown {
  try {
    return readAppJson(output, 'The output of the schema');
  } catch {
    return undefined;
  }
}

function sayMixedInvalid(untaken: string, { pointer = '', detail }: InvalidMember): string {
  return (
    'The schema of the option validate accepts the change only together with one that it makes ' +
    `at ${quotedPointer(untaken, 200)}, which is not stored, because the request does not name that member. ` +
    `Without it, the schema refuses the result at ${quotedPointer(pointer, 200)}: ${shownText(detail)}. ` +
    'Let the schema refuse such a change, or complete it in the option prepare.'
  );
}

const wrongErrors =
  'The option validate did not return a list of errors. ' +
  "Return [{ pointer: '/title', detail: 'must not be empty' }], or undefined if the value is valid.";

function isInvalidMemberList(errors: unknown): errors is readonly InvalidMember[] {
  const isInvalid = (error: unknown) => {
    const member = Object(error) as Partial<InvalidMember>;
    const [detail, pointer]: unknown[] = [readMember(member, 'detail'), readMember(member, 'pointer')];
    return typeof detail === 'string' && (pointer === undefined || typeof pointer === 'string');
  };
  return Array.isArray(errors) && errors.every(isInvalid);
}

/**
 * Clients learn only that some member that they cannot see is invalid. The errors of such members become one,
 * after all others, so that neither their number nor their places tell anything. For the same reason there is
 * no `length`.
 */
function* withoutUnseen(
  errors: InvalidMembers,
  unseen: readonly (readonly string[])[],
): Iterable<InvalidMember> {
  let isUnseenInvalid = false;
  for (const error of errors) {
    const pointer = readMember(error, 'pointer');
    if (pointer === undefined || coverage(unseen, tokensIn(pointer)) !== 'whole') yield error;
    else isUnseenInvalid = true;
  }
  if (isUnseenInvalid) yield { detail: 'A member that you cannot see has an invalid value.' };
}
