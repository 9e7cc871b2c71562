import { warnOnce } from '../../config/process-warning';
import { getAgain } from '../../http/preconditions';
import { pointerMember } from '../../http/pointer-member';
import { ProblemError } from '../../http/problem';
import { quotedPointer, tokensIn, valueAt } from '../../json/pointer';
import { changeMembers, isEqualJson, isJsonObject } from '../../json/value';
import { hasValue } from '../../stores/contract/check-result';
import type { Stored } from '../../stores/contract/resource-store';

/**
 * The refusal of a request that was made from another state than the current one.
 *
 * @param visible - the resource as the client sees it
 * @param result - the result of the patch
 * @param isNew - whether the resource is being created
 * @param apply - applies the patch to another value
 */
export type FindStale = (
  visible: unknown,
  result: unknown,
  isNew: boolean,
  apply: (value: unknown) => unknown,
) => ProblemError | undefined;

/**
 * Creates the check of the option `stateMembers`: for a member that changes with each write, a client sends
 * the value of the state that it has seen. RFC 5789 2.2: without a precondition, a conflicting state is 409.
 */
export function compileStateMembers(pointers: readonly string[] = []): FindStale {
  const members = pointers.map((pointer) => ({ pointer, path: tokensIn(pointer) }));
  return (visible, result, isNew, apply) => {
    for (const { pointer, path } of members) {
      const current = valueAt(visible, path);
      if (!isEqualJson(valueAt(result, path), current)) return staleState(pointer, isNew ? gone : changed);
      if (isRunningSecond(current) && isNamed(path, visible, apply)) return staleState(pointer, inThisSecond);
    }
    return undefined;
  };
}

/**
 * Creates the function that warns once of a member that a write has not changed: a stale record has its
 * current value, and is taken for current.
 *
 * @param subject - the function whose option it is, as in `patchHandler()`
 */
export function unmovedAdviser(
  pointers: readonly string[] = [],
  subject: string,
): (before: Stored<unknown> | undefined, after: Stored<unknown>) => void {
  if (pointers.length === 0) return () => undefined;
  const members = pointers.map((pointer) => ({ pointer, path: tokensIn(pointer) }));
  const tell = warnOnce('PATCH_OPTIONS_STATE_MEMBER', (pointer: string) => sayUnmoved(subject, pointer));
  return (before, after) => {
    if (before === undefined || !hasValue(after)) return;
    const unmoved = members.find(({ path }) => {
      const member = valueAt(after.value, path);
      return isEqualJson(valueAt(before.value, path), member) && !isOfNow(member);
    });
    if (unmoved !== undefined && !isEqualJson(before.value, after.value)) tell(unmoved.pointer);
  };
}

function sayUnmoved(subject: string, pointer: string): string {
  return (
    `${subject}: a write has changed the resource, but not the member ${quotedPointer(pointer, 200)} of the option ` +
    'stateMembers, so stale records are written. Name a member that changes with each write, or let the store ' +
    "change it: the option modified of rowStore, the schema's timestamps or a pre('save') in Mongoose."
  );
}

/** Whether the value is a date of the current second, which two writes can have. */
function isOfNow(value: unknown): boolean {
  const time = typeof value === 'number' ? value * 1_000 : Date.parse(String(value));
  return Math.abs(time - Date.now()) < 2_000;
}

const gone = 'is from a state that no longer exists. To create the resource, leave that member out.';
const changed = `does not have the current value: the resource has changed since it was read. ${getAgain}`;
const inThisSecond =
  'is a date in this second, which cannot show whether the resource has changed since it was read. ' +
  'GET it again in a second, or send If-Match with its ETag.';

function staleState(pointer: string, reason: string): ProblemError {
  const detail = `The member ${quotedPointer(pointer, 200)} ${reason}`;
  return new ProblemError(409, 'stale-state', detail, { extensions: { ...pointerMember(pointer) } });
}

/**
 * Whether it is a date without a fraction whose second is not over, so that the next write can have the same
 * date.
 */
function isRunningSecond(value: unknown): boolean {
  const now = Date.now();
  if (typeof value === 'string') return wholeSecond.test(value) && Date.parse(value) + 1_000 > now;
  // A number is taken for seconds since the epoch; no counter is near the current time.
  return Number.isInteger(value) && Math.abs(Number(value) * 1_000 - now) < 2_000;
}

const wholeSecond = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.0+)?(?:[Zz]|[+-]\d\d:?\d\d)$/;

/**
 * Whether a patch sends a member, or tests it: when it is applied to another value of the member, it fails,
 * or changes that value.
 */
function isNamed(path: readonly string[], visible: unknown, apply: (value: unknown) => unknown): boolean {
  const other = { other: 'state' };
  try {
    const applied = valueAt(apply(withMember(visible, path, other)), path);
    return applied !== undefined && !isEqualJson(applied, other);
  } catch {
    return true;
  }
}

function withMember(value: unknown, [name, ...path]: readonly string[], member: unknown): unknown {
  if (name === undefined) return member;
  return isJsonObject(value)
    ? changeMembers(value, [name], (_name, old) => withMember(old, path, member))
    : value;
}
