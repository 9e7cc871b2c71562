import { randomUUID } from 'node:crypto';
import { functionThat } from '../config/expectation';
import { type Awaitable, isObject } from '../config/object';
import { OptionsCheck } from '../config/options-check';
import { warnOnce } from '../config/process-warning';
import { readMember } from '../config/prototype-pollution';
import { inspectResult, inspectValue } from '../config/inspect';
import { ProblemError } from '../http/problem';
import type { PatchRequest } from '../http/middleware';
import { isJsonObject, type JsonObject } from '../json/value';
import { isStorableKey } from '../stores/contract/key';
import { OutcomeList, type OutcomeStore } from '../stores/contract/outcome-store';
import {
  type DeleteContext,
  type FoundState,
  noContext,
  type PendingOutcome,
  type ReadContext,
  type ResourceStore,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../stores/contract/resource-store';
import { retry } from '../stores/contract/retry';
import { toJsonText } from '../stores/contract/serialize';
import { type Meaning, readMeaning, wasUndone } from '../stores/engine-error';
import { ColumnValueError } from './columns/codec';
import type { Columns, ValueOfColumn, WriteOnlyMember } from './columns/column-options';
import { inTransaction, type Steps, takeSteps } from './in-transaction';
import { findOrigin, fixMissingColumn } from './library-rows';
import { isSameColumn, isUniqueRefusal, toRefusal, toStillReferenced, type WrittenColumns } from './refusals';
import {
  compileRowStore,
  type LaterRowStoreOptions,
  type RowSettings,
  type RowStoreOptions,
  type Table,
} from './row-store-options';
import { type Row, type Rows, unchanged } from './rows';
import { assertTimestamps } from './timestamp-zone';

/**
 * The store that `rowStore` returns. `Extra` has `'delete'` if it has a `delete` method for certain, `'outcomes'` if it
 * is an `OutcomeStore`, and the members that `writeOnly` hides.
 */
export type RowStore<Value, Extra = never> = Omit<ResourceStore<Value>, 'delete' | 'fit'> & {
  delete?(key: string, expected?: string, context?: DeleteContext): Promise<boolean | FoundState<Value>>;
  fit(key: string, next: Value, current: Value | undefined): Value;
  /**
   * Returns the state of a row that a query of your own has read, such as for a list: its value as GET and
   * PATCH show it, for `entityTag` of `resource`. The row needs all columns in the options, under the names
   * in the options and as the ORM or the driver reads them, except `key`, `counter`, `outcomes` and
   * `writeOnly` columns. Any other column is left out.
   *
   * @throws MissingColumnError if a column is missing
   * @throws ColumnValueError for a value that its kind cannot represent
   */
  show(row: object): Stored<{
    [Member in keyof Value as Member extends HiddenBy<Extra> ? never : Member]: Value[Member];
  }>;
} & ('outcomes' extends Extra ? Pick<OutcomeStore, 'keepsOutcomes'> : unknown) &
  ('delete' extends Extra ? Required<Pick<ResourceStore<Value>, 'delete'>> : unknown);

/** The members that clients do not see. */
type HiddenBy<Extra> = Extra extends { readonly writeOnly: infer Member } ? Member : never;

/** `'delete'` if the options certainly have a `delete` function. */
type Deletes<O> = O extends
  | { delete: (...where: never[]) => unknown }
  | { rows: (...request: never[]) => object }
  ? 'delete'
  : never;

/** `'outcomes'` if the options name the column of outcomes. */
export type KeepsOutcomes<O> = O extends { outcomes: string } ? 'outcomes' : never;

/** The members that clients can set, but not see. */
export type Hides<C> = [WriteOnlyMember<C>] extends [never] ? never : { writeOnly: WriteOnlyMember<C> };

/**
 * Creates a store over a table of your app whose connection is created after the handlers, or depends on the
 * request: the option `rows` returns the rows of the table, and is called at each use. Mistakes that depend
 * on the connection become the error of the first request.
 *
 * ```ts
 * const notes = rowStore({
 *   rows: (req) => knexRows(knexOf(req), 'notes'),
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @throws ConfigurationError with every other mistake in the options
 */
export function rowStore<const C extends Columns, Tx, const O extends object>(
  options: O & LaterRowStoreOptions<C, Tx>,
): RowStore<
  { -readonly [Member in keyof C]: ValueOfColumn<C[Member], Member, unknown> },
  Deletes<O> | KeepsOutcomes<O> | Hides<C>
>;
/**
 * Creates a store over a table of your app: each row is a resource. Clients see only the listed columns, and
 * can change the columns that are not read-only. A value that does not fit its column is answered 422.
 *
 * A write is a transaction, in which the row is locked, read, and written only if its listed columns still
 * have the values that the client's change was checked against. So no update is lost, whoever else writes to
 * the table.
 *
 * ```ts
 * const notes = rowStore({
 *   ...knexRows(knex, 'notes'),
 *   columns: { title: 'string', body: 'string?', createdAt: { kind: 'date', readOnly: true } },
 *   key: 'slug',
 * });
 * ```
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function rowStore<const C extends Columns, Tx, Schema, const O extends object>(
  options: O & RowStoreOptions<C, Tx, Schema>,
): RowStore<
  { -readonly [Member in keyof C]: ValueOfColumn<C[Member], Member, Schema> },
  Deletes<O> | KeepsOutcomes<O> | Hides<C>
>;
export function rowStore(options: RowStoreOptions | LaterRowStoreOptions): unknown {
  const check = new OptionsCheck('rowStore()');
  const { settings, rows, open, compiled } = comesLater(options)
    ? connectLater(options, check)
    : connectNow(options, check);
  check.done();
  const warnOfUnsafeKey = warnOnce('PATCH_OPTIONS_UNSAFE_KEY', describeUnsafeKey);

  /** @returns undefined if there can be no row with that key */
  function toWhere({ key: keyColumns }: RowSettings, key: string): Row | undefined {
    const where = isStorableKey(key) ? keyColumns.toWhere(key) : undefined;
    const unsafe = Object.entries(where ?? {}).find(([, value]) => isUnsafe(value));
    if (unsafe === undefined) return where;
    warnOfUnsafeKey(...unsafe);
    return undefined;
  }

  async function get(key: string, context: ReadContext = noContext): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    const table = open(context.request);
    const where = toWhere(table.settings, key);
    if (where === undefined) return undefined;
    await assertTimestamps(table.rows, table.settings);
    const row = await takeSteps(find(table.settings, table.rows, where));
    return row && toStored(table.settings, row, context.outcome?.id);
  }

  async function replace(
    key: string,
    expected: string | null,
    next: unknown,
    context: WriteContext = noContext,
  ): Promise<Stored<JsonObject> | FoundState<JsonObject> | undefined> {
    throwIfAborted(context);
    const table = open(context.request);
    const where = toWhere(table.settings, key);
    const state = expected === null ? undefined : expectedState(table.settings, expected, context);
    const isUnknown = expected === null ? table.rows.insert === undefined : state === undefined;
    if (where === undefined || isUnknown) return undefined;
    // A copy, because the caller can modify the value while the write is under way.
    const value: unknown = JSON.parse(toJsonText(next, context.maxBytes));
    await assertTimestamps(table.rows, table.settings);
    throwIfAborted(context);
    const write = { key, where, value, context };
    if (state === undefined) return createRow(table, write);
    return changeAtOnce(table, write, state) ?? changeRow(table, write, state);
  }

  /** @returns whether a row was deleted */
  async function remove(
    key: string,
    expected?: string,
    context: DeleteContext = noContext,
  ): Promise<boolean | FoundState<JsonObject>> {
    throwIfAborted(context);
    const table = open(context.request);
    const where = toWhere(table.settings, key);
    const state = expected === undefined ? undefined : expectedState(table.settings, expected, context);
    if (where === undefined || (expected !== undefined && state === undefined)) return false;
    await assertTimestamps(table.rows, table.settings);
    throwIfAborted(context);
    return deleteRow(table, { key, where, context }, state);
  }

  const whereOrNone = (key: string): Row => toWhere(compiled(), key) ?? {};
  return {
    get,
    replace,
    complete: (key: string, next: unknown, current: JsonObject | undefined): unknown =>
      isJsonObject(next) ? compiled().values.complete(next, current, whereOrNone(key)) : next,
    accept: (key: string, next: unknown, current: JsonObject | undefined): unknown =>
      isJsonObject(next) ? compiled().values.accept(next, current, whereOrNone(key)) : next,
    fit: (key: string, next: unknown, current: JsonObject | undefined): JsonObject =>
      compiled().values.fit(next, current, whereOrNone(key)),
    show: (row: object): Stored<JsonObject> => toShown(compiled(), row as Row),
    readOnly: settings.readOnly,
    writeOnly: settings.writeOnly,
    doubles: settings.doubles,
    ...(settings.version === undefined && { versions: false }),
    ...(rows.delete !== undefined && { delete: remove }),
    ...(rows.insert === undefined && { creates: false }),
    ...(settings.outcomes !== undefined && { keepsOutcomes: true }),
  };
}

