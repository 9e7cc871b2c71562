import { warnOnce } from '../config/process-warning';
import { shownValue } from '../config/shown-value';
import { shownResult } from '../config/shown-text';
import { functionLike } from '../config/expectation';
import { isObject } from '../config/object';
import { readMember } from '../config/prototype-pollution';
import { OptionsCheck } from '../config/options-check';
import { ProblemError } from '../http/problem';
import type { PatchRequest } from '../http/middleware';
import { isJsonObject, type JsonObject } from '../json/value';
import { isStorableKey } from '../stores/contract/key';
import { OutcomeList } from '../stores/contract/outcome-list';
import type { OutcomeStore } from '../stores/contract/outcome-store';
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
import { isLostRace } from '../stores/engine-error';
import type { Columns, ValueOfColumn, WriteOnlyMember } from './columns/column-options';
import {
  compileRowStore,
  type RowSettings,
  type LaterRowStoreOptions,
  type RowStoreOptions,
} from './row-store-options';
import { inTransaction, type Steps, takeSteps } from './in-transaction';
import { findOrigin } from './library-rows';
import { isUniqueRefusal, toRefusal, toStillReferenced, type RefusedWrite } from './refusals';
import { isUnknownKey, RowReader } from './row-reader';
import { type Awaitable, type Row, type Rows, unchanged } from './rows';
import { assertTimestamps } from './timestamp-zone';

/**
 * The store that `rowStore` returns. `Extra` has `'delete'` if it has a `delete` method for certain, `'outcomes'` if it
 * is an `OutcomeStore`, and the members that `writeOnly` hides.
 */
export type RowStore<Value, Extra = never> = Omit<ResourceStore<Value>, 'delete' | 'fit'> & {
  delete?(key: string, expected?: string, context?: DeleteContext): Promise<boolean | FoundState<Value>>;
  fit(key: string, next: Value, current: Value | undefined): Value;
  /**
   * Returns the state of a row that a query of your own has read, such as a list: its value as GET and PATCH
   * show it, for `entityTag` of `resource`, and without `writeOnly` columns. The row has every other column that
   * the options name, but for `key`, `counter` and `outcomes`, under the same name, as the ORM or the driver reads
   * it. What else it has is left out.
   *
   * @throws MissingColumnError if a column is missing
   * @throws ColumnValueError for a value that its kind cannot represent
   */
  show(row: object): Stored<{
    [Member in keyof Value as Member extends HiddenBy<Extra> ? never : Member]: Value[Member];
  }>;
} & ('outcomes' extends Extra ? Pick<OutcomeStore, 'keepsOutcomes'> : unknown) &
  ('delete' extends Extra ? Required<Pick<ResourceStore<Value>, 'delete'>> : unknown);

/** The members that are left out of what clients see. */
type HiddenBy<Extra> = Extra extends { readonly writeOnly: infer Member } ? Member : never;

/** `'delete'` if the options certainly have it. */
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
 * Creates a store over a table of your app whose connection comes later than the handlers, or depends on the
 * request: the option `rows` returns the rows of the table, and is called at each use. Mistakes that depend on the
 * connection are the error of the first request.
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
 * can change those that are not read-only. A value that does not fit its column is answered 422.
 *
 * A write is a transaction, in which the row is locked, read, and written only if its listed columns are still
 * what the client's change was judged on. So no update is lost, whoever else writes to the table.
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
  const connect = comesLater(options) ? connectLater(options, check) : connectNow(options, check);
  check.done();
  const { settings, rows } = connect;
  const store = new TableOfResources(connect);
  return {
    get: store.get.bind(store),
    replace: store.replace.bind(store),
    complete: store.complete.bind(store),
    fit: store.fit.bind(store),
    accept: store.accept.bind(store),
    show: store.show.bind(store),
    readOnly: settings.readOnly,
    writeOnly: settings.writeOnly,
    doubles: settings.doubles,
    ...(settings.version === undefined && { versions: false }),
    ...(rows.delete !== undefined && { delete: store.delete.bind(store) }),
    ...(rows.insert === undefined && { creates: false }),
    ...(settings.outcomes !== undefined && { keepsOutcomes: true }),
  };
}

/** What is the same over every connection. */
interface Compiled {
  readonly settings: RowSettings;
  readonly reader: RowReader;
}

/** The rows of the connection that a request has. */
interface Table extends Compiled {
  readonly rows: Rows;
}

