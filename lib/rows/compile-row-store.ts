import {
  anything,
  expected,
  flag,
  functionLike,
  functionThat,
  required,
  typed,
  type Expectation,
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
import { exampleTransaction } from './library-rows';
import { type ModifiedColumn, modifiedColumn } from './modified-column';
import { compileVersion, type RowVersion } from './row-version';
import type { Awaitable, CastType, ColumnForm, Rows } from './rows';
import type { RowStoreOptions, RowWrite } from './row-store-options';

/** The compiled options of a store. */
export interface RowSettings {
  readonly rows: Rows;
  readonly values: RowValues;
  /** Those without the members that clients cannot see. */
  readonly shown: RowValues;
  /** The columns to read; the first exists in every row. */
  readonly names: readonly string[];
  /** Those of them whose values a driver may change, with the type to cast each to. */
  readonly casts: ReadonlyMap<string, CastType>;
  readonly version: RowVersion;
  readonly key: KeyColumns;
  /** The members that clients see, by their columns. */
  readonly members: ReadonlyMap<string, string>;
  /** The columns that clients can write. */
  readonly writable: readonly string[];
  /** Those of them that cannot be NULL. */
  readonly required: readonly string[];
  /** JSON Pointers of the members that clients cannot change. */
  readonly readOnly: readonly string[];
  /** JSON Pointers of the members that clients can set, but not see. */
  readonly writeOnly: readonly string[];
  /** JSON Pointers of the members of the kind `'number'`, which are stored as doubles. */
  readonly doubles: readonly string[];
  /** The columns that contain dates, with their forms. */
  readonly dates: ReadonlyMap<string, ColumnForm>;
  readonly modified: ModifiedColumn | undefined;
  readonly outcomes: string | undefined;
  readonly transaction: ((run: (rows: Rows, tx: unknown) => Promise<void>) => Awaitable<unknown>) | undefined;
  readonly onWrite: ((tx: unknown, write: RowWrite<unknown>) => unknown) | undefined;
}

/** Compiles the options, and reports every mistake in them. */
export function compileRowStore(options: object, check: OptionsCheck): RowSettings {
  const checkedOptions = check.options<Partial<RowStoreOptions>>(options, expectations);
  const { key, modified, outcomes, transaction, onWrite, dialect, update } = checkedOptions;
  const columns = compileColumns(check, checkedOptions.columns, checkedOptions);
  const version = compileVersion(check, checkedOptions.version);
  if (onWrite !== undefined && transaction === undefined) {
    check.mistake('onWrite', onWrite, {
      code: 'option-dependency',
      reason: 'has no effect without transaction',
      fix: `Add transaction: ${exampleTransaction(checkedOptions)}.`,
    });
  }
  checkOutcomes(check, checkedOptions, version);
  const { returning = false } = checkedOptions;
  if (version.isGenerated && !returning) {
    check.mistake('version', checkedOptions.version, {
      code: 'option-conflict',
      reason: 'needs an update that returns the row, which this one does not',
      fix:
        "Use a text column with versionTrigger(), such as version: 'version', " +
        'or an update of your own with returning: true.',
    });
  }

  // A driver may not read the elements of an array as they are stored, so a list could not be set back.
  const hasArray =
    columns.some(({ isList, isReadOnly }) => isList && !isReadOnly) &&
    dialect !== 'sqlite' &&
    dialect !== 'mysql';
  if (update !== undefined && transaction === undefined && (!returning || hasArray)) {
    check.mistake('transaction', transaction, {
      code: 'option-dependency',
      reason: hasArray
        ? 'must be set, because a list is written to an array, and must be read back before the commit'
        : 'must be set, because update and insert do not return the row',
      fix:
        `Add transaction: ${exampleTransaction(checkedOptions)}` +
        (returning ? '.' : ', or return the row, and say so with returning: true.'),
    });
  }

  checkKnownColumns(check, checkedOptions);
  const writeOnly = readWriteOnly(check, checkedOptions.columns);

  const keyColumns = typeof key === 'function' ? [] : [key ?? []].flat();
  const reserved = [...version.columns, outcomes, modified, ...keyColumns];
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
  return {
    rows: checkedOptions as Rows,
    values: new RowValues(columns),
    shown: new RowValues(columns.filter(({ member }) => !writeOnly.includes(formatPointer([member])))),
    names: [...new Set(names)],
    casts: new Map(columns.flatMap(({ name, cast }) => (cast === undefined ? [] : [[name, cast] as const]))),
    version,
    key: compileKey(checkedOptions, columns),
    members: new Map([...readOnly, ...writable].map(({ member, name }) => [name, member])),
    writable: writable.map(({ name }) => name),
    required: writable.filter(({ isNullable }) => !isNullable).map(({ name }) => name),
    readOnly: readOnly.map(({ member }) => formatPointer([member])),
    writeOnly,
    doubles: columns.filter(({ isDouble }) => isDouble).map(({ member }) => formatPointer([member])),
    dates: new Map([...(modified === undefined ? [] : [[modified, modifiedForm] as const]), ...dates]),
    modified: modified === undefined ? undefined : modifiedColumn(modified, modifiedForm, dialect),
    outcomes,
    transaction,
    onWrite: onWrite as RowSettings['onWrite'],
  };
}

const orms =
  'Spread ...prismaRows(prisma.note), ...drizzleRows(db, notes) or ...knexRows(knex, "notes"), ' +
  'or write the function yourself.';

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

/** The columns and the version are checked where they are compiled. */
const expectations: Expectations<keyof RowStoreOptions> = {
  find: required(functionThat(orms)),
  update: required(functionThat(orms)),
  insert: functionThat(orms),
  delete: functionThat(orms),
  transaction: functionLike('(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx))'),
  onWrite: functionLike('(tx, { key, before, after, req }) => tx.audit.create(…)'),
  dialect: expected((dialect) => dialects.includes(dialect), {
    code: 'option-value',
    isName: true,
    reason: 'is not a supported dialect',
    fix: "Write 'postgres', 'sqlite' or 'mysql', or leave it out if your ORM converts the types of the columns.",
  }),
  columns: anything,
  version: anything,
  modified: columnName,
  outcomes: columnName,
  key: required(keyColumn),
  returning: flag,
  columnNames: anything,
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

/** The text of an outcome contains the version, which must be known before the write. */
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
    isName: true,
    reason: counterMakes
      ? 'cannot be combined with insert and a counter, because only the database knows the id of a new row'
      : 'cannot be combined with a generated version, because only the database knows it',
    fix: counterMakes
      ? "Use a text column for the version, such as version: 'version', or set insert: undefined."
      : "Use a text column for the version, such as version: 'version'.",
  });
}