/** How a store comes to its table, whose connection can depend on the request. */
interface TableAccess {
  /** As far as they are known when the store is created. */
  readonly settings: RowSettings;
  /** As far as they are known when the store is created: which of the functions there are. */
  readonly rows: Partial<Rows>;
  /** The table for a request; throws ConfigurationError for a mistake that depends on the connection. */
  readonly open: (req: PatchRequest | undefined) => Table;
  /** The settings of the table, for calls without a request. */
  readonly compiled: () => RowSettings;
}

function comesLater(options: RowStoreOptions | LaterRowStoreOptions): options is LaterRowStoreOptions {
  return readMember(Object(options) as Partial<LaterRowStoreOptions>, 'rows') !== undefined;
}

function connectNow(options: RowStoreOptions, check: OptionsCheck): TableAccess {
  const table = compileRowStore(options, check);
  return { ...table, open: () => table, compiled: () => table.settings };
}

/**
 * Handlers read the properties of a store when they are created, so options that do not depend on the
 * connection are checked then. The others are checked at the first request, whose error a mistake becomes.
 * Kinds are compiled once, because all connections have the same columns.
 */
function connectLater(options: LaterRowStoreOptions, check: OptionsCheck): TableAccess {
  const { rows, ...others } = options;
  check.value(
    'rows',
    rows,
    functionThat(
      "Write (req) => knexRows(knexOf(req), 'notes'), or spread the rows: ...prismaRows(prisma, 'note').",
    ),
  );
  const { settings } = compileRowStore({ ...unconnected, ...others }, check);
  let compiled: RowSettings | undefined;
  const compile = (present: Rows): RowSettings => {
    const presentCheck = new OptionsCheck('rowStore()');
    const presentSettings = compileRowStore({ ...others, ...present }, presentCheck).settings;
    presentCheck.done();
    return presentSettings;
  };
  const open = (req: PatchRequest | undefined): Table => {
    const present = rows(req);
    compiled ??= compile(present);
    return { settings: compiled, rows: present };
  };
  return { settings, rows: unconnected, open, compiled: () => compiled ?? open(undefined).settings };
}

