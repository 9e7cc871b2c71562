import type { Awaitable } from '../../config/object';
import { emitWarning } from '../../config/process-warning';
import { readMember } from '../../config/prototype-pollution';
import { inspectShort } from '../../config/inspect';
import { fireAndForget } from '../../config/unawaited';
import type { PatchRequest } from '../../http/middleware';
import { readAppJson } from '../../json/app-json';
import { quotedPointer, tokensIn } from '../../json/pointer';
import { copyJson, isEqualJson } from '../../json/value';
import { checkValue } from '../../stores/contract/check-result';
import { type InvalidMember, type InvalidMembers, invalidResult } from '../../stores/contract/invalid-result';
import type { ResourceStore, Stored } from '../../stores/contract/resource-store';
import { changedPointers } from './changed-pointers';
import type { HiddenMembers } from './hidden-members';
import { coverage, type Protection } from './protected-members';
import { takeOutput } from './schema-output';
import { isStandardSchema, readIssues, readOutput, type StandardSchema } from './standard-schema';

/**
 * Returns the errors of `next`; undefined or an empty list if it is valid. `current` is undefined if the
 * request creates the resource.
 */
export type Validator<T> = (
  next: T,
  current: T | undefined,
  req: PatchRequest,
) => Awaitable<readonly InvalidMember[] | undefined>;

/** A result whose members the client may write, and the values from which it was made. */
interface JudgedChange<T> {
  readonly key: string;
  /** Undefined if the resource is being created. */
  readonly stored: Stored<T> | undefined;
  /**
   * The value that the patch was applied to, with its hidden members: the stored value, or the initial one.
   */
  readonly base: T;
  /** The result without the hidden members that the client has not set. */
  readonly result: unknown;
  /** The containers of the result that are edited copies, each with its original. */
  readonly originals: ReadonlyMap<object, object>;
  /** Whether the result was sent as a whole, apart from members that a request cannot change. */
  readonly isWhole: boolean;
  readonly protection: Protection;
  readonly req: PatchRequest;
}

/**
 * Checks the whole result of a patch, which need not be a T, and returns the value to store. A function
 * receives the value that the store would hold. A schema receives the value that the client has sent, because
 * it can convert it for the store.
 *
 * @throws ProblemError 422
 */
export type Validate<T> = (withHidden: T, change: JudgedChange<T>) => T | Promise<T>;

/** Creates the check of the option `validate`. */
export function compileValidator<T>(
  validate: StandardSchema<T> | Validator<T> | undefined,
  store: Pick<ResourceStore<T>, 'complete' | 'fit' | 'readOnly'>,
  hidden: HiddenMembers,
  depth: number,
  subject: string,
): Validate<T> {
  const fitted = (next: T, { key, stored }: JudgedChange<T>): T =>
    checkValue('fit', store.fit?.(key, next, stored?.value)) ?? next;
  const completedByStore = (next: T, { key, stored }: JudgedChange<T>): T =>
    checkValue('complete', store.complete?.(key, next, stored?.value)) ?? next;
  const refuse = (errors: InvalidMembers, { result }: JudgedChange<T>): never => {
    const unseen = hidden.unset(result);
    throw invalidResult(unseen.length === 0 ? errors : withoutUnseen(errors, unseen));
  };
  if (validate === undefined) return fitted;
  if (!isStandardSchema(validate))
    return async function validateByFunction(withHidden, change) {
      const next = fitted(withHidden, change);
      const errors: unknown = (await validate(next, change.stored?.value, change.req)) ?? [];
      if (!isInvalidMemberList(errors)) throw new TypeError(wrongErrors);
      return errors.length > 0 ? refuse(errors, change) : next;
    };

  // A copy, because schemas can write into the values that they check, and stored values are shared or
  // frozen.
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
  return async function validateBySchema(withHidden, change) {
    const { key, stored, base, originals, isWhole, protection } = change;
    const candidate = completedByStore(withHidden, change);
    const result = await check(candidate);
    const invalid = readIssues(result);
    if (invalid !== undefined) {
      fireAndForget(
        () => checkStored(key, stored?.value),
        () => undefined,
      );
      return refuse(invalid, change);
    }
    const output = readOutput(result);
    const before = isWhole ? undefined : base;
    // A schema cannot write members that the client has not set: it would hash a password that is already
    // hashed.
    const keptPaths = [...hidden.unset(change.result), ...keptByStore];
    const keeps = (path: readonly string[]) => {
      const part = coverage(keptPaths, path);
      return part === 'whole' ? part : (protection.protects(path) ?? part);
    };
    const next = takeOutput({ before, result: withHidden, output, originals, keeps, depth }) as T;
    // If the schema has changed a member that the request leaves alone, its output is not what is stored.
    const judged = completedByStore(next, change);
    // The schema has accepted the candidate and made the output: neither is judged again.
    if (!isEqualJson(judged, candidate) && !isEqualJson(judged, output)) {
      const [fault] = readIssues(await check(judged)) ?? [];
      const own = fault && readOwnJson(output);
      // If the schema also refuses its own output, such as a hashed password, the missing change is not the
      // reason.
      if (
        fault !== undefined &&
        own !== undefined &&
        readIssues(await check(completedByStore(own as T, change))) === undefined
      ) {
        const [untaken] = changedPointers(judged, own);
        if (untaken !== undefined) throw new TypeError(sayMixedInvalid(untaken, fault));
      }
    }
    return fitted(next, change);
  };
}

function sayStoredInvalid(subject: string, key: string, { pointer = '', detail }: InvalidMember): string {
  const where = `${inspectShort(key)}, at ${quotedPointer(pointer, 200)}: ${inspectShort(detail)}`;
  return (
    `The option validate of ${subject} refused a request, and also refuses the value stored under ${where}. ` +
    'Let the schema describe the resource rather than the patch, or correct the stored value.'
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
    'The schema of the option validate accepts the change only together with its own change ' +
    `at ${quotedPointer(untaken, 200)}, which is not stored, because the request does not name that member. ` +
    `Without it, the schema refuses the result at ${quotedPointer(pointer, 200)}: ${inspectShort(detail)}. ` +
    'Let the schema refuse such a change, or complete it in the option prepare.'
  );
}

const wrongErrors =
  'The option validate did not return a list of errors. ' +
  "Return [{ pointer: '/title', detail: 'must not be empty' }], or undefined if the value is valid. " +
  'To use a schema, pass it as validate itself.';

function isInvalidMemberList(errors: unknown): errors is readonly InvalidMember[] {
  const isInvalid = (error: unknown) => {
    const member = Object(error) as Partial<InvalidMember>;
    const [detail, pointer]: unknown[] = [readMember(member, 'detail'), readMember(member, 'pointer')];
    return typeof detail === 'string' && (pointer === undefined || typeof pointer === 'string');
  };
  return Array.isArray(errors) && errors.every(isInvalid);
}

/**
 * Clients learn only that some member that they cannot see is invalid. The errors of such members become one
 * error, after all others, so that neither their number nor their paths are revealed. For the same reason
 * there is no `length`.
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
