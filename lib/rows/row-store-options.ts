import {
  anything,
  type Expectation,
  expected,
  functionLike,
  functionThat,
  required,
  typed,
  wholeNumber,
} from '../config/expectation';
import { nearestName } from '../config/nearest-name';
import { hasNames, isFunction, isObject } from '../config/object';
import type { OptionsCheck } from '../config/options-check';
import { readMember } from '../config/prototype-pollution';
import type { Expectations } from '../config/read-options';
import type { PatchRequest } from '../http/middleware';
import { formatPointer } from '../json/pointer';
import type { KindCodec } from './columns/codec';
import { type Column, compileColumns } from './columns/column';
import type { Columns, ValueOf } from './columns/column-options';
import { columnForms, date } from './columns/date';
import { RowValues } from './columns/row-value';
import { compileKey, type KeyColumns } from './key-columns';
import { findOwnFunctions } from './library-rows';
import type { CastType, ColumnForm, ColumnKinds, DeclaredForms, Row, Rows } from './rows';

/** One write, as the option `onWrite` receives it. */
export interface RowWrite<T> {
  /** The key of the resource in the store. */
  readonly key: string;
  /** The value before the write; undefined if the row was created. */
  readonly before: T | undefined;
  /**
   * The value after the write, as the database returns it; undefined if the row was deleted, or if `find` no
   * longer returns it.
   */
  readonly after: T | undefined;
  /** The request that writes; undefined if your app calls the store itself. */
  readonly req: PatchRequest | undefined;
}

/** Options of `rowStore`. `Schema` has the types of the JSON of the columns that the ORM knows. */
export interface RowStoreOptions<C extends Columns = Columns, Tx = unknown, Schema = unknown>
  extends Rows, DeclaredForms {
  /**
   * The members that clients see, each with the kind of its column, or `true` to use the definition in the
   * ORM's schema. Clients can neither read nor write any other column. The columns of `key` and `outcomes`
   * are members only if they are listed as read-only.
   */
  readonly columns: C;
  readonly columnKinds?: ColumnKinds<Schema> | undefined;
  /**
   * The column that identifies the resource, or a list of columns, such as `['org', 'id']`, in the order in
   * which the option `key` of `patchHandler` joins their values. A column contains text, unless it is listed
   * in `columns` as a whole number, a date, a day or a time. It can also be a function that maps a key to the
   * columns and values of its row, and returns undefined for an invalid key:
   * `(key) => (/^[1-9]\d*$/.test(key) ? { id: Number(key) } : undefined)`. Accept only one spelling of each
   * key.
   */
  readonly key: string | readonly string[] | ((key: string) => Row | undefined);
  /**
   * `'xmin'` identifies the state of a row by PostgreSQL's own version of it. A write that changes only
   * strings, integers and booleans is then one conditional UPDATE, without a lock or a transaction. A write
   * to a column that is not in `columns` also makes a new state. For Drizzle, Knex, Kysely and `tableStore`.
   * Default: the state is the content of `columns`.
   */
  readonly version?: 'xmin';
  /**
   * An integer column that your app's own writes compare and increment, such as `lock_version`. Each write of
   * the store increments it, too. Leave it out if the ORM increments the column itself. Default none.
   */
  readonly counter?: string;
  /** The column in which the store keeps the time of the last write, for Last-Modified. Default none. */
  readonly modified?: string;
  /**
   * A nullable text column for the outcomes of requests with an Idempotency-Key, which are stored in the same
   * write. Default none: the store keeps no outcomes.
   */
  readonly outcomes?: string;
  /**
   * How many milliseconds the transaction of a write can take, from the wait for a connection until its
   * COMMIT. After that, it is rolled back, and the answer is 503 with Retry-After. If the database rolls it
   * back because of another one, it is run again, with a new limit. It does not apply to synchronous drivers
   * of SQLite, nor to a write that is a single statement (`version: 'xmin'`, or Prisma over SQLite). Default
   * 5,000.
   */
  readonly timeout?: number;
  /**
   * Called in the transaction of every write of the store, `tx`, so that your app can write more in it: if it
   * throws, everything is rolled back. It must use `tx` for all its statements. It can be called again if the
   * database rolls the transaction back because of another one. If it hides the row from `find`, the answer
   * has no body, and `after` of `onPatched` has no value. Default none.
   */
  readonly onWrite?: (tx: Tx, write: RowWrite<ValueOf<C, Schema>>) => unknown;
}

