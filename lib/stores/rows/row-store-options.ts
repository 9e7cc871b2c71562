import type { OptionsCheck } from '../../configuration';
import { memberOf } from '../../prototype-pollution';
import { type Columns, compileColumns, type ValueOf } from './columns/column';
import { type Nulls, RowValues } from './columns/row-value';
import { formatPointer } from '../../parsers/json/pointer';
import { type ModifiedColumn, modifiedColumn } from './modified-column';
import { compileVersion, type RowVersion, type VersionOption } from './row-version';
import type { Awaitable, Row, Rows } from './rows';

/** One write, as `onWrite` is told of it. */
export interface RowWrite<T> {
  /** Undefined where the row was made. */
  readonly before: T | undefined;
  /** As it now reads; undefined where the row was deleted. */
  readonly after: T | undefined;
}

/** Options of `rowStore`. */
export interface RowStoreOptions<C extends Columns = Columns, Tx = unknown> extends Rows {
  /**
   * The members that clients see, each with the kind of its column. Every other column is out of reach, as are the key, the
   * version and the outcomes.
   */
  readonly columns: C;
  /**
   * The column that identifies the resource. Or a function that maps a key to the columns and values of its row, such as a serial
   * id or a composite key, and returns undefined for an invalid key:
   * `(key) => (/^[1-9]\d*$/.test(key) ? { id: Number(key) } : undefined)`. Accept only one spelling of each key.
   */
  readonly key: string | ((key: string) => Row | undefined);
  /**
   * The text column in which the store writes a new version on every write. Or a whole number that the app's own writes count up
   * too, with the id beside it: `{ counter: 'revision', id: 'id' }`, where ids are never given twice (`AUTOINCREMENT` in SQLite).
   * Or what the database makes, `{ generated: 'xmin' }`, where `update` gives back the row.
   */
  readonly version: VersionOption;
  /** The column of the time of the last write, which the store writes: Last-Modified. Default none. */
  readonly modified?: string;
  /**
   * A nullable text column that holds the outcomes of requests with an Idempotency-Key, in the same write. By default a row then
   * keeps 50 of a scope, for 300 seconds. Default none: the store keeps no outcomes.
   */
  readonly outcomes?: string;
  /** How NULL stands in the resource: as null, or left out. Default `'null'`. */
  readonly nulls?: Nulls;
  /**
   * Opens a transaction for each write, and commits it before the answer:
   * `(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx))`. Default: the write is one statement.
   */
  // `tx` as Tx would make TypeScript settle for what Tx is before it has read onWrite, where the app says it.
  readonly transaction?: (run: (rows: Rows, tx: unknown) => Promise<void>) => Awaitable<unknown>;
  /** The app's own writes beside each of the store's, in its transaction: what it throws undoes both. Needs `transaction`. Default none. */
  readonly onWrite?: (tx: Tx, write: RowWrite<ValueOf<C>>) => unknown;
}

const optionNames: readonly (keyof RowStoreOptions)[] = [
  ...(['columns', 'key', 'version', 'modified', 'outcomes', 'nulls', 'transaction', 'onWrite'] as const),
  ...(['find', 'update', 'insert', 'delete', 'dialect'] as const),
];

/** The options of a store, checked. */
export interface RowSettings {
  readonly rows: Rows;
  readonly values: RowValues;
  /** The columns that are asked for, one that every row has in front. */
  readonly names: readonly string[];
  readonly version: RowVersion;
  readonly whereOf: (key: string) => Row | undefined;
  readonly memberOfColumn: (column: string) => string;
  /** JSON Pointers of the members that clients cannot change. */
  readonly readOnly: readonly string[];
  readonly modified: ModifiedColumn | undefined;
  readonly outcomes: string | undefined;
  readonly transaction: ((run: (rows: Rows, tx: unknown) => Promise<void>) => Awaitable<unknown>) | undefined;
  readonly onWrite: ((tx: unknown, write: RowWrite<unknown>) => unknown) | undefined;
}

