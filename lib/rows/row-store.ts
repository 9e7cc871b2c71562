import { isThenable, shownResult, shownText, tellOnce } from '../config/app-callbacks';
import { hasNames } from '../config/object';
import { OptionsCheck } from '../config/options-check';
import type { JsonObject } from '../json/value';
import { isStorableKey } from '../stores/contract/key';
import type { OutcomeStore } from '../stores/contract/outcome-store';
import {
  noContext,
  type ReadContext,
  type ResourceStore,
  type StoreContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../stores/contract/resource-store';
import { toJsonText } from '../stores/contract/serialize';
import type { Columns, ValueOf } from './columns/column';
import { deleteRow } from './delete-row';
import { inTransaction } from './in-transaction';
import { ownColumns } from './own-columns';
import { readBack } from './read-back';
import { isUniqueRefusal, toRefusal } from './refusals';
import { readMeaning } from '../stores/engine-error';
import type { RefusedWrite } from './refused-member';
import { RowReader } from './row-reader';
import { compileRowStore, type RowSettings, type RowStoreOptions } from './row-store-options';
import type { Row } from './rows';
import { readWritten, writtenRow } from './written';

/**
 * The store that `rowStore` returns: an `OutcomeStore` with the option `outcomes`, and with a `delete` method
 * if the options have one.
 */
export type RowStore<C extends Columns, O> = ResourceStore<ValueOf<C>> & {
  fit(key: string, next: ValueOf<C>, current: ValueOf<C> | undefined): ValueOf<C>;
} & (O extends { outcomes: string } ? OutcomeStore<ValueOf<C>> : unknown) &
  (O extends { delete: (...where: never[]) => unknown } ? Required<Pick<ResourceStore, 'delete'>> : unknown);

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
): RowStore<C, O> {
  const check = new OptionsCheck('rowStore()');
  const settings = compileRowStore(options, check);
  check.done();
  const store = new TableOfResources(settings);
  return {
    get: store.get.bind(store),
    replace: store.replace.bind(store),
    fit: store.fit.bind(store),
    readOnly: settings.readOnly,
    ...(settings.rows.delete === undefined ? {} : { delete: store.delete.bind(store) }),
    ...(settings.rows.insert === undefined ? { creates: false } : {}),
    ...(settings.outcomes === undefined
      ? {}
      : { keepsOutcomes: true, outcomeBounds: { keep: 50, maxAge: 300 } }),
  } as unknown as RowStore<C, O>;
}

class TableOfResources {
  readonly #settings: RowSettings;
  readonly #reader: RowReader;
  readonly #tellUnsafe = tellOnce('PATCH_OPTIONS_UNSAFE_KEY', saidOfUnsafe);

  constructor(settings: RowSettings) {
    this.#settings = settings;
    this.#reader = new RowReader(settings);
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    const where = this.#toWhere(key);
    const row = where && (await this.#reader.find(this.#settings.rows, where));
    return row && this.#reader.stored(row, context.outcome?.id);
  }

  fit(key: string, next: unknown, current: JsonObject | undefined): JsonObject {
    return this.#settings.values.fit(next, current, this.#toWhere(key) ?? {});
  }

  async replace(
    key: string,
    expected: string | null,
    next: unknown,
    context: WriteContext = noContext,
  ): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    const where = this.#toWhere(key);
    if (where === undefined) return undefined;
    // A copy, because the caller can modify the value while the write is under way.
    const value: unknown = JSON.parse(toJsonText(next, context.maxBytes));
    return expected === null
      ? this.#create(key, where, value, context)
      : this.#change(key, where, expected, value, context);
  }