/** Options of `rowStore` where the connection comes later than the handlers, or depends on the request. */
export type LaterRowStoreOptions<C extends Columns = Columns, Tx = unknown> = Omit<
  RowStoreOptions<C, Tx>,
  keyof Rows | keyof DeclaredForms
> & {
  /**
   * Replaces the functions of the table. Returns the rows of the table, such as
   * `() => prismaRows(prisma, 'note')`, or the rows of the request's tenant:
   * `(req) => knexRows(knexOf(req), 'notes')`. Called at each use; `req` is undefined if your app calls the
   * store itself. The rows of all connections must have the same columns, in the same kind of database.
   */
  readonly rows: (
    req: PatchRequest | undefined,
  ) => Rows & Required<Pick<Rows, 'insert' | 'delete'>> & DeclaredForms;
};

/** The compiled options of a store. */
export interface RowSettings {
  readonly values: RowValues;
  /** The same without the members that clients cannot see. */
  readonly shown: RowValues;
  /** The columns to read. */
  readonly names: readonly string[];
  /** The columns whose values a driver may change, with the type to cast each to. */
  readonly casts: ReadonlyMap<string, CastType>;
  readonly key: KeyColumns;
  /** The names of columns in the database, where the ORM has others. */
  readonly columnNames: Readonly<Record<string, string>>;
  /** The column of the version, if states have one. */
  readonly version: string | undefined;
  /** The members that clients see, by their columns. */
  readonly members: ReadonlyMap<string, string>;
  /** The columns that clients can write. */
  readonly writable: readonly string[];
  /** The columns that clients can write and that cannot be NULL. */
  readonly required: readonly string[];
  /**
   * The columns of strings, integers and booleans: they are read back as they were written, so a write of
   * these alone needs no check before the commit.
   */
  readonly exact: ReadonlySet<string>;
  /** JSON Pointers of the members that clients cannot change. */
  readonly readOnly: readonly string[];
  /** JSON Pointers of the members that clients can set, but not see. */
  readonly writeOnly: readonly string[];
  /** JSON Pointers of the members of the kind `'number'`, which are stored as doubles. */
  readonly doubles: readonly string[];
  /** The columns that contain dates, with their forms. */
  readonly dates: ReadonlyMap<string, ColumnForm>;
  /** The column of the time of the last write. */
  readonly modified: { readonly name: string; readonly codec: KindCodec<string> } | undefined;
  readonly counter: string | undefined;
  readonly outcomes: string | undefined;
  readonly timeout: number;
  readonly onWrite: ((tx: unknown, write: RowWrite<unknown>) => unknown) | undefined;
}

/** The rows of a connection, and the compiled options of their store. */
export interface Table {
  readonly rows: Rows;
  readonly settings: RowSettings;
}

