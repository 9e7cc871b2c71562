import { tellOnce } from '../config/process-warning';
import { shownValue } from '../config/shown-value';
import { functionLike } from '../config/expectation';
import { readMember } from '../config/prototype-pollution';
import { OptionsCheck } from '../config/options-check';
import { isJsonObject, type JsonObject } from '../json/value';
import { isStorableKey } from '../stores/contract/key';
import type { OutcomeStore } from '../stores/contract/outcome-store';
import {
  noContext,
  type ReadContext,
  type ResourceStore,
  type StoreContext,
  type Stored,
  type VersionedState,
  throwIfAborted,
  type WriteContext,
} from '../stores/contract/resource-store';
import { toJsonText } from '../stores/contract/serialize';
import type { Columns, ShownValue, ValueOf } from './columns/column-options';
import { deleteRow } from './delete-row';
import { isUniqueRefusal } from './refusals';
import { RowReader } from './row-reader';
import { type AnyRowStore, createLaterStore } from './later-store';
import { compileRowStore, type RowSettings } from './compile-row-store';
import type { LaterRowStoreOptions, RowStoreOptions } from './row-store-options';
import type { Row } from './rows';
import { createTimestampCheck } from './timestamp-zone';
import { planWrite } from './write-plan';
import { writeRow } from './write-row';

/**
 * The store that `rowStore` returns: an `OutcomeStore` with the option `outcomes`, and with a `delete` method
 * if the options have one.
 */
export type RowStore<C extends Columns, O> = Omit<ResourceStore<ValueOf<C>>, 'get' | 'replace' | 'delete'> & {
  get(key: string, context?: ReadContext): Promise<VersionedState<ValueOf<C>> | undefined>;
  replace(
    key: string,
    expected: string | null,
    next: ValueOf<C>,
    context?: WriteContext,
  ): Promise<VersionedState<ValueOf<C>> | undefined>;
  delete?(key: string, expected?: string, context?: StoreContext): Promise<boolean>;
  fit(key: string, next: ValueOf<C>, current: ValueOf<C> | undefined): ValueOf<C>;
  /**
   * Returns the state of a row that a query of your own has read, such as a list: its value as GET and PATCH
   * show it, with the version for `entityTag` and `checkPreconditions`, and without `writeOnly` columns. The
   * row has every other column that the options name, but for `key` and `outcomes`, under the same name, as
   * the ORM or the driver reads it. What else it has is left out.
   *
   * @throws MissingColumnError if a column is missing
   * @throws ColumnValueError for a value that its kind cannot represent
   */
  show(row: object): Stored<ShownValue<C>>;
} & (O extends { outcomes: string } ? Pick<OutcomeStore, 'keepsOutcomes'> : unknown) &
  (O extends { delete: (...where: never[]) => unknown } | { rows: () => object }
    ? { delete(key: string, expected?: string, context?: StoreContext): Promise<boolean> }
    : unknown);

/**
 * Creates a store over a table of your app whose connection comes later than the handlers: the option `rows`
 * returns its rows, and is called with the first request. Mistakes that depend on the connection are the
 * error of that request.
 *
 * ```ts
 * const notes = rowStore({
 *   rows: () => prismaRows(prisma.note),
 *   columns: { title: 'string' },
 *   key: 'slug',
 *   version: 'version',
 * });
 * ```
 *
 * @throws ConfigurationError with every other mistake in the options
 */
export function rowStore<const C extends Columns, Tx, const O extends object>(
  options: O & LaterRowStoreOptions<C, Tx>,
): RowStore<C, O>;
/* oxlint-disable typescript/unified-signatures --
   each signature has its own documentation, and the compiler reports mistakes against the last one */
/**
 * Creates a store over a table of your app: each row is a resource. Clients see only the listed columns, and
 * can change those that are not read-only. A value that does not fit its column is answered 422. Every write
 * is one conditional statement.
 *
 * If your app writes to a row without changing its version, the store does not notice: see `versionTrigger`.
 *
 * ```ts
 * const notes = rowStore({
 *   ...prismaRows(prisma.note),
 *   columns: { title: 'string', body: 'string?', createdAt: { kind: 'date', readOnly: true } },
 *   key: 'slug',
 *   version: 'version',
 * });
 * ```
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function rowStore<const C extends Columns, Tx, const O extends object>(
  options: O & RowStoreOptions<C, Tx>,
): RowStore<C, O>;
/* oxlint-enable typescript/unified-signatures */
export function rowStore(options: RowStoreOptions | LaterRowStoreOptions): unknown {
  if (comesLater(options)) return rowsLater(options);
  const check = new OptionsCheck('rowStore()');
  const settings = compileRowStore(options, check);
  check.done();
  const store = new TableOfResources(settings);
  return {
    get: store.get.bind(store),
    replace: store.replace.bind(store),
    complete: store.complete.bind(store),
    fit: store.fit.bind(store),
    show: store.show.bind(store),
    readOnly: settings.readOnly,
    writeOnly: settings.writeOnly,
    doubles: settings.doubles,
    ...(settings.rows.delete === undefined ? {} : { delete: store.delete.bind(store) }),
    ...(settings.rows.insert === undefined ? { creates: false } : {}),
    ...(settings.outcomes === undefined ? {} : { keepsOutcomes: true }),
  };
}

