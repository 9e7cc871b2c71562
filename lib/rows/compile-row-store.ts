import {
  anything,
  expected,
  functionLike,
  functionThat,
  required,
  typed,
  type Expectation,
  wholeNumber,
} from '../config/expectation';
import { hasNames, isFunction } from '../config/object';
import type { OptionsCheck } from '../config/options-check';
import type { Expectations } from '../config/read-options';
import { readMember } from '../config/prototype-pollution';
import { type Column, compileColumns } from './columns/column';
import type { Columns } from './columns/column-options';
import { columnForms } from './columns/form';
import { RowValues } from './columns/row-value';
import { readWriteOnly } from './columns/write-only';
import { formatPointer } from '../json/pointer';
import { compileKey, type KeyColumns } from './key-columns';
import { checkKnownColumns } from './known-columns';
import { findOwnFunctions } from './library-rows';
import { type ModifiedColumn, modifiedColumn } from './modified-column';
import type { CastType, ColumnForm, Rows } from './rows';
import type { RowStoreOptions, RowWrite } from './row-store-options';

/** The compiled options of a store. */
export interface RowSettings {
  readonly values: RowValues;
  /** Those without the members that clients cannot see. */
  readonly shown: RowValues;
  /** The columns to read. */
  readonly names: readonly string[];
  /** Those of them whose values a driver may change, with the type to cast each to. */
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
  /** Those of them that cannot be NULL. */
  readonly required: readonly string[];
  /** The columns that are read back as they were written: their writes need not be read before the commit. */
  readonly exact: ReadonlySet<string>;
  /** JSON Pointers of the members that clients cannot change. */
  readonly readOnly: readonly string[];
  /** JSON Pointers of the members that clients can set, but not see. */
  readonly writeOnly: readonly string[];
  /** JSON Pointers of the members of the kind `'number'`, which are stored as doubles. */
  readonly doubles: readonly string[];
  /** The columns that contain dates, with their forms. */
  readonly dates: ReadonlyMap<string, ColumnForm>;
  readonly modified: ModifiedColumn | undefined;
  readonly counter: string | undefined;
  readonly outcomes: string | undefined;
  /** In milliseconds. */
  readonly timeout: number;
  readonly onWrite: ((tx: unknown, write: RowWrite<unknown>) => unknown) | undefined;
}

/** The options of a store, checked, and compiled. */
export interface CompiledRowStore {
  readonly rows: Rows;
  readonly settings: RowSettings;
}

/** Compiles the options, and reports every mistake in them. */
export function compileRowStore(options: object, check: OptionsCheck): CompiledRowStore {
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
      fix: "Make it read-only, as { kind: 'string', readOnly: true }, or leave it out.",
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
    modified: modified === undefined ? undefined : modifiedColumn(modified, modifiedForm, dialect),
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
  findFault(key) {
    if (isFunction(key)) return undefined;
    const names: readonly unknown[] = Array.isArray(key) && key.length > 0 ? key : [key];
    return names.map(keyName.findFault).find((fault) => fault !== undefined);
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
    reason: 'is not a version that rows have',
    fix: "Leave it out: the state of a row is the content of its columns. Or write 'xmin', over PostgreSQL.",
  }),
  counter: columnName,
  modified: columnName,
  outcomes: columnName,
  key: required(keyColumn),
  timeout: wholeNumber(1, maxTimeout, 'Write a number of milliseconds, such as 5000 for five seconds.'),
  columnNames: anything,
  columnKinds: typed(
    hasNames,
    "Write columns with their types and kinds, as { title: { type: 'text', kind: 'string' } }, or leave it out.",
    'must map columns to their types',
  ),
  columnForms: typed(
    (forms) => hasNames(forms) && Object.values(forms).every((form) => knownForms.includes(form)),
    "Write columns with their forms, as { due: 'iso' }, or leave it out.",
    'must map columns to their forms',
  ),
};

function nameExpectation(reason: string, fix: string): Expectation {
  return {
    findFault(name) {
      if (typeof name === 'string' && name !== '') return undefined;
      return { code: name === '' ? 'option-empty' : 'option-type', reason, fix };
    },
  };
}

/** Reports the options that the transaction of a write does not fit. */
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
      fix: `Add transaction: ${exampleTransaction}, or take the rows of an ORM, which have it.`,
    });
  }
  if (transaction !== undefined && transactionSync !== undefined) {
    check.mistake('transaction', transaction, {
      code: 'option-conflict',
      reason:
        'cannot be set over this driver, because statements of other requests would get into the transaction',
      fix: 'Leave it out: each write is a transaction without it.',
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