/** Compiles the options, and reports every mistake in them. */
export function compileRowStore(options: object, check: OptionsCheck): Table {
  const checkedOptions = check.options<Partial<RowStoreOptions>>(options, expectations);
  const { key, version, counter, modified, outcomes, timeout = 5_000, onWrite, dialect } = checkedOptions;
  const columns = compileColumns(check, checkedOptions.columns, checkedOptions);
  checkTransaction(check, checkedOptions);
  checkKnownColumns(check, checkedOptions);
  const writeOnly = readWriteOnly(check, checkedOptions.columns);

  const keyColumns = typeof key === 'function' ? [] : [key ?? []].flat();
  const reserved = [version, counter, outcomes, modified, ...keyColumns];
  const writers = new Map<string, string>();
  for (const { member, name, isReadOnly } of columns) {
    if (isReadOnly) continue;
    const other = writers.get(name);
    writers.set(name, member);
    if (other !== undefined) {
      check.mistake(`columns.${member}`, readMember(Object(checkedOptions.columns) as Columns, member), {
        code: 'option-conflict',
        reason: `names the column ${name}, which columns.${other} writes`,
        fix: 'Make one of them read-only, or leave it out.',
      });
    }
    if (!reserved.includes(name)) continue;
    check.mistake(`columns.${member}`, readMember(Object(checkedOptions.columns) as Columns, member), {
      code: 'option-conflict',
      isName: true,
      reason: 'is the key or a column that only the store writes',
      fix: "Make it read-only, as in { kind: 'string', readOnly: true }, or leave it out.",
    });
  }

  const modifiedForm =
    columns.find(({ name }) => name === modified)?.form ??
    checkedOptions.columnForms?.[String(modified)] ??
    (dialect === 'sqlite' ? 'iso' : 'Date');
  const dates = columns.flatMap(({ name, kind, form }) =>
    kind === 'date' && form !== undefined ? [[name, form] as const] : [],
  );
  const names = [...reserved, ...columns.map(({ name }) => name)].filter((name) => name !== undefined);
  const isWritable = ({ name, isReadOnly }: Column) => !isReadOnly && !keyColumns.includes(name);
  const writable = columns.filter(isWritable);
  const readOnly = columns.filter((column) => !isWritable(column));
  const settings = {
    values: new RowValues(columns),
    shown: new RowValues(columns.filter(({ member }) => !writeOnly.includes(formatPointer([member])))),
    names: [...new Set(names)],
    casts: new Map(columns.flatMap(({ name, cast }) => (cast === undefined ? [] : [[name, cast] as const]))),
    key: compileKey(checkedOptions, columns),
    columnNames: checkedOptions.columnNames ?? {},
    version,
    members: new Map([...readOnly, ...writable].map(({ member, name }) => [name, member])),
    writable: writable.map(({ name }) => name),
    required: writable.filter(({ isNullable }) => !isNullable).map(({ name }) => name),
    exact: new Set(columns.filter(({ isExact }) => isExact).map(({ name }) => name)),
    readOnly: readOnly.map(({ member }) => formatPointer([member])),
    writeOnly,
    doubles: columns.filter(({ isDouble }) => isDouble).map(({ member }) => formatPointer([member])),
    dates: new Map([...(modified === undefined ? [] : [[modified, modifiedForm] as const]), ...dates]),
    modified:
      modified === undefined ? undefined : { name: modified, codec: date({ dialect, form: modifiedForm }) },
    ...{ counter, outcomes, timeout },
    onWrite: onWrite as RowSettings['onWrite'],
  };
  return { rows: checkedOptions as Rows, settings };
}

const orms =
  "Spread ...prismaRows(prisma, 'note'), ...drizzleRows(db, notes) or ...knexRows(knex, 'notes'), " +
  'or write the function yourself.';

const exampleTransaction = "(run) => knex.transaction((trx) => run(knexRows(trx, 'notes'), trx))";

/** The longest timeout of a Node timer. */
const maxTimeout = 2 ** 31 - 1;

const knownForms: readonly unknown[] = columnForms;

const dialects: readonly unknown[] = ['postgres', 'sqlite', 'mysql'];

const columnName = nameExpectation(
  'must be a column name',
  'Write the name of the column, or leave the option out.',
);
const keyColumn: Expectation = {
  findIssue(key) {
    if (isFunction(key)) return undefined;
    const names: readonly unknown[] = Array.isArray(key) && key.length > 0 ? key : [key];
    return names.map(keyName.findIssue).find((issue) => issue !== undefined);
  },
};
const keyName = nameExpectation(
  'must be a column name, a list of names, or a function',
  "Write a name such as 'slug', ['org', 'slug'] for two columns, " +
    'or (key) => (/^[1-9]\\d*$/.test(key) ? { id: Number(key) } : undefined).',
);

