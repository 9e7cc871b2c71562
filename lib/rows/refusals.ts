import { debugLog } from '../http/debug-log';
import { ProblemError } from '../http/problem';
import { formatPointer } from '../json/pointer';
import { invalidResult } from '../stores/contract/invalid-result';
import { type Meaning, readMeaning } from '../stores/engine-error';
import { GeneratedColumnError } from './generated-column';
import { type ModelFault, readModelFaults } from './model-faults';
import { findRefusedMember, type RefusedWrite } from './refused-member';
import type { RowSettings } from './compile-row-store';
import { UnstorableValueError } from './unstorable-value';

const debug = debugLog('patch');

/** What is wrong with a value that the database refuses, as a phrase after the member's pointer. */
const details: Readonly<Partial<Record<Meaning, string>>> = {
  reference: 'refers to something that does not exist, or others refer to it',
  null: 'must not be null or missing',
  'too-long': 'is too long',
  'out-of-range': 'is out of range',
  rule: 'violates a rule of the table',
  value: 'is out of range, or violates a constraint of the table',
  model: 'is out of range, or violates a constraint of the table',
};

/**
 * The problem for a client whose UPDATE or INSERT the database refused. Other errors stay as they are, and so
 * do those that the client cannot avoid.
 */
export function toRefusal(error: unknown, settings: RowSettings, write: RefusedWrite): unknown {
  if (error instanceof UnstorableValueError) return unstorableValue(error, settings);
  if (hasStatus(error)) return error;
  const faults = readModelFaults(error);
  if (faults !== undefined) return invalidEntity(error, faults, settings);
  const meaning = readMeaning(error);
  if (meaning === undefined) return error;
  if (meaning === 'generated') {
    const [written, key] = [write.changes, write.key ?? {}].map((row) => Object.keys(row));
    return new GeneratedColumnError(written ?? [], key, error);
  }
  const { isAppFault, ...at } = findRefusedMember(error, meaning, settings, write);
  if (isAppFault) return error;
  if (meaning === 'unique') {
    const detail = 'Another resource already has this value, which must be unique. Choose a different value.';
    return new ProblemError(409, 'unique-violation', detail, { cause: error, extensions: { ...at } });
  }
  const detail = details[meaning];
  if (detail === undefined) return error;
  debug('the database refused a write: %s', error instanceof Error ? error.message : error);
  return Object.assign(invalidResult([{ detail, ...at }]), { cause: error });
}

/** Other rows refer to the one that was to be deleted. */
export function toStillReferenced(error: unknown): unknown {
  if (readMeaning(error) !== 'reference') return error;
  const detail =
    'Other resources refer to this one, so it cannot be deleted. Delete them, or their references, first.';
  return new ProblemError(409, 'still-referenced', detail, { cause: error });
}

function unstorableValue(
  { column, path, detail }: UnstorableValueError,
  { members }: RowSettings,
): ProblemError {
  return invalidResult([{ pointer: formatPointer([members.get(column) ?? column, ...path]), detail }]);
}

/** What the validators of the app's model have said, with a pointer where it is about a member. */
function invalidEntity(
  cause: unknown,
  faults: readonly ModelFault[],
  { members }: RowSettings,
): ProblemError {
  const invalid = faults.map(({ path: [column = '', ...path], message }) => {
    const member = members.get(column);
    const pointer = member === undefined ? undefined : formatPointer([member, ...path]);
    return { detail: message, ...(pointer !== undefined && { pointer }) };
  });
  return Object.assign(invalidResult(invalid), { cause });
}

/** An error with a status, which a hook of the app has thrown for Express, such as one of http-errors. */
function hasStatus(error: unknown): boolean {
  const { status, statusCode = status } = Object(error) as Readonly<Record<string, unknown>>;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 600;
}

export function isUniqueRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'unique-violation';
}