interface Connect {
  readonly settings: RowSettings;
  readonly rows: Partial<Rows>;
  readonly open: (req: PatchRequest | undefined) => Table;
  /** Where no request is at hand. */
  readonly compiled: () => Compiled;
}

function connectNow(options: RowStoreOptions, check: OptionsCheck): Connect {
  const { rows, settings } = compileRowStore(options, check);
  const table = { rows, settings, reader: new RowReader(settings) };
  return { rows, settings, open: () => table, compiled: () => table };
}

function comesLater(options: RowStoreOptions | LaterRowStoreOptions): options is LaterRowStoreOptions {
  return readMember(Object(options) as Partial<LaterRowStoreOptions>, 'rows') !== undefined;
}

/**
 * Handlers ask a store about itself when they are made, so what does not depend on the connection is checked then;
 * the rest with the first request, whose error it becomes. Kinds are compiled once: all connections have the same
 * columns.
 */
function connectLater(options: LaterRowStoreOptions, check: OptionsCheck): Connect {
  const { rows, ...others } = options;
  check.value('rows', rows, functionLike("(req) => knexRows(knexOf(req), 'notes')"));
  const { settings } = compileRowStore({ ...unconnected, ...others }, check);
  let compiled: Compiled | undefined;
  const compile = (present: Rows): Compiled => {
    const presentCheck = new OptionsCheck('rowStore()');
    const presentSettings = compileRowStore({ ...others, ...present }, presentCheck).settings;
    presentCheck.done();
    return { settings: presentSettings, reader: new RowReader(presentSettings) };
  };
  const open = (req: PatchRequest | undefined): Table => {
    const present = rows(req);
    compiled ??= compile(present);
    return { ...compiled, rows: present };
  };
  return { settings, rows: unconnected, open, compiled: () => compiled ?? open(undefined) };
}

const never = () => undefined;

/** Stands for a connection about which nothing is known that could be a mistake. */
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

/** The state that a write is conditional on. */
interface ExpectedState {
  /** The row, if it is known. */
  readonly row: Row | undefined;
  readonly matches: (row: Row) => boolean;
}

/** A write on the condition that the row is still in a state, or that there is none (`null`). */
interface Write {
  readonly key: string;
  readonly where: Row;
  readonly value: unknown;
  readonly context: WriteContext;
}

class TableOfResources {
  readonly #open: Connect['open'];
  readonly #compiled: Connect['compiled'];
  readonly #warnOfUnsafeKey = warnOnce('PATCH_OPTIONS_UNSAFE_KEY', describeUnsafeKey);

  constructor({ open, compiled }: Connect) {
    this.#open = open;
    this.#compiled = compiled;
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    const { rows, settings, reader } = this.#open(context.request);
    const where = this.#toWhere(settings, key);
    if (where === undefined) return undefined;
    await assertTimestamps(rows, settings);
    const row = await takeSteps(reader.find(rows, where));
    return row && reader.toStored(row, context.outcome?.id);
  }