function comesLater(options: RowStoreOptions | LaterRowStoreOptions): options is LaterRowStoreOptions {
  return readMember(Object(options) as Partial<LaterRowStoreOptions>, 'rows') !== undefined;
}

function rowsLater(options: LaterRowStoreOptions): AnyRowStore {
  const check = new OptionsCheck('rowStore()');
  const { rows, ...others } = options;
  check.value('rows', rows, functionLike('() => prismaRows(prisma.note)'));
  check.done();
  let store: AnyRowStore | undefined;
  return createLaterStore(
    others,
    () => (store ??= rowStore({ ...others, ...rows() }) as unknown as AnyRowStore),
  );
}

class TableOfResources {
  readonly #settings: RowSettings;
  readonly #reader: RowReader;
  readonly #checkTimestamps: (() => Promise<void>) | undefined;
  readonly #warnOfUnsafeKey = tellOnce('PATCH_OPTIONS_UNSAFE_KEY', describeUnsafeKey);

  constructor(settings: RowSettings) {
    this.#settings = settings;
    this.#reader = new RowReader(settings);
    this.#checkTimestamps = createTimestampCheck(settings);
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    const where = this.#toWhere(key);
    await this.#checkTimestamps?.();
    const row = where && (await this.#reader.find(this.#settings.rows, where));
    return row && this.#reader.toStored(row, context.outcome?.id);
  }

  complete(key: string, next: unknown, current: JsonObject | undefined): unknown {
    if (!isJsonObject(next)) return next;
    return this.#settings.values.complete(next, current, this.#toWhere(key) ?? {});
  }

  fit(key: string, next: unknown, current: JsonObject | undefined): JsonObject {
    return this.#settings.values.fit(next, current, this.#toWhere(key) ?? {});
  }

  show(row: object): Stored<JsonObject> {
    return this.#reader.toShown(row as Row);
  }

  async replace(
    key: string,
    expected: string | null,
    next: unknown,
    context: WriteContext = noContext,
  ): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    const { rows, version } = this.#settings;
    const where = this.#toWhere(key);
    if (where === undefined || (expected === null && rows.insert === undefined)) return undefined;
    // A copy, because the caller can modify the value while the write is under way.
    const value: unknown = JSON.parse(toJsonText(next, context.maxBytes));
    await this.#checkTimestamps?.();
    const row = expected === null ? undefined : await this.#readRow(where, expected, context);
    if (expected !== null && (row === undefined || version.read(row) !== expected)) return undefined;
    const plan = planWrite(this.#settings, { key, where, row }, value, context);
    if (plan === undefined) return undefined;
    throwIfAborted(context);
    try {
      return await writeRow(this.#settings, this.#reader, plan, context.request);
    } catch (error) {
      // Another request created the row first, or another unique column has the value already.
      if (row !== undefined || !isUniqueRefusal(error)) throw error;
      if ((await this.#reader.find(rows, where)) === undefined) throw error;
      return undefined;
    }
  }

  /** @returns whether a row was deleted */
  async delete(key: string, expected?: string, context: StoreContext = noContext): Promise<boolean> {
    throwIfAborted(context);
    const where = this.#toWhere(key);
    await this.#checkTimestamps?.();
    const deletion = where && { key, where, expected, req: context.request };
    return deletion !== undefined && deleteRow(this.#settings, this.#reader, deletion);
  }

  async #readRow(where: Row, expected: string, { current }: WriteContext): Promise<Row | undefined> {
    const read = current?.version === expected ? this.#reader.findRow(current) : undefined;
    return read ?? this.#reader.find(this.#settings.rows, where);
  }

  #toWhere(key: string): Row | undefined {
    const where = isStorableKey(key) ? this.#settings.key.toWhere(key) : undefined;
    const unsafe = Object.entries(where ?? {}).find(([, value]) => isUnsafe(value));
    if (unsafe === undefined) return where;
    this.#warnOfUnsafeKey(...unsafe);
    return undefined;
  }
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
