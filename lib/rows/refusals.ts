import { isObject } from '../config/object';
import { debugLog } from '../http/debug-log';
import { ProblemError } from '../http/problem';
import { formatPointer } from '../json/pointer';
import { isArray, isJsonObject, type JsonContainer } from '../json/value';
import { invalidResult } from '../stores/contract/invalid-result';
import { errorsWithin, type Meaning, readMeaning } from '../stores/engine-error';
import type { RowSettings } from './row-store-options';
import type { Row } from './rows';

/** The columns that a write sets. */
export interface WrittenColumns {
  /** The columns of the client's members. */
  readonly changes: Row;
  /** The columns of the store. */
  readonly storeColumns: Row;
  /** The columns of the key, if the row is new. */
  readonly key?: Row;
}

/**
 * The problem for a client whose UPDATE or INSERT the database refused. Errors that the client cannot avoid,
 * and all other errors, are returned unchanged.
 */
export function toRefusal(error: unknown, settings: RowSettings, sent: WrittenColumns): unknown {
  if (error instanceof UnstorableValueError) return unstorableValue(error, settings);
  if (hasStatus(error)) return error;
  const issues = readModelIssues(error);
  if (issues !== undefined) return invalidEntity(error, issues, settings);
  const meaning = readMeaning(error);
  if (meaning === undefined) return error;
  if (meaning === 'generated') {
    const [written, key] = [sent.changes, sent.key ?? {}].map((row) => Object.keys(row));
    return new GeneratedColumnError(written ?? [], key, error);
  }
  const { isAppFault, ...at } = findRefusedMember(error, meaning, settings, sent);
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

/** The mistake in a value that the database refuses, as a phrase after the member's pointer. */
const details: Readonly<Partial<Record<Meaning, string>>> = {
  reference: 'refers to something that does not exist, or other resources refer to it',
  null: 'must not be null or missing',
  'too-long': 'is too long',
  'out-of-range': 'is out of range',
  rule: 'violates a rule of the table',
  value: 'is out of range, or violates a constraint of the table',
  model: 'is out of range, or violates a constraint of the table',
};

const debug = debugLog('patch');

function unstorableValue(
  { column, path, detail }: UnstorableValueError,
  { members }: RowSettings,
): ProblemError {
  return invalidResult([{ pointer: formatPointer([members.get(column) ?? column, ...path]), detail }]);
}

/**
 * Whether an error has a status: a hook of the app has thrown it for Express, such as an error of
 * http-errors.
 */
function hasStatus(error: unknown): boolean {
  const { status, statusCode = status } = Object(error) as Readonly<Record<string, unknown>>;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 600;
}

/** A 422 with the messages of the app's model validators, with pointers for messages about members. */
function invalidEntity(
  cause: unknown,
  issues: readonly ModelIssue[],
  { members }: RowSettings,
): ProblemError {
  const invalid = issues.map(({ path: [column = '', ...path], message }) => {
    const member = members.get(column);
    const pointer = member === undefined ? undefined : formatPointer([member, ...path]);
    return { detail: message, ...(pointer !== undefined && { pointer }) };
  });
  return Object.assign(invalidResult(invalid), { cause });
}

/** One issue that the model of the app has found in an entity. */
interface ModelIssue {
  /** The path to the property or to a part of it; empty for a rule about several properties. */
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Reads the messages of the app's model validators: the `errors` of Sequelize, the `issues` of Zod and other
 * libraries with the Standard Schema, and the list that `validateOrReject` of class-validator throws.
 *
 * @returns undefined if the error is none of these
 */
export function readModelIssues(error: unknown): readonly ModelIssue[] | undefined {
  if (!isObject(error)) return undefined;
  const { name, errors, issues } = error as Readonly<Record<string, unknown>>;
  if (name === 'SequelizeValidationError')
    return toIssues(errors, ({ path, message }) => issue([path], message));
  if (Array.isArray(error)) return toIssues(error, readClassValidator);
  return toIssues(issues, ({ path = [], message }) => {
    return Array.isArray(path) ? issue(path.map(readSegment), message) : undefined;
  });
}

type Member = Readonly<Record<string, unknown>>;

/** @returns undefined unless the list has issues, and nothing else */
function toIssues(
  list: unknown,
  read: (entry: Member) => readonly ModelIssue[] | undefined,
): readonly ModelIssue[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const issues = list.map((entry: unknown) => (isObject(entry) ? read(entry as Member) : undefined));
  return issues.every((one) => one !== undefined) ? issues.flat() : undefined;
}

function issue(path: readonly unknown[], message: unknown): readonly ModelIssue[] | undefined {
  const tokens = path.filter((token) => token !== undefined && token !== null).map(String);
  return typeof message === 'string' ? [{ path: tokens, message }] : undefined;
}

/** A segment of the Standard Schema is a key, or has one. */
function readSegment(segment: unknown): unknown {
  return isObject(segment) ? Reflect.get(segment, 'key') : segment;
}

/** `{ property, constraints: { isEmail: 'email must be an email' }, children }` */
function readClassValidator({ property, constraints, children }: Member): readonly ModelIssue[] | undefined {
  if (typeof property !== 'string') return undefined;
  const messages = isObject(constraints) ? Object.values(constraints) : [];
  const own = messages.flatMap((message: unknown) => issue([property], message) ?? []);
  const inner = toIssues(children, readClassValidator) ?? [];
  const issues = [...own, ...inner.map(({ path, message }) => ({ path: [property, ...path], message }))];
  return issues.length > 0 ? issues : undefined;
}

/** The part of a write that the database refused. */
interface RefusedMember {
  /** The member, if it is known. */
  readonly pointer?: string;
  /**
   * Whether the client cannot avoid the error: it has changed nothing, or the error names a column of the
   * store, or a missing value in a column that clients cannot write.
   */
  readonly isAppFault: boolean;
}

/**
 * The member whose column the error names; if it names no column of the client, the only member that the
 * client has changed.
 */
function findRefusedMember(
  error: unknown,
  meaning: Meaning,
  { columnNames, members, writable, required }: RowSettings,
  { changes, storeColumns, key }: WrittenColumns,
): RefusedMember {
  const isNamedByError = readNamedColumns(error);
  const named = (names: readonly string[]) =>
    names.filter((name) => isNamedByError?.((Object.hasOwn(columnNames, name) && columnNames[name]) || name));
  const changed = Object.keys(changes).filter((name) => !Object.hasOwn(key ?? {}, name));
  const isNull = meaning === 'null';
  const isMissing = (name: string) => (changes[name] ?? null) === null;
  // In a new row, members that the client has left out are NULL, too.
  const nulls = (key === undefined ? changed : writable).filter(isMissing);
  // If the error names several columns, it means the client's, such as the email in UNIQUE (tenant, email).
  const among = [changed, isNull ? nulls : [], Object.keys(key ?? {})]
    .map(named)
    .find(({ length }) => length > 0);
  const candidates = isNull ? nulls.filter((name) => key === undefined || required.includes(name)) : changed;
  const isAppFault =
    among === undefined &&
    (isNamedByError === undefined
      ? candidates.length === 0 && (isNull || key === undefined)
      : isNull || named(Object.keys(storeColumns)).length > 0);
  // In a new row, the error can also mean the key.
  const [column = '', ...more] = among ?? (key === undefined || isNull ? candidates : []);
  const member = more.length > 0 ? undefined : members.get(column);
  return {
    isAppFault,
    ...(member !== undefined && { pointer: formatPointer([member]) }),
  };
}

/**
 * Finds the columns that an error names in its members, not in its message: in `column`, in lists of Prisma,
 * or in the names that PostgreSQL and Prisma give to a constraint of one column, such as notes_email_key.
 *
 * @returns undefined if it names none
 */
function readNamedColumns(error: unknown): ((column: string) => boolean) | undefined {
  for (const within of errorsWithin(error)) {
    const { column, target, constraint, table } = within as Readonly<Record<string, unknown>>;
    const { fields, index } = (isObject(constraint) ? constraint : {}) as Record<'fields' | 'index', unknown>;
    const lists: unknown[] = [typeof column === 'string' ? [column] : undefined, target, fields];
    const names = lists.find((list): list is unknown[] => Array.isArray(list));
    if (names !== undefined) return (name) => names.some((one) => isSameColumn(name, String(one)));
    const [, base] = /^(.+)_(?:key|check|fkey)\d*$/.exec(String(index ?? constraint)) ?? [];
    if (base !== undefined)
      return (name) => isSameColumn(`${typeof table === 'string' ? table : ''}_${name}`, base);
  }
  return undefined;
}

/** ORMs can have other names for columns: authorId for author_id. */
export function isSameColumn(name: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll('_', '').toLowerCase();
  return plain(name) === plain(other);
}

/** The problem for a deletion of a row to which other rows refer. */
export function toStillReferenced(error: unknown): unknown {
  if (readMeaning(error) !== 'reference') return error;
  const detail =
    'Other resources refer to this one, so it cannot be deleted. Delete them, or their references, first.';
  return new ProblemError(409, 'still-referenced', detail, { cause: error });
}

export function isUniqueRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'unique-violation';
}

/**
 * A write sets a column that the database generates. Declare it `readOnly`. If the database refused the write, its
 * error is the `cause`. Nothing is written.
 */
export class GeneratedColumnError extends TypeError {
  override readonly name = 'GeneratedColumnError';
  readonly code = 'PATCH_OPTIONS_GENERATED_COLUMN';

  /**
   * @param columns - the columns of members that were written; if there are several, the cause names the
   *   generated one
   * @param key - the columns of the key of a new row
   */
  constructor(columns: readonly string[], key: readonly string[] = [], cause?: unknown) {
    const all = [...new Set([...columns, ...key])];
    const which = all.length > 1 ? `one of the columns ${all.join(', ')}` : `the column ${all.join('')}`;
    const fixes = [
      ...(columns.length > 0 ? ['Declare it as { kind, readOnly: true }.'] : []),
      ...(key.length > 0 ? [`If it is the key column ${key.join(' or ')}, set insert: undefined.`] : []),
    ];
    super(
      `The database generates ${which}, and refuses a write of it` +
        `${all.length > 1 ? '; its name is in the cause' : ''}. ${fixes.join(' ')}`,
      cause === undefined ? {} : { cause },
    );
  }
}

/**
 * Thrown before a statement is sent, for a value that the ORM would store or read differently despite all
 * checks.
 */
export class UnstorableValueError extends TypeError {
  /**
   * @param path - from the value of the column to the part that cannot be stored
   * @param detail - the mistake, as a phrase after its pointer
   */
  constructor(
    readonly column: string,
    readonly path: readonly string[],
    readonly detail: string,
  ) {
    super(`${column} ${detail}`);
  }
}

/**
 * Whether an ORM interprets a member of a JSON value instead of storing it.
 *
 * @param isBelowConstructor - whether an object above it has a member `constructor`, and therefore looks like
 *   an instance of a class
 */
export type IsReserved = (name: string, value: unknown, isBelowConstructor: boolean) => boolean;

/** @throws UnstorableValueError for the first member that is reserved */
export function assertNoReserved(column: string, value: unknown, isReserved: IsReserved): void {
  const path = isJson(value) ? reservedPath(value, isReserved, false) : undefined;
  if (path === undefined) return;
  throw new UnstorableValueError(column, path, 'has a name that cannot be stored here. Choose another name');
}

function reservedPath(
  container: JsonContainer,
  isReserved: IsReserved,
  isBelowConstructor: boolean,
): string[] | undefined {
  const isBelow = isBelowConstructor || Object.hasOwn(container, 'constructor');
  for (const [name, value] of Object.entries(container)) {
    if (isReserved(name, value, isBelowConstructor)) return [name];
    const path = isJson(value) ? reservedPath(value, isReserved, isBelow) : undefined;
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

/** Whether it is a JSON container, unlike a Date, bytes or an object of the ORM, which codecs write. */
function isJson(value: unknown): value is JsonContainer {
  if (isArray(value)) return true;
  const prototype: unknown = isJsonObject(value) ? Object.getPrototypeOf(value) : undefined;
  return prototype === Object.prototype || prototype === null;
}