  complete(key: string, next: unknown, current: JsonObject | undefined): unknown {
    if (!isJsonObject(next)) return next;
    const { settings } = this.#compiled();
    return settings.values.complete(next, current, this.#toWhere(settings, key) ?? {});
  }

  accept(key: string, next: unknown, current: JsonObject | undefined): unknown {
    if (!isJsonObject(next)) return next;
    const { settings } = this.#compiled();
    return settings.values.accept(next, current, this.#toWhere(settings, key) ?? {});
  }

  fit(key: string, next: unknown, current: JsonObject | undefined): JsonObject {
    const { settings } = this.#compiled();
    return settings.values.fit(next, current, this.#toWhere(settings, key) ?? {});
  }

  show(row: object): Stored<JsonObject> {
    return this.#compiled().reader.toShown(row as Row);
  }

  async replace(
    key: string,
    expected: string | null,
    next: unknown,
    context: WriteContext = noContext,
  ): Promise<Stored<JsonObject> | FoundState<JsonObject> | undefined> {
    throwIfAborted(context);
    const table = this.#open(context.request);
    const { rows, settings } = table;
    const where = this.#toWhere(settings, key);
    const state = expected === null ? undefined : expectedState(settings, expected, context);
    const isUnknown = expected === null ? rows.insert === undefined : state === undefined;
    if (where === undefined || isUnknown) return undefined;
    // A copy, because the caller can modify the value while the write is under way.
    const value: unknown = JSON.parse(toJsonText(next, context.maxBytes));
    await assertTimestamps(rows, settings);
    throwIfAborted(context);
    const write = { key, where, value, context };
    if (state === undefined) return createRow(table, write);
    const change = state.row === undefined ? undefined : changeAtVersion(table, write, state.row);
    if (change !== undefined) return change;
    const isShared = sharesConnection(rows) && state.row !== undefined;
    const changed = isShared ? await changeAtContent(table, write, state.row) : undefined;
    return changed ?? changeRow(table, write, state);
  }

  /** @returns whether a row was deleted */
  async delete(
    key: string,
    expected?: string,
    context: DeleteContext = noContext,
  ): Promise<boolean | FoundState<JsonObject>> {
    throwIfAborted(context);
    const table = this.#open(context.request);
    const { rows, settings } = table;
    const where = this.#toWhere(settings, key);
    const state = expected === undefined ? undefined : expectedState(settings, expected, context);
    if (where === undefined || (expected !== undefined && state === undefined)) return false;
    await assertTimestamps(rows, settings);
    throwIfAborted(context);
    return deleteRow(table, { key, where, context }, state);
  }

  #toWhere({ key: keyColumns }: RowSettings, key: string): Row | undefined {
    const where = isStorableKey(key) ? keyColumns.toWhere(key) : undefined;
    const unsafe = Object.entries(where ?? {}).find(([, value]) => isUnsafe(value));
    if (unsafe === undefined) return where;
    this.#warnOfUnsafeKey(...unsafe);
    return undefined;
  }
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
 * Writes to the row in a transaction: it is locked, and read; if it is still in the state that the rules have judged,
 * it is changed, and what the database has made of it is read back. What cannot be shown is rolled back.
 *
 * @returns the new state, or the state that was found instead
 * @throws ProblemError 409 or 422 for what the database refuses, or stores in a form that cannot be read back
 */
async function changeRow(
  { rows: store, settings, reader }: Table,
  { key, where, value, context }: Write,
  state: ExpectedState,
): Promise<Stored<JsonObject> | FoundState<JsonObject>> {
  const { values, timeout, onWrite } = settings;
  let refused: RefusedWrite | undefined;

  function* steps(rows: Rows, tx: unknown): Steps<Stored<JsonObject> | FoundState<JsonObject>> {
    const row = yield* lockAndRead(reader, rows, where);
    if (row === undefined) return { current: undefined };
    if (!state.matches(row)) return yield* foundState(settings, reader, rows, { where, row, context });
    const before = values.read(row);
    const next = values.fit(value, before, where);
    const changes = values.changes(next, before);
    const storeColumns = toStoreColumns(settings, row, changes, context.outcome);
    if (storeColumns === undefined) return { current: reader.toStored(row, context.outcome?.id) };
    const set = { ...changes, ...storeColumns };
    if (Object.keys(set).length === 0) return reader.toStored(row);
    throwIfAborted(context);

    refused = { changes, storeColumns };
    const { count, saved } = yield* writeRow(rows, settings, refused, { where, set, row });
    const after = yield* reader.find(rows, where, true);
    if (after === undefined && !(count === 1 && (yield* exists(reader, rows, where))))
      throw new Error(notFoundAgain);
    const stored =
      after === undefined
        ? hiddenState()
        : reader.toStored(after, undefined, values.readWritten(next, changes, after, saved));
    // An ORM that saves an entity does not say how many rows that were.
    const isDropped = (now: Row) => count === 0 || (saved !== undefined && values.lacks(changes, saved, now));
    if (after !== undefined && isDropped(after) && values.findDifference(row, after) === undefined)
      throw new Error(`The UPDATE changed no row, although the row is locked. ${whoDropped}`);
    if (onWrite === undefined) return stored;
    const write = { key, before, after: after && stored.value, req: context.request };
    return (yield* callOnWrite(onWrite(tx, write), reader, rows, where)) ?? stored;
  }

  return inTransaction(store, {
    ...{ steps, timeout },
    toRefusal: (error) => (refused === undefined ? error : toRefusal(error, settings, refused)),
  });
}

/**
 * Writes to the row in one conditional UPDATE, which needs no lock, and no transaction: nothing of it has to be rolled
 * back, because each changed column is read back as it was written.
 *
 * @returns undefined if the write needs a transaction
 */
function changeAtVersion(
  { rows, settings, reader }: Table,
  { where, value }: Write,
  row: Row,
): Promise<Stored<JsonObject> | undefined> | undefined {
  const { values, version, exact, casts, onWrite } = settings;
  // In a transaction of the app, what PostgreSQL refuses must be rolled back to a savepoint.
  const joins = findOrigin(rows, 'transaction')?.joins === true;
  if (version === undefined || onWrite !== undefined || joins) return undefined;
  const before = values.read(row);
  const changes = values.changes(values.fit(value, before, where), before);
  if (!Object.keys(changes).every((name) => exact.has(name))) return undefined;
  const storeColumns = toStoreColumns(settings, row, changes) ?? {};
  const set = { ...changes, ...storeColumns };
  const kept = Object.keys(set).length > 0 ? undefined : values.chooseWritable();
  const condition = { ...where, [version]: row[version] };

  function* steps(): Steps<Stored<JsonObject> | undefined> {
    const update = () =>
      rows.updateReturning?.(
        condition,
        kept === undefined ? set : { [kept]: unchanged },
        reader.columnsWith(where),
        casts,
      );
    const result = yield* send(update, settings, { changes, storeColumns });
    const after = reader.check('updateReturning', where, result, rows);
    return after && reader.toStored(after);
  }
  return retry(() => takeSteps(steps()), isLostRace);
}

/**
 * Writes to the row in one UPDATE on the condition of its content, over a connection that all requests share. Nothing
 * has to be rolled back, because each changed column is read back as it was written.
 *
 * @returns undefined if nothing was written: the row is in another state, or the write needs a transaction
 */
async function changeAtContent(
  { rows, settings, reader }: Table,
  { where, value, context }: Write,
  row: Row,
): Promise<Stored<JsonObject> | undefined> {
  const { values } = settings;
  const before = values.read(row);
  const changes = values.changes(values.fit(value, before, where), before);
  const storeColumns = toStoreColumns(settings, row, changes, context.outcome);
  const set = { ...changes, ...storeColumns };
  if (storeColumns === undefined || Object.keys(set).length === 0) return undefined;
  if (!isOneStatement(rows, settings, changes) || !settings.key.isSpelledAs(where, row)) return undefined;
  const refused = { changes, storeColumns };

  function* steps(): Steps<Stored<JsonObject> | undefined> {
    if ((yield* writeRow(rows, settings, refused, { where, set, row })).count === 0) return undefined;
    const after = yield* reader.find(rows, where);
    return after === undefined ? hiddenState() : reader.toStored(after);
  }
  return retry(() => takeSteps(steps()), isLostRace);
}

/** Whether a write of these columns is one statement instead of a transaction, into which others would get. */
function isOneStatement(rows: Rows, { onWrite, exact }: RowSettings, changes: Row): boolean {
  return (
    sharesConnection(rows) && onWrite === undefined && Object.keys(changes).every((name) => exact.has(name))
  );
}

/** A transaction that the app has replaced is its own, and used for each write. */
function sharesConnection(rows: Rows): boolean {
  return findOrigin(rows, 'transaction')?.sharesConnection === true;
}

async function createRow(
  { rows: store, settings, reader }: Table,
  { key, where, value, context }: Write,
): Promise<Stored<JsonObject> | FoundState<JsonObject> | undefined> {
  const { values, timeout, onWrite } = settings;
  const next = values.fit(value, undefined, where);
  const changes = values.changes(next, undefined);
  const storeColumns = toStoreColumns(settings, undefined, changes, context.outcome) ?? {};
  const refused = { changes, storeColumns, key: where };

  function* steps(rows: Rows, tx: unknown): Steps<Stored<JsonObject>> {
    yield* send(() => rows.insert?.({ ...changes, ...where, ...storeColumns }), settings, refused);
    const row = yield* reader.find(rows, where);
    // Before the commit no other request could have deleted the row, so it was stored under another key.
    if (row === undefined) throw keyStoredDifferently(where);
    const stored = reader.toStored(row, undefined, values.readWritten(next, changes, row));
    const write = { key, before: undefined, after: stored.value, req: context.request };
    const last = onWrite === undefined ? stored : yield* callOnWrite(onWrite(tx, write), reader, rows, where);
    return last ?? stored;
  }

  try {
    if (isOneStatement(store, settings, changes)) return await takeSteps(steps(store, undefined));
    const atCommit = (error: unknown) => toRefusal(error, settings, refused);
    return await inTransaction(store, { steps, timeout, toRefusal: atCommit });
  } catch (error) {
    // Another request created the row first, or another unique column has the value already.
    const found = isUniqueRefusal(error) ? await takeSteps(reader.find(store, where)) : undefined;
    if (found === undefined) throw error;
    return { current: reader.toStored(found, context.outcome?.id) };
  }
}

/**
 * @param state - the state that the row must be in; undefined for any
 * @throws ProblemError 409 if other rows refer to it
 */
async function deleteRow(
  { rows: store, settings, reader }: Table,
  { key, where, context }: Omit<Write, 'value'>,
  state: ExpectedState | undefined,
): Promise<boolean | FoundState<JsonObject>> {
  const { values, timeout, onWrite } = settings;

  function* atContent(rows: Rows): Steps<boolean> {
    const row = state?.row ?? (yield* reader.find(rows, where));
    if (row === undefined || !settings.key.isSpelledAs(where, row)) return false;
    return readCount('delete', yield* sendDelete(rows, where, row)) > 0;
  }

  function* steps(rows: Rows, tx: unknown): Steps<boolean | FoundState<JsonObject>> {
    const row = yield* lockAndRead(reader, rows, where);
    if (row === undefined) return state === undefined ? false : { current: undefined };
    if (state?.matches(row) === false)
      return yield* foundState(settings, reader, rows, { where, row, context });
    const before = onWrite === undefined ? undefined : values.read(row);
    throwIfAborted(context);
    const count = readCount('delete', yield* sendDelete(rows, where, row));
    // An ORM that removes an entity does not say how many rows that were.
    const kept = rows.save === undefined || count === 0 ? undefined : yield* reader.find(rows, where);
    if (count === 0 || (kept !== undefined && values.findDifference(row, kept) === undefined))
      throw new Error(`The DELETE deleted no row, although the row is locked. ${whoDropped}`);
    const write = { key, before, after: undefined, req: context.request };
    if (onWrite !== undefined) yield* callOnWrite(onWrite(tx, write), reader, rows, where);
    return true;
  }

  if (isOneStatement(store, settings, {}) && (await takeSteps(atContent(store)))) return true;
  return inTransaction(store, { steps, timeout, toRefusal: toStillReferenced });
}

function* sendDelete(rows: Rows, where: Row, row: Row): Steps<unknown> {
  try {
    return yield rows.delete?.(where, row);
  } catch (error) {
    throw toStillReferenced(error);
  }
}

/**
 * The row, locked until the transaction is over. The lock is a statement of its own, because what `find` reads can be
 * more than the row: a join, a relation, a view.
 *
 * @throws Error if `find` shows a row that cannot be locked
 */
function* lockAndRead(reader: RowReader, rows: Rows, where: Row): Steps<Row | undefined> {
  for (let tries = 1; ; tries++) {
    const isLocked = rows.lock === undefined || (yield* lock(reader, rows, where));
    const row = yield* reader.find(rows, where, true);
    // A row that is found, but was not locked, can have been created in between.
    if (isLocked || row === undefined) return row;
    if (tries === 2) throw new Error(`The row is found, but cannot be locked. ${whoDropped}`);
  }
}

/** Whether a row that was written is still there, although `find` no longer shows it. */
function* exists(reader: RowReader, rows: Rows, where: Row): Steps<boolean> {
  return rows.lock === undefined || (yield* lock(reader, rows, where));
}

/** The state of a row that `find` no longer shows, such as one that this write has deleted softly. */
function hiddenState(): Stored<JsonObject> {
  return {
    get value(): never {
      throw new Error('The row was written, but find no longer shows it.');
    },
  };
}

/** @returns whether there is such a row */
function* lock(reader: RowReader, rows: Rows, where: Row): Steps<boolean> {
  try {
    const result = yield rows.lock?.(where);
    return Array.isArray(result) ? result.length > 0 : Number(result ?? 0) !== 0;
  } catch (error) {
    if (isUnknownKey(error)) return false;
    throw reader.explain(error, where);
  }
}

/**
 * The state that a write has found instead of the one that it is conditional on.
 *
 * @throws TypeError if it is not a race: a column has another value at each read, although the row is locked
 */
function* foundState(
  { values }: RowSettings,
  reader: RowReader,
  rows: Rows,
  { where, row, context }: Pick<Write, 'where' | 'context'> & { readonly row: Row },
): Steps<FoundState<JsonObject>> {
  const again = yield* reader.find(rows, where, true);
  const unstable = again && values.findDifference(row, again);
  if (unstable === undefined) return { current: reader.toStored(row, context.outcome?.id) };
  throw new TypeError(
    `The column ${unstable} has another value each time the row is read, so no write can be made on the condition ` +
      'that it has not changed. Leave it out of columns, and add it in represent.',
  );
}

/**
 * Waits for `onWrite`, and reads the row after it: the app can have written to it, too. If it has caught an error of
 * PostgreSQL, the transaction can only be rolled back, and the COMMIT would not say so; this SELECT does.
 */
function* callOnWrite(
  result: unknown,
  reader: RowReader,
  rows: Rows,
  where: Row,
): Steps<Stored<JsonObject> | undefined> {
  yield result;
  const row = yield* reader.find(rows, where, true);
  return row && reader.toStored(row);
}

/**
 * Sends an UPDATE, or saves the entity of an ORM.
 *
 * @returns how many rows were written, and the entity
 */
function* writeRow(
  rows: Rows,
  settings: RowSettings,
  refused: RefusedWrite,
  { where, set, row }: Readonly<Record<'where' | 'set' | 'row', Row>>,
): Steps<{ readonly count: number; readonly saved?: Row }> {
  if (rows.save === undefined)
    return { count: readCount('update', yield* send(() => rows.update?.(where, set), settings, refused)) };
  const saved = (yield* send(() => rows.save?.(where, set, row), settings, refused)) ?? undefined;
  if (saved === undefined) return { count: 0 };
  if (isObject(saved)) return { count: 1, saved: saved as Row };
  throw new TypeError(
    `save() returned ${shownResult(saved)}. Return the entity, or undefined if there is none.`,
  );
}

/** Sends the statement of a write. What the database refuses becomes a problem for the client. */
function* send(
  statement: () => Awaitable<unknown>,
  settings: RowSettings,
  write: RefusedWrite,
): Steps<unknown> {
  try {
    return yield statement();
  } catch (error) {
    throw toRefusal(error, settings, write);
  }
}

/**
 * The columns that the store writes, if it writes anything.
 *
 * @param row - undefined if it is being created
 * @returns undefined if the request already has an outcome, so that nothing must be written
 * @throws ProblemError 503 if there is no room for its outcome
 */
function toStoreColumns(
  { modified, counter, outcomes: column, writeOnly }: RowSettings,
  row: Row | undefined,
  changes: Row,
  outcome?: PendingOutcome,
): Row | undefined {
  const list = column === undefined ? undefined : OutcomeList.parse(`the column ${column}`, row?.[column]);
  const outcomes = outcome === undefined ? undefined : list?.with(outcome);
  if (outcome !== undefined && list !== undefined && outcomes === undefined) return undefined;
  const kept = column !== undefined && outcomes !== undefined && { [column]: outcomes.toString() };
  // Else the time of the last write would show whether a client has guessed a write-only member.
  const isUnchanged = row !== undefined && Object.keys(changes).length === 0 && writeOnly.length === 0;
  if (isUnchanged) return { ...kept };
  return {
    ...modified?.now(row),
    ...(counter !== undefined && row !== undefined && { [counter]: nextCount(row, counter) }),
    ...kept,
  };
}

function nextCount(row: Row, counter: string): number {
  const count = Number(row[counter] ?? NaN);
  if (Number.isSafeInteger(count)) return count + 1;
  throw new TypeError(
    `A row has no whole number in the column ${counter}, which the option counter names. ` +
      'Declare the column NOT NULL DEFAULT 1.',
  );
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
  throw new TypeError(`${call}() returned ${shownResult(result)}. Return the number of rows that matched.`);
}

const whoDropped = 'Check whether row-level security or a trigger prevents the write.';

const notFoundAgain =
  'After the write, the row is no longer found under its key, so the write was not committed. ' +
  'Check whether a trigger or a hook changes the key, or deletes the row.';

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

/** Whether a number can stand for several: 9007199254740993 is read as 9007199254740992, another row. */
function isUnsafe(value: unknown): boolean {
  return typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

function describeUnsafeKey(column: string, value: unknown): string {
  return (
    `The option key of rowStore() returned ${column}: ${shownValue(value)}, ` +
    'a number that can stand for several keys, so no row was looked for. ' +
    'Return BigInt(key) if there are such keys, or undefined for them.'
  );
}
