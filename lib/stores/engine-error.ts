import { isObject } from '../config/object';

/** What an engine's error code means for the statement that failed. */
export type Meaning =
  | 'undone'
  | 'unique'
  | 'reference'
  | 'null'
  | 'too-long'
  | 'out-of-range'
  | 'rule'
  | 'value'
  | 'model'
  | 'collation'
  | 'generated'
  | 'unsupported'
  | 'table';

type Codes = Readonly<Partial<Record<Meaning, readonly string[]>>>;

/**
 * The codes of refused values, and of statements that were `undone`, alone or with their transaction, because
 * of another transaction. After any other error, nobody knows whether a write was made.
 */
const codes: Readonly<Record<'postgres' | 'mysql' | 'sqlite' | 'orm', Codes>> = {
  /** SQLSTATE. The codes of class 22, data exceptions, that are not listed here are a `value`. */
  postgres: {
    undone: ['40001', '40P01'],
    unique: ['23505', '23P01'], // 23P01: EXCLUDE, such as of periods that must not overlap
    reference: ['23503', '23001'],
    null: ['23502'],
    // 54000: an indexed text that is longer than an entry of the index
    'too-long': ['22001', '54000'],
    'out-of-range': ['22003', '22008'],
    rule: ['23514', '44000'], // 44000: WITH CHECK OPTION of a view
    generated: ['428C9'],
    unsupported: ['0A000'],
    table: ['42703', '42P01'],
  },
  /** The numbers of MySQL and MariaDB. */
  mysql: {
    // 1020: the row was written since the transaction began (innodb_snapshot_isolation of MariaDB). 1615: a
    // table was altered while a prepared statement of it ran. Not 1205: the statement has already waited for
    // 50 seconds.
    undone: ['1213', '1020', '1615'],
    unique: ['1062', '1586'],
    reference: ['1216', '1217', '1451', '1452'],
    null: ['1048', '1364'],
    'too-long': ['1406'],
    'out-of-range': ['1264', '1690'],
    rule: ['3819', '4025', '1369'], // 1369: WITH CHECK OPTION of a view
    value: ['1265', '1292', '1366', '3140'],
    collation: ['1267', '1270', '1271'],
    generated: ['3105', '1906'], // MySQL, MariaDB
    table: ['1054', '1146'],
  },
  /** The names of better-sqlite3, the numbers of `node:sqlite`. */
  sqlite: {
    undone: ['SQLITE_BUSY', '5', 'SQLITE_BUSY_RECOVERY', '261', 'SQLITE_BUSY_SNAPSHOT', '517'],
    unique: [
      ...['SQLITE_CONSTRAINT_UNIQUE', '2067', 'SQLITE_CONSTRAINT_PRIMARYKEY', '1555'],
      ...['SQLITE_CONSTRAINT_ROWID', '2579'],
    ],
    reference: ['SQLITE_CONSTRAINT_FOREIGNKEY', '787'],
    null: ['SQLITE_CONSTRAINT_NOTNULL', '1299'],
    rule: ['SQLITE_CONSTRAINT_CHECK', '275'],
    value: ['SQLITE_CONSTRAINT_DATATYPE', '3091', 'SQLITE_MISMATCH', '20'],
    table: ['SQLITE_ERROR', '1'],
  },
  /** The codes of Prisma, and the names of errors of ORMs that have no code. */
  orm: {
    undone: ['P2034'],
    unique: ['P2002'],
    reference: ['P2003', 'P2014'],
    null: ['P2011'],
    'too-long': ['P2000'],
    'out-of-range': ['P2020'],
    rule: ['P2004'],
    value: ['P2005', 'P2006', 'P2007', 'P2019', 'P2023', 'P2033'],
    table: ['P2021', 'P2022'],
    model: ['SequelizeValidationError', 'PrismaClientValidationError'],
  },
};

type Engine = keyof typeof codes;

const meanings = new Map(
  Object.entries(codes).flatMap(([engine, byMeaning]) =>
    Object.entries(byMeaning).flatMap(([meaning, list]) =>
      list.map((code) => [`${engine} ${code}`, meaning as Meaning] as const),
    ),
  ),
);

/** ORMs wrap the error of the driver, and the error of the adapter. */
const wrappers = [
  ...(['cause', 'driverError', 'original', 'parent', 'originalError', 'meta'] as const),
  'driverAdapterError',
];
const maxWrappers = 8;

/** The error and the errors that it wraps, the innermost first. */
export function errorsWithin(error: unknown): readonly object[] {
  const errors: object[] = [];
  let within = isObject(error) ? [error] : [];
  for (let level = 0; level < maxWrappers && within.length > 0; level++) {
    errors.unshift(...within);
    within = within.flatMap((one) =>
      wrappers.map((name): unknown => Reflect.get(one, name)).filter(isObject),
    );
  }
  return errors;
}

/**
 * What an error means for the statement that failed; undefined if nobody knows whether it was carried out.
 * The innermost error with a code counts: an error of the ORM or of the connection, with a code of its own,
 * can wrap it.
 */
export function readMeaning(error: unknown): Meaning | undefined {
  const errorWithCode = errorsWithin(error).find((one) => readCodes(one).length > 0);
  const [[engine, code] = []] = errorWithCode === undefined ? readName(error) : readCodes(errorWithCode);
  if (engine === 'postgres' && code?.startsWith('22')) return meanings.get(`postgres ${code}`) ?? 'value';
  return meanings.get(`${String(engine)} ${String(code)}`);
}

/** Whether the statement, or its transaction, was undone because of another one, so that it may be repeated. */
export function wasUndone(error: unknown): boolean {
  return readMeaning(error) === 'undone';
}

type EngineCode = readonly [engine: Engine | undefined, code: string];

/**
 * The codes of the error itself, the engine's code first. Their form shows whose they are: `P2002` is
 * Prisma's, `23505` an SQLSTATE. Codes such as ECONNRESET or the number of a gRPC status are not an engine's.
 */
function readCodes(error: object): readonly EngineCode[] {
  const { code, originalCode, errno, errcode } = error as Readonly<Record<string, unknown>>;
  const texts = [code, originalCode].filter((one) => typeof one === 'string');
  const engineCodes = [
    ...texts.map((text): EngineCode => [findEngine(text), text]),
    ...(typeof errcode === 'number' ? [['sqlite', String(errcode)] as const] : []),
    ...(typeof errno === 'number' ? [['mysql', String(errno)] as const] : []),
  ];
  return [...engineCodes.filter(([engine]) => engine !== undefined), ...engineCodes];
}

const shapes: readonly (readonly [Engine, RegExp])[] = [
  ['orm', /^P[1-9]\d{3}$/],
  ['postgres', /^[0-9A-Z]{5}$/],
  ['mysql', /^\d{4}$/],
  ['sqlite', /^SQLITE_/],
];

function findEngine(code: string): Engine | undefined {
  return shapes.find(([, shape]) => shape.test(code))?.[0];
}

/** The name of an error that an ORM throws itself, where it sends nothing. */
function readName(error: unknown): readonly EngineCode[] {
  const name: unknown = isObject(error) ? Reflect.get(error, 'name') : undefined;
  return typeof name === 'string' ? [['orm', name]] : [];
}