  /** @returns whether a row was deleted */
  async delete(key: string, expected?: string, context: StoreContext = noContext): Promise<boolean> {
    throwIfAborted(context);
    const where = this.#toWhere(key);
    const deletion = where && { key, where, expected, req: context.request };
    return deletion !== undefined && deleteRow(this.#settings, this.#reader, deletion);
  }

  async #change(
    key: string,
    where: Row,
    expected: string,
    next: unknown,
    context: WriteContext,
  ): Promise<Stored<JsonObject> | undefined> {
    const { rows, values, version, casts, onWrite } = this.#settings;
    const { current } = context;
    const read = current?.version === expected ? this.#reader.findRow(current) : undefined;
    const row = read ?? (await this.#reader.find(rows, where));
    if (row === undefined || version.of(row) !== expected) return undefined;
    const before = values.read(row);
    const value = values.fit(next, before, where);
    const storeColumns = ownColumns(this.#settings, context, row);
    if (storeColumns === undefined) return undefined;
    const changes = values.changes(value, before);
    const changed = { ...changes, ...storeColumns.set };
    // An UPDATE must set something, also where the database generates the version.
    const set = Object.keys(changed).length > 0 ? changed : (values.unchanged(before) ?? where);
    const condition = { ...where, ...version.condition(row) };
    throwIfAborted(context);
    return inTransaction(this.#settings, async (inside, tx) => {
      const update = () => inside.update(condition, set, this.#reader.columnsWith(where), casts);
      const { count, row: returned } = writtenRow(
        'update',
        await this.#refusing({ changes, own: storeColumns.set }, condition, update),
        version,
      );
      if (count === 0) return undefined;
      const written = {
        rows: inside,
        where,
        returned,
        next: value,
        changes,
        own: storeColumns,
        isNew: false,
      };
      const after = await readBack(this.#settings, this.#reader, written);
      await onWrite?.(tx, { key, before, after: knownValue(after), req: context.request });
      return after;
    });
  }

  async #create(
    key: string,
    where: Row,
    next: unknown,
    context: WriteContext,
  ): Promise<Stored<JsonObject> | undefined> {
    const { rows, values, version, casts, onWrite } = this.#settings;
    if (rows.insert === undefined) return undefined;
    const value = values.fit(next, undefined, where);
    const storeColumns = ownColumns(this.#settings, context, undefined);
    if (storeColumns === undefined) return undefined;
    const changes = values.changes(value, undefined);
    const set = { ...changes, ...where, ...storeColumns.set };
    throwIfAborted(context);
    try {
      return await inTransaction(this.#settings, async (inside, tx) => {
        const insert = () => inside.insert?.(set, this.#reader.columnsWith(where), casts);
        const result = await this.#refusing({ changes, own: storeColumns.set, key: where }, where, insert);
        const returned = readWritten(result, version.columns[0])?.row;
        const written = {
          rows: inside,
          where,
          returned,
          next: value,
          changes,
          own: storeColumns,
          isNew: true,
        };
        const after = await readBack(this.#settings, this.#reader, written);
        await onWrite?.(tx, { key, before: undefined, after: knownValue(after), req: context.request });
        return after;
      });
    } catch (error) {
      // Another request created the row first, or another unique column has the value already.
      if (!isUniqueRefusal(error)) throw error;
      const row = await this.#reader.find(rows, where);
      if (row !== undefined) return undefined;
      throw error;
    }
  }

  /** Runs a statement. A value that the database refuses becomes a problem for the client. */
  async #refusing(write: RefusedWrite, condition: Row, send: () => unknown): Promise<unknown> {
    try {
      return await send();
    } catch (error) {
      throw await toRefusal(error, this.#settings, write, () => this.#refusesOwn(write.own, condition));
    }
  }

  /**
   * Whether the database refuses the columns of the store alone, such as a counter at its end. In a
   * transaction that is found by writing them, and rolled back. Without one, no row is meant: PostgreSQL
   * refuses a value that does not fit its column all the same.
   */
  async #refusesOwn(own: Row, condition: Row): Promise<boolean> {
    const { transaction, version } = this.#settings;
    const none = transaction === undefined ? version.none : {};
    if (Object.keys(own).length === 0) return false;
    const rollback = new Error();
    try {
      await inTransaction(this.#settings, async (inside) => {
        await inside.update({ ...condition, ...none }, own, version.columns);
        throw rollback;
      });
    } catch (error) {
      return readMeaning(error) !== undefined;
    }
    return false;
  }

  #toWhere(key: string): Row | undefined {
    const where = isStorableKey(key) ? checkedWhere(this.#settings.toWhere(key)) : undefined;
    const unsafe = Object.entries(where ?? {}).find(([, value]) => isUnsafe(value));
    if (unsafe === undefined) return where;
    this.#tellUnsafe(...unsafe);
    return undefined;
  }
}

/** Whether a number can stand for several: 9007199254740993 is read as 9007199254740992, another row. */
function isUnsafe(value: unknown): boolean {
  return typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

function saidOfUnsafe(column: string, value: unknown): string {
  return (
    `The option key of rowStore() returned ${column}: ${shownText(value)}, ` +
    'a number that can stand for several keys, so no row was looked for. ' +
    'Return BigInt(key) if there are such keys, or undefined for them.'
  );
}

/**
 * The columns that the option `key` returned.
 *
 * @throws TypeError for anything without columns, such as a promise, or with one that is undefined: some ORMs
 *   would find every row with it, or insert one that is not found again
 */
function checkedWhere(where: Row | undefined): Row | undefined {
  if (where === undefined) return where;
  const values = hasNames(where) && !isThenable(where) ? Object.values(where) : [];
  if (values.length > 0 && !values.includes(undefined)) return where;
  throw new TypeError(
    `The option key returned ${shownResult(where)}. ` +
      'Return the columns of the row, each with its value, such as { id: 7 }, or undefined.',
  );
}

/** @throws OvertakenError if nothing of the value is known: undefined would say that the row was deleted */
function knownValue({ value, unreadable }: Stored<JsonObject>): JsonObject {
  const whole = unreadable?.find(({ pointer }) => pointer === '');
  if (whole !== undefined) throw whole.reason;
  return value;
}