const never = () => undefined;

/** A placeholder for the connection, without anything that could be reported as a mistake. */
const unconnected: Partial<RowStoreOptions> = {
  ...{
    find: never,
    lock: never,
    update: never,
    save: never,
    updateReturning: never,
    insert: never,
    delete: never,
  },
  transaction: never,
};

/**
 * Whether several numbers can become this one: 9007199254740993 is read as 9007199254740992, which is another
 * row.
 */
function isUnsafe(value: unknown): boolean {
  return typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

function describeUnsafeKey(column: string, value: unknown): string {
  return (
    `The option key of rowStore() returned ${column}: ${inspectValue(value)}, ` +
    'a number that can represent several keys, so no row was read. ' +
    'Return BigInt(key) if there are such keys, or undefined for them.'
  );
}

/**
 * The row of a key. If the database finds a row because its collation or its types take another key for the
 * same, the row belongs to that other key.
 *
 * @param isLocked - whether the row has been locked in this transaction
 */
function* find(settings: RowSettings, rows: Rows, where: Row, isLocked = false): Steps<Row | undefined> {
  try {
    const result = yield rows.find(where, columnsWith(settings, where), settings.casts, isLocked);
    const row = checkRow(settings, rows, 'find', where, result);
    return row && settings.key.isSpelledAs(where, row) ? row : undefined;
  } catch (error) {
    if (isUnknownKey(error)) return undefined;
    throw explain(settings, error, where);
  }
}

/** All columns to read. The key columns need not be members of the resource. */
function columnsWith({ names }: RowSettings, where: Row): readonly string[] {
  const others = Object.keys(where).filter((name) => !names.includes(name));
  return others.length === 0 ? names : [...names, ...others];
}

/**
 * The row that a function returned, with every requested column. A missing or undefined column is not NULL,
 * but would be shown as null, and written as NULL.
 *
 * @throws MissingColumnError
 */
function checkRow(
  settings: RowSettings,
  rows: Rows,
  call: 'find' | 'updateReturning',
  where: Row,
  result: unknown,
): Row | undefined {
  const row = ((Array.isArray(result) ? result[0] : result) as Row | null | undefined) ?? undefined;
  if (row !== undefined)
    assertColumns(row, columnsWith(settings, where), `${call}() returned`, fixMissingColumn(rows, call));
  return row;
}

/** @param source - completes "the row that" */
function assertColumns(row: Row, names: readonly string[], source: string, fix: string): void {
  const missing = names.filter((name) => row[name] === undefined);
  if (missing.length === 0) return;
  const renamed = (name: string) => Object.keys(row).find((other) => isSameColumn(name, other));
  const list = missing.map((name) => {
    const other = renamed(name);
    return other === undefined || other === name ? name : `${name} (it has ${other})`;
  });
  throw new MissingColumnError(
    `The row that ${source} does not have the column${list.length > 1 ? 's' : ''} ${list.join(', ')}. ${fix}`,
  );
}

/**
 * The table of a `rowStore` or `tableStore` does not exist, or lacks a column that the options name; the
 * engine's error, which names it, is the `cause`. Or a row was read, or passed to `show`, without a requested
 * column: the message names it, the column that the row has instead, and the remedy for your ORM. A write is
 * rolled back.
 */
export class MissingColumnError extends TypeError {
  override readonly name = 'MissingColumnError';
  readonly code = 'PATCH_OPTIONS_MISSING_COLUMN';
}

/**
 * Whether a column of the key cannot hold the key, such as letters in a UUID column, or é in an ascii column.
 */
function isUnknownKey(error: unknown): boolean {
  return unknownKeys.includes(readMeaning(error));
}

const unknownKeys: readonly (Meaning | undefined)[] = ['value', 'too-long', 'out-of-range', 'collation'];

/** The error of a statement that reads; it names the columns if the table does not have all of them. */
function explain(settings: RowSettings, error: unknown, where: Row): unknown {
  if (readMeaning(error) !== 'table') return error;
  const columns = columnsWith(settings, where).join(', ');
  return new MissingColumnError(
    `The table of the store does not exist, or does not have all of the columns ${columns}. ` +
      'Correct the names in the options, or add the missing column; its name is in the cause.',
    { cause: error },
  );
}

/**
 * @param value - the value of the row as clients see it, if it has been read
 * @throws ColumnValueError for a column whose value cannot be shown
 */
function toStored(
  settings: RowSettings,
  row: Row,
  outcomeId?: string,
  value: JsonObject = settings.values.read(row),
): Stored<JsonObject> {
  const { outcomes } = settings;
  const outcome =
    outcomes !== undefined && outcomeId !== undefined
      ? OutcomeList.parse(`the column ${outcomes}`, row[outcomes]).find(outcomeId)
      : undefined;
  return { value, ...readValidators(settings, row), ...(outcome !== undefined && { outcome }), handle: row };
}

/**
 * The version of the row, if states have one, and the time of its last write. The time is missing if the
 * column is NULL, because the row was last written before the column was added.
 */
function readValidators(settings: RowSettings, row: Row): Pick<Stored<never>, 'version' | 'modified'> {
  const modified = readModified(settings, row);
  const { version } = settings;
  return {
    ...(version !== undefined && { version: String(row[version]) }),
    ...(modified !== undefined && { modified }),
  };
}

function readModified({ modified }: RowSettings, row: Row): Date | undefined {
  const inside = (modified && row[modified.name]) ?? null;
  if (modified === undefined || inside === null) return undefined;
  try {
    return new Date(modified.codec.read(inside));
  } catch (error) {
    throw error instanceof ColumnValueError ? error.nameColumn(modified.name) : error;
  }
}

/**
 * The state of a row that a query of the app has read, without members that clients cannot see.
 *
 * @throws MissingColumnError if the query left out a column, which would be shown as NULL
 * @throws ColumnValueError for a value that cannot be shown
 */
function toShown(settings: RowSettings, row: Row): Stored<JsonObject> {
  const { shown, version, modified } = settings;
  const names = [version, modified?.name, ...shown.names].filter((name) => name !== undefined);
  const fix = 'Select them, under the names in the options of the store.';
  assertColumns(row, names, 'was passed to show()', fix);
  return { value: shown.read(row), ...readValidators(settings, row) };
}

/** A write, without its condition, which is an `ExpectedState`. */
interface Write {
  readonly key: string;
  readonly where: Row;
  readonly value: unknown;
  readonly context: WriteContext;
}

/** The state in which the row must be for a write. */
interface ExpectedState {
  /** The row in this state, as it was read for the request; undefined if the store has not read it. */
  readonly row: Row | undefined;
  /** Whether a row is in this state. */
  readonly matches: (row: Row) => boolean;
}

/** @returns undefined if the store has not read this state */
function expectedState(
  { values, version, outcomes }: RowSettings,
  expected: string,
  { current }: WriteContext,
): ExpectedState | undefined {
  const handle = current?.handle;
  const row = isObject(handle) ? (handle as Row) : undefined;
  if (version !== undefined) {
    const matches = (found: Row) => String(found[version]) === expected;
    return { row: row !== undefined && matches(row) ? row : undefined, matches };
  }
  if (expected !== '' || row === undefined) return undefined;
  const hasSameOutcomes = (found: Row) =>
    outcomes === undefined || (found[outcomes] ?? '') === (row[outcomes] ?? '');
  return {
    row,
    matches: (found) => values.findDifference(row, found) === undefined && hasSameOutcomes(found),
  };
}

/**
 * Writes to the row in a transaction. The row is locked and read. If it is still in the state that the rules
 * have checked, it is changed and read back. If the result cannot be shown, the transaction is rolled back.
 *
 * @returns the new state, or the state that was found instead
 * @throws ProblemError 409 or 422 for a value that the database refuses, or stores in a form that cannot be
 *   read back
 */
async function changeRow(
  table: Table,
  { key, where, value, context }: Write,
  state: ExpectedState,
): Promise<Stored<JsonObject> | FoundState<JsonObject>> {
  const { settings } = table;
  const { values, timeout, onWrite } = settings;
  /** The columns that the last run has sent. */
  let sent: WrittenColumns | undefined;

  function* steps(rows: Rows, tx: unknown): Steps<Stored<JsonObject> | FoundState<JsonObject>> {
    sent = undefined;
    const row = yield* lockAndRead(settings, rows, where);
    if (row === undefined) return { current: undefined };
    if (!state.matches(row)) return yield* foundState(settings, rows, where, row, context.outcome?.id);
    const before = values.read(row);
    const next = values.fit(value, before, where);
    const changes = values.changes(next, before);
    const storeColumns = toStoreColumns(settings, row, changes, context.outcome);
    if (storeColumns === undefined) return { current: toStored(settings, row, context.outcome?.id) };
    if (Object.keys({ ...changes, ...storeColumns }).length === 0) return toStored(settings, row);
    throwIfAborted(context);

    sent = { changes, storeColumns };
    const { count, saved } = yield* writeRow(settings, rows, sent, where, row);
    const after = yield* find(settings, rows, where, true);
    if (after === undefined && !(count === 1 && (yield* lock(settings, rows, where))))
      throw new Error(notFoundAgain);
    const stored =
      after === undefined
        ? hiddenState(settings)
        : toStored(settings, after, undefined, values.readWritten(next, changes, after, saved));
    // Nothing was written: no row matched, or the row lacks the values of the entity that the ORM has saved.
    const isDropped = (now: Row) => count === 0 || (saved !== undefined && values.lacks(changes, saved, now));
    if (after !== undefined && isDropped(after) && values.findDifference(row, after) === undefined)
      throw new Error(`The UPDATE changed no row, although the row is locked. ${whoDropped}`);
    if (onWrite === undefined) return stored;
    const write = { key, before, after: after && stored.value, req: context.request };
    return (yield* callOnWrite(settings, rows, where, onWrite(tx, write))) ?? hiddenState(settings);
  }

  return inTransaction(table.rows, timeout, steps, (error) =>
    sent === undefined ? error : toRefusal(error, settings, sent),
  );
}

/**
 * The row, locked until the transaction is over. The lock is a separate statement, because `find` can read
 * more than the row: a join, a relation, a view.
 *
 * @throws Error if `find` returns a row that cannot be locked
 */
function* lockAndRead(settings: RowSettings, rows: Rows, where: Row): Steps<Row | undefined> {
  for (let tries = 1; ; tries++) {
    const isLocked = yield* lock(settings, rows, where);
    const row = yield* find(settings, rows, where, true);
    // A row that is found but was not locked may have been created in between.
    if (isLocked || row === undefined) return row;
    if (tries === 2) throw new Error(`The row is found, but cannot be locked. ${whoDropped}`);
  }
}

/** @returns whether there is such a row; also true if the transaction itself keeps other writers out */
function* lock(settings: RowSettings, rows: Rows, where: Row): Steps<boolean> {
  if (rows.lock === undefined) return true;
  try {
    const result = yield rows.lock(where);
    return Array.isArray(result) ? result.length > 0 : Number(result ?? 0) !== 0;
  } catch (error) {
    if (isUnknownKey(error)) return false;
    throw explain(settings, error, where);
  }
}

/**
 * The state that a write has found instead of the state that it is conditional on. The locked row is read once
 * more, to tell another write from a column that has another value at each read.
 *
 * @throws TypeError for such a column
 */
function* foundState(
  settings: RowSettings,
  rows: Rows,
  where: Row,
  row: Row,
  outcomeId: string | undefined,
): Steps<FoundState<JsonObject>> {
  const again = yield* find(settings, rows, where, true);
  const unstable = again && settings.values.findDifference(row, again);
  if (unstable === undefined) return { current: toStored(settings, row, outcomeId) };
  throw new TypeError(
    `The column ${unstable} has another value each time the row is read, so no write can be made on the condition ` +
      'that it has not changed. Leave it out of columns, and add it in represent.',
  );
}

/**
 * The columns that the store writes, if it writes anything.
 *
 * @param row - undefined if it is being created
 * @returns undefined if the request already has an outcome, so that nothing must be written
 * @throws ProblemError 503 if there is no room for its outcome
 */
function toStoreColumns(
  settings: RowSettings,
  row: Row | undefined,
  changes: Row,
  outcome: PendingOutcome | undefined,
): Row | undefined {
  const { modified, counter, outcomes: column, writeOnly } = settings;
  const list = column === undefined ? undefined : OutcomeList.parse(`the column ${column}`, row?.[column]);
  const outcomes = outcome === undefined ? undefined : list?.with(outcome);
  if (outcome !== undefined && list !== undefined && outcomes === undefined) return undefined;
  const kept = column !== undefined && outcomes !== undefined && { [column]: outcomes.toString() };
  // Otherwise the time of the last write would show whether a client has guessed a write-only member.
  const isUnchanged = row !== undefined && Object.keys(changes).length === 0 && writeOnly.length === 0;
  if (isUnchanged) return { ...kept };
  return {
    ...(modified !== undefined && {
      [modified.name]: modified.codec.write(timeAfter(row && readModified(settings, row)).toISOString()),
    }),
    ...(counter !== undefined && row !== undefined && { [counter]: nextCount(row, counter) }),
    ...kept,
  };
}

/**
 * The current time, or the next millisecond after a write in this one: the time must change with each write,
 * because it can show which state clients have seen (`stateMembers`).
 *
 * @param earlier - the time of the last write
 */
function timeAfter(earlier = new Date(NaN)): Date {
  const now = Date.now();
  const time = earlier.getTime() >= now && earlier.getTime() < now + maxSkew ? earlier.getTime() + 1 : now;
  // A time without a fraction could not be told from a time in whole seconds.
  return new Date(time % 1_000 === 0 ? time + 1 : time);
}

/** How far ahead the clock of another process can be. */
const maxSkew = 60_000;

function nextCount(row: Row, counter: string): number {
  const count = Number(row[counter] ?? NaN);
  if (Number.isSafeInteger(count)) return count + 1;
  throw new TypeError(
    `A row has no whole number in the column ${counter}, which the option counter names. ` +
      'Declare the column NOT NULL DEFAULT 1.',
  );
}

/**
 * Sends an UPDATE, or saves the entity of an ORM.
 *
 * @returns the number of rows that were written, and the columns of the entity that was saved, as far as the
 *   ORM may have changed them
 */
function* writeRow(
  settings: RowSettings,
  rows: Rows,
  sent: WrittenColumns,
  where: Row,
  row: Row,
): Steps<{ readonly count: number; readonly saved?: Row }> {
  const set = { ...sent.changes, ...sent.storeColumns };
  if (rows.save === undefined)
    return { count: readCount('update', yield* send(settings, sent, () => rows.update?.(where, set))) };
  const saved = (yield* send(settings, sent, () => rows.save?.(where, set, row))) ?? undefined;
  if (saved === undefined) return { count: 0 };
  if (isObject(saved)) return { count: 1, saved: saved as Row };
  throw new TypeError(
    `save() returned ${inspectResult(saved)}. Return the entity, or undefined if there is none.`,
  );
}

/** Sends the statement of a write. A refusal of the database becomes a problem for the client. */
function* send(
  settings: RowSettings,
  sent: WrittenColumns,
  statement: () => Awaitable<unknown>,
): Steps<unknown> {
  try {
    return yield statement();
  } catch (error) {
    throw toRefusal(error, settings, sent);
  }
}

/**
 * The number of rows that a statement matched.
 *
 * @throws TypeError if it is not a number, or more than one
 */
function readCount(call: 'update' | 'delete', result: unknown): number {
  if (result === 0 || result === 1) return result;
  if (typeof result === 'number') {
    throw new TypeError(
      `${call}() matched ${result} rows, but the key identifies one. Use every column of where in the condition.`,
    );
  }
  throw new TypeError(`${call}() returned ${inspectResult(result)}. Return the number of rows that matched.`);
}

/**
 * The state of a row that `find` no longer returns, such as a row that this write has soft-deleted. If states
 * have versions, it has one that `find` never returns.
 */
function hiddenState({ version }: RowSettings): Stored<JsonObject> {
  return {
    ...(version !== undefined && { version: randomUUID() }),
    get value(): never {
      throw new Error('The row was written, but find no longer returns it.');
    },
  };
}

const notFoundAgain =
  'After the write, the row is no longer found under its key, so the write was not committed. ' +
  'Check whether a trigger or a hook changes the key, or deletes the row.';

const whoDropped = 'Check whether row-level security or a trigger prevents the write.';

/**
 * Waits for `onWrite`, and then reads the row again, because the app may have written to it. If `onWrite` has
 * caught an error of PostgreSQL, the transaction can only be rolled back, and the COMMIT would not report
 * that, but this SELECT does.
 */
function* callOnWrite(
  settings: RowSettings,
  rows: Rows,
  where: Row,
  result: unknown,
): Steps<Stored<JsonObject> | undefined> {
  yield result;
  const row = yield* find(settings, rows, where, true);
  return row && toStored(settings, row);
}

/**
 * Changes the row in one conditional UPDATE, without a lock and a transaction, if each changed column is read
 * back as it was written, so that nothing has to be rolled back. The condition is the version (`'xmin'`); or the
 * whole row, over a connection that all requests share (Prisma over SQLite).
 *
 * @returns undefined if the write needs a transaction
 */
function changeAtOnce(
  table: Table,
  write: Write,
  state: ExpectedState,
): Promise<Stored<JsonObject> | FoundState<JsonObject> | undefined> | undefined {
  const { rows, settings } = table;
  const { values, version, exact, casts, key, onWrite } = settings;
  const { where, context } = write;
  const { row } = state;
  // In a transaction of the app, a statement that PostgreSQL refuses must be rolled back to a savepoint.
  const joins = findOrigin(rows, 'transaction')?.joins === true;
  const isPossible = version === undefined ? sharesConnection(rows) : !joins;
  if (row === undefined || !isPossible || onWrite !== undefined) return undefined;
  const before = values.read(row);
  const changes = values.changes(values.fit(write.value, before, where), before);
  const storeColumns = toStoreColumns(settings, row, changes, context.outcome);
  if (storeColumns === undefined || !Object.keys(changes).every((name) => exact.has(name))) return undefined;
  const sent = { changes, storeColumns };
  const isUnchanged = Object.keys({ ...changes, ...storeColumns }).length === 0;

  function* atVersion(name: string): Steps<Stored<JsonObject> | undefined> {
    const kept = isUnchanged ? values.chooseWritable() : undefined;
    const set = kept === undefined ? { ...changes, ...storeColumns } : { [kept]: unchanged };
    const condition = { ...where, [name]: row?.[name] };
    const names = columnsWith(settings, where);
    const statement = () => rows.updateReturning?.(condition, set, names, casts);
    const result = yield* send(settings, sent, statement);
    const after = checkRow(settings, rows, 'updateReturning', where, result);
    return after && toStored(settings, after);
  }

  async function atContent(seen: Row): Promise<Stored<JsonObject> | FoundState<JsonObject>> {
    const writing = () => takeSteps(writeRow(settings, rows, sent, where, seen));
    // The transaction finds out in which state the row is.
    if ((await retry(writing, wasUndone)).count === 0) return changeRow(table, write, state);
    // The write has committed, so only the read is repeated.
    const after = await retry(() => takeSteps(find(settings, rows, where)), wasUndone);
    return after === undefined ? hiddenState(settings) : toStored(settings, after);
  }

  if (version !== undefined) return retry(() => takeSteps(atVersion(version)), wasUndone);
  if (isUnchanged || !key.isSpelledAs(where, row)) return undefined;
  return atContent(row);
}

/** If the app has replaced the transaction, its own is used for each write. */
function sharesConnection(rows: Rows): boolean {
  return findOrigin(rows, 'transaction')?.sharesConnection === true;
}

async function createRow(
  table: Table,
  { key, where, value, context }: Write,
): Promise<Stored<JsonObject> | FoundState<JsonObject> | undefined> {
  const { settings } = table;
  const { values, timeout, onWrite } = settings;
  const next = values.fit(value, undefined, where);
  const changes = values.changes(next, undefined);
  const storeColumns = toStoreColumns(settings, undefined, changes, context.outcome) ?? {};
  const sent = { changes, storeColumns, key: where };

  const insert = (rows: Rows) =>
    send(settings, sent, () => rows.insert?.({ ...changes, ...where, ...storeColumns }));

  function* readBack(rows: Rows): Steps<Stored<JsonObject>> {
    const row = yield* find(settings, rows, where);
    // Before the commit, no other request can have deleted the row, so it was stored under another key.
    if (row === undefined) throw keyStoredDifferently(where);
    return toStored(settings, row, undefined, values.readWritten(next, changes, row));
  }

  function* steps(rows: Rows, tx: unknown): Steps<Stored<JsonObject>> {
    yield* insert(rows);
    const stored = yield* readBack(rows);
    if (onWrite === undefined) return stored;
    const write = { key, before: undefined, after: stored.value, req: context.request };
    return (yield* callOnWrite(settings, rows, where, onWrite(tx, write))) ?? hiddenState(settings);
  }

  try {
    if (isOneStatement(table, changes)) {
      await retry(() => takeSteps(insert(table.rows)), wasUndone);
      // The INSERT has committed, so only the read is repeated.
      return await retry(() => takeSteps(readBack(table.rows)), wasUndone);
    }
    return await inTransaction(table.rows, timeout, steps, (error) => toRefusal(error, settings, sent));
  } catch (error) {
    // Another request created the row first, or another row already has the value of a unique column.
    const found = isUniqueRefusal(error) ? await takeSteps(find(settings, table.rows, where)) : undefined;
    if (found === undefined) throw error;
    return { current: toStored(settings, found, context.outcome?.id) };
  }
}

/**
 * Whether a write of these columns is one statement, because other statements would get into a transaction.
 */
function isOneStatement({ rows, settings: { onWrite, exact } }: Table, changes: Row): boolean {
  return (
    sharesConnection(rows) && onWrite === undefined && Object.keys(changes).every((name) => exact.has(name))
  );
}

/** A CHAR column cuts off spaces, and an integer column stores '007' as 7. */
function keyStoredDifferently(where: Row): ProblemError {
  const key = Object.values(where)
    .map((value) => (value instanceof Date ? value.toISOString() : String(value)))
    .join(', ');
  const detail =
    `The database would not store the key ${JSON.stringify(key.slice(0, 200))} as it is written. ` +
    'Write it as the database does, such as 7 instead of 007.';
  return new ProblemError(422, 'invalid-key', detail);
}

/**
 * @param state - the state in which the row must be; undefined for any state
 * @throws ProblemError 409 if other rows refer to it
 */
async function deleteRow(
  table: Table,
  { key, where, context }: Omit<Write, 'value'>,
  state: ExpectedState | undefined,
): Promise<boolean | FoundState<JsonObject>> {
  const { settings } = table;
  const { values, timeout, onWrite } = settings;

  function* atContent(rows: Rows): Steps<boolean> {
    const row = state?.row ?? (yield* find(settings, rows, where));
    if (row === undefined || !settings.key.isSpelledAs(where, row)) return false;
    return readCount('delete', yield* sendDelete(rows, where, row)) > 0;
  }

  function* steps(rows: Rows, tx: unknown): Steps<boolean | FoundState<JsonObject>> {
    const row = yield* lockAndRead(settings, rows, where);
    if (row === undefined) return state === undefined ? false : { current: undefined };
    if (state?.matches(row) === false)
      return yield* foundState(settings, rows, where, row, context.outcome?.id);
    const before = onWrite === undefined ? undefined : values.read(row);
    throwIfAborted(context);
    const count = readCount('delete', yield* sendDelete(rows, where, row));
    // An ORM that removes an entity does not report the number of rows, so the row is looked for.
    const kept = rows.save === undefined || count === 0 ? undefined : yield* find(settings, rows, where);
    if (count === 0 || (kept !== undefined && values.findDifference(row, kept) === undefined))
      throw new Error(`The DELETE deleted no row, although the row is locked. ${whoDropped}`);
    const write = { key, before, after: undefined, req: context.request };
    if (onWrite !== undefined) yield* callOnWrite(settings, rows, where, onWrite(tx, write));
    return true;
  }

  if (isOneStatement(table, {}) && (await takeSteps(atContent(table.rows)))) return true;
  return inTransaction(table.rows, timeout, steps, toStillReferenced);
}

function* sendDelete(rows: Rows, where: Row, row: Row): Steps<unknown> {
  try {
    return yield rows.delete?.(where, row);
  } catch (error) {
    throw toStillReferenced(error);
  }
}