/** Makes the options ready, and notes every mistake in them. */
export function compileRowStore(given: object, check: OptionsCheck): RowSettings {
  const options = check.names<Partial<RowStoreOptions>>(given, optionNames);
  const { key, modified, outcomes, nulls = 'null', transaction, onWrite, dialect } = options;
  checkFunctions(check, options);
  const columns = compileColumns(check, options.columns, dialect);
  const version = compileVersion(check, options.version);
  checkColumnName(check, 'modified', modified);
  checkColumnName(check, 'outcomes', outcomes);
  if (typeof key !== 'function') checkKey(check, key);
  if ((nulls as string) !== 'null' && (nulls as string) !== 'omit') {
    check.mistake('nulls', nulls, {
      code: 'option-value',
      reason: "is neither 'null' nor 'omit'",
      fix: "Write one of them, or leave the option out for 'null'.",
    });
  }
  if (onWrite !== undefined && transaction === undefined) {
    check.mistake('onWrite', onWrite, {
      code: 'option-dependency',
      reason: 'has no transaction that it could write in',
      fix: `Give transaction too. ${fixes.transaction}`,
    });
  }
  checkOutcomes(check, options, version);

  const reserved = [...version.columns, outcomes, modified, typeof key === 'string' ? key : undefined];
  for (const { member, name, isReadOnly } of columns) {
    if (isReadOnly || !reserved.includes(name)) continue;
    check.mistake(`columns.${member}`, memberOf(Object(options.columns) as Columns, member), {
      code: 'option-conflict',
      reason: 'is a column that the store alone writes, or the key',
      fix: 'Write { kind, readOnly: true }, or leave it out.',
    });
  }

  const names = [...reserved, ...columns.map(({ name }) => name)].filter((name) => name !== undefined);
  const memberNames = new Map(columns.map(({ member, name }) => [name, member]));
  return {
    rows: options as Rows,
    values: new RowValues(columns, nulls),
    names: [...new Set(names)],
    version,
    whereOf: typeof key === 'function' ? key : (text) => ({ [String(key)]: text }),
    memberOfColumn: (column) => memberNames.get(column) ?? column,
    readOnly: columns
      .filter(({ name, isReadOnly }) => isReadOnly || name === key)
      .map(({ member }) => formatPointer([member])),
    modified: modified === undefined ? undefined : modifiedColumn(modified, dialect),
    outcomes,
    transaction,
    onWrite: onWrite as RowSettings['onWrite'],
  };
}

const orms = 'Spread prismaRows(prisma.note), drizzleRows(db, notes), knexRows(knex, "notes"), or write it.';

const fixes = {
  transaction: 'Write (run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx)).',
  onWrite: 'Write (tx, { before, after }) => tx.audit.create(…).',
};

function checkFunctions(check: OptionsCheck, options: Partial<RowStoreOptions>): void {
  for (const name of ['find', 'update', 'insert', 'delete', 'transaction', 'onWrite'] as const) {
    const value: unknown = options[name];
    const isNeeded = name === 'find' || name === 'update';
    if (typeof value === 'function' || (value === undefined && !isNeeded)) continue;
    const fix = name in fixes ? fixes[name as keyof typeof fixes] : orms;
    check.mistake(name, value, { code: 'option-type', reason: 'must be a function', fix });
  }
  const { dialect } = options;
  if (dialect === undefined || (['postgres', 'sqlite', 'mysql'] as const).includes(dialect)) return;
  check.mistake('dialect', dialect, {
    code: 'option-value',
    reason: 'is not a supported dialect',
    fix: "Write 'postgres', 'sqlite' or 'mysql', or leave it out where the ORM knows the types of its columns.",
  });
}

function checkKey(check: OptionsCheck, key: unknown): void {
  if (typeof key === 'string' && key !== '') return;
  check.mistake('key', key, {
    code: key === '' ? 'option-empty' : 'option-type',
    reason: 'must be a column name or a function',
    fix: "Name the column, as 'slug', or write (key) => (/^[1-9]\\d*$/.test(key) ? { id: Number(key) } : undefined).",
  });
}

function checkColumnName(check: OptionsCheck, option: string, name: unknown): void {
  if (name === undefined || (typeof name === 'string' && name !== '')) return;
  check.mistake(option, name, {
    code: name === '' ? 'option-empty' : 'option-type',
    reason: 'must be a column name',
    fix: 'Name the column, or leave the option out.',
  });
}

/** The text of an outcome is made of the version that is about to be written. */
function checkOutcomes(
  check: OptionsCheck,
  { outcomes, insert }: Partial<RowStoreOptions>,
  version: RowVersion,
): void {
  if (outcomes === undefined) return;
  const counterMakes = !version.isGenerated && !version.isKnownBefore && insert !== undefined;
  if (!version.isGenerated && !counterMakes) return;
  check.mistake('outcomes', outcomes, {
    code: 'option-conflict',
    reason: counterMakes
      ? 'cannot be kept of a row that is made, whose id only the database knows'
      : 'cannot be kept beside a version that only the database knows',
    fix: counterMakes
      ? "Set insert: undefined, or take a text column as version, as 'version'."
      : "Take a text column as version, as 'version'.",
  });
}