/** The columns are checked where they are compiled. */
const expectations: Expectations<keyof RowStoreOptions> = {
  find: required(functionThat(orms)),
  update: functionThat(orms),
  save: functionThat(orms),
  insert: functionThat(orms),
  delete: functionThat(orms),
  lock: functionThat(orms),
  transaction: functionLike(exampleTransaction),
  transactionSync: functionThat(orms),
  updateReturning: functionThat(orms),
  onWrite: functionLike('(tx, { key, before, after, req }) => tx.audit.create(…)'),
  dialect: expected((dialect) => dialects.includes(dialect), {
    code: 'option-value',
    isName: true,
    reason: 'is not a supported dialect',
    fix: "Write 'postgres', 'sqlite' or 'mysql', or leave it out if your ORM converts the types of the columns.",
  }),
  columns: anything,
  version: expected((version) => version === 'xmin', {
    code: 'option-value',
    isName: true,
    reason: 'is not a valid version',
    fix: "Leave it out: the state of a row is then the content of its columns. Or write 'xmin' over PostgreSQL.",
  }),
  counter: columnName,
  modified: columnName,
  outcomes: columnName,
  key: required(keyColumn),
  timeout: wholeNumber(1, maxTimeout, 'Write a number of milliseconds, such as 5000 for five seconds.'),
  columnNames: anything,
  columnKinds: typed(
    hasNames,
    "Write columns with their types and kinds, such as { title: { type: 'text', kind: 'string' } }, or leave it out.",
    'must map columns to their types',
  ),
  columnForms: typed(
    (forms) => hasNames(forms) && Object.values(forms).every((form) => knownForms.includes(form)),
    "Write columns with their forms, such as { due: 'iso' }, or leave it out.",
    'must map columns to their forms',
  ),
};

function nameExpectation(reason: string, fix: string): Expectation {
  return {
    findIssue(name) {
      if (typeof name === 'string' && name !== '') return undefined;
      return { code: name === '' ? 'option-empty' : 'option-type', reason, fix };
    },
  };
}

/** Reports options that do not work with the transaction of a write. */
function checkTransaction(check: OptionsCheck, options: Partial<RowStoreOptions>): void {
  const {
    save,
    update = save,
    lock,
    transaction,
    transactionSync,
    updateReturning,
    version,
    outcomes,
  } = options;
  if (update === undefined) check.value('update', update, required(functionThat(orms)));
  if (update !== undefined && transaction === undefined && transactionSync === undefined) {
    check.mistake('transaction', transaction, {
      code: 'option-dependency',
      reason: 'must be set, because each write is a transaction',
      fix: `Add transaction: ${exampleTransaction}, or use the rows of an ORM, which have one.`,
    });
  }
  if (transaction !== undefined && transactionSync !== undefined) {
    check.mistake('transaction', transaction, {
      code: 'option-conflict',
      reason:
        'cannot be set over this driver, because statements of other requests would get into the transaction',
      fix: 'Leave it out: each write is a transaction anyway.',
    });
  }
  if (transaction !== undefined && lock === undefined && options.dialect !== 'sqlite') {
    check.mistake('lock', lock, {
      code: 'option-dependency',
      reason: 'must be set, because other requests could write to the row between its read and its write',
      fix: "Add lock: (where) => knex('notes').where(where).select(knex.raw('1')).forNoKeyUpdate().",
    });
  }
  const own = findOwnFunctions(options);
  if (own.length > 0) {
    const isSync = transactionSync !== undefined;
    check.mistake(isSync ? 'transactionSync' : 'transaction', isSync ? transactionSync : transaction, {
      code: 'transaction-rows',
      reason: `passes rows to run without ${own.map((name) => `${name}()`).join(', ')} of the store`,
      fix: isSync
        ? 'Replace them in the transaction, too: ' +
          'transactionSync: (run) => rows.transactionSync((inside, tx) => run({ ...inside, delete: … }, tx)).'
        : "Make the rows of both with one function: const rows = (db) => ({ ...knexRows(db, 'notes'), delete: … }), " +
          'and { ...rows(knex), transaction: (run) => knex.transaction((trx) => run(rows(trx), trx)) }.',
    });
  }
  if (version === undefined) return;
  if (update !== undefined && updateReturning === undefined) {
    check.mistake('version', version, {
      code: 'option-conflict',
      isName: true,
      reason: 'needs an UPDATE that returns the row, which these rows do not have',
      fix: 'Leave it out, or use Drizzle, Knex, Kysely or tableStore over PostgreSQL.',
    });
  }
  if (outcomes !== undefined) {
    check.mistake('outcomes', outcomes, {
      code: 'option-conflict',
      isName: true,
      reason:
        "cannot be combined with version: 'xmin', because only the database knows the version of a write",
      fix: 'Leave version out.',
    });
  }
}

/** The options of `rowStore` that name columns, and the columns that the ORM knows. */
type Naming = Readonly<
  Partial<
    Record<
      'columns' | 'key' | 'version' | 'counter' | 'modified' | 'outcomes' | 'columnNames' | 'columnKinds',
      unknown
    >
  >
>;

/** Reports every name in the options that the ORM does not know, if it says which columns it knows. */
function checkKnownColumns(check: OptionsCheck, options: Naming): void {
  const { columnNames, columnKinds } = options;
  if (columnNames === undefined) return;
  if (!hasNames(columnNames) || Object.values(columnNames).some((name) => typeof name !== 'string')) {
    check.mistake('columnNames', columnNames, {
      code: 'option-type',
      reason: 'must be an object of strings',
      fix:
        'Write the columns with their names in the database, ' +
        "as { createdAt: 'created_at' }, or leave it out.",
    });
    return;
  }
  for (const [option, name] of namesIn(options)) {
    if (typeof name !== 'string' || name === '' || Object.hasOwn(columnNames, name)) continue;
    const column: unknown = hasNames(columnKinds) ? Reflect.get(columnKinds, name) : undefined;
    const isRelation = hasNames(column) && Reflect.get(column, 'type') === 'relation';
    const known = Object.keys(columnNames);
    // The app may have written the name that the column has in the database.
    const renamed = known.find((other) => Reflect.get(columnNames, other) === name);
    const nearest = renamed ?? nearestName(name, known);
    const fix = nearest === undefined ? `The columns are ${known.join(', ')}.` : `Did you mean '${nearest}'?`;
    check.mistake(option, name, {
      code: 'column-unknown',
      reason: isRelation ? 'is a relation, which has no column' : 'is not a column that the ORM knows',
      fix: isRelation ? 'List the column of its foreign key, or add it in represent.' : fix,
    });
  }
}

/** The columns that the options name, by the path of the option. */
function namesIn(options: Naming): [option: string, name: unknown][] {
  const { columns, key } = options;
  const memberColumns = hasNames(columns)
    ? Object.entries(columns).map(([member, column]): [string, unknown] => {
        const name: unknown = hasNames(column)
          ? readMember(column as { column?: unknown }, 'column')
          : undefined;
        return name === undefined ? [`columns.${member}`, member] : [`columns.${member}.column`, name];
      })
    : [];
  const keyColumns: [string, unknown][] = Array.isArray(key)
    ? key.map((column: unknown, index) => [`key[${index}]`, column])
    : [['key', key]];
  const others = (['version', 'counter', 'modified', 'outcomes'] as const).map(
    (option): [string, unknown] => [option, options[option]],
  );
  return [...memberColumns, ...keyColumns, ...others];
}

/** JSON Pointers of the members that clients can set, but not see; the columns have been compiled. */
function readWriteOnly(check: OptionsCheck, columns: unknown): readonly string[] {
  return Object.entries(Object(columns) as Columns).flatMap(([member, column]) => {
    if (!isObject(column) || !readMember(column, 'writeOnly')) return [];
    if (readMember(column, 'readOnly')) {
      check.mistake(`columns.${member}.writeOnly`, true, {
        code: 'option-conflict',
        reason: 'cannot be combined with readOnly, because no client could see the member or set it',
        fix: 'Leave the column out.',
      });
    }
    return [formatPointer([member])];
  });
}
