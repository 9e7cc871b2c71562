import { errorsWithin, readCodes } from '../stores/contract/error-codes';

/** The names of errors, by what they mean here: SQLSTATE, MySQL's, SQLite's, Prisma's and Sequelize's. */
const unique = [
  // The last is an EXCLUDE constraint, such as of periods that must not overlap.
  ...['23505', '23P01'],
  'P2002',
  ...['ER_DUP_ENTRY', 1062, 'ER_DUP_ENTRY_WITH_KEY_NAME', 1586],
  ...[
    'SQLITE_CONSTRAINT_UNIQUE',
    2067,
    'SQLITE_CONSTRAINT_PRIMARYKEY',
    1555,
    'SQLITE_CONSTRAINT_ROWID',
    2579,
  ],
  'UniqueConstraintViolation',
];
const refused = [
  ...['23502', '23503', '23514'],
  ...['P2000', 'P2003', 'P2004', 'P2005', 'P2006', 'P2011', 'P2019', 'P2020', 'P2023', 'P2033'],
  ...['ER_DATA_TOO_LONG', 1406, 'ER_WARN_DATA_OUT_OF_RANGE', 1264, 'ER_BAD_NULL_ERROR', 1048],
  ...['ER_NO_DEFAULT_FOR_FIELD', 1364, 'ER_TRUNCATED_WRONG_VALUE', 1292, 'WARN_DATA_TRUNCATED', 1265],
  ...['ER_TRUNCATED_WRONG_VALUE_FOR_FIELD', 1366, 'ER_DATA_OUT_OF_RANGE', 1690],
  ...['ER_NO_REFERENCED_ROW', 1216, 'ER_NO_REFERENCED_ROW_2', 1452],
  // A CHECK of MySQL, one of MariaDB, and JSON that a column of MySQL refuses.
  ...['ER_CHECK_CONSTRAINT_VIOLATED', 3819, 'ER_CONSTRAINT_FAILED', 4025, 'ER_INVALID_JSON_TEXT', 3140],
  ...['SQLITE_CONSTRAINT_CHECK', 275, 'SQLITE_CONSTRAINT_NOTNULL', 1299, 'SQLITE_CONSTRAINT_FOREIGNKEY', 787],
  ...['SQLITE_CONSTRAINT_DATATYPE', 3091, 'SQLITE_MISMATCH', 20],
  'SequelizeValidationError',
];
const nulls = [
  ...['23502', 'P2011', 'ER_BAD_NULL_ERROR', 1048, 'ER_NO_DEFAULT_FOR_FIELD', 1364],
  ...['SQLITE_CONSTRAINT_NOTNULL', 1299],
];
const referenced = [
  ...['23001', '23503', 'P2003', 'P2014'],
  ...['ER_ROW_IS_REFERENCED', 1217, 'ER_ROW_IS_REFERENCED_2', 1451, 'SQLITE_CONSTRAINT_FOREIGNKEY', 787],
  'ForeignKeyConstraintViolation',
];
const uncomparable = [
  ...['ER_CANT_AGGREGATE_2COLLATIONS', 1267, 'ER_CANT_AGGREGATE_3COLLATIONS', 1270],
  ...['ER_CANT_AGGREGATE_NCOLLATIONS', 1271],
];
const undone = [
  ...['40001', '40P01'],
  'P2034',
  // The last where innodb_snapshot_isolation is on, as it is from MariaDB 11.6: the row was written since the
  // transaction began.
  ...['ER_LOCK_DEADLOCK', 1213, 'ER_LOCK_WAIT_TIMEOUT', 1205, 'ER_CHECKREAD', 1020],
  // A table was altered while a prepared statement of it ran: nothing was written.
  ...['ER_NEED_REPREPARE', 1615],
  ...['SQLITE_BUSY', 5, 'SQLITE_BUSY_SNAPSHOT', 517],
];

/** Another row has the value of a column that must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return readCodes(error).some((code) => unique.includes(code));
}

/** A value is not one of its column: SQLSTATE class 22 (data exception), or a constraint of the table. */
export function isRefusedValue(error: unknown): boolean {
  return readCodes(error).some((code) => refused.includes(code) || /^22[0-9A-Z]{3}$/.test(String(code)));
}

/** What is wrong with a value that the database refuses, where its code tells. */
const faults: readonly { readonly codes: readonly (string | number)[]; readonly fault: string }[] = [
  { codes: nulls, fault: 'must not be null or missing' },
  // SQLite has one code for this, and for a value that other rows refer to.
  {
    codes: ['23503', 'ER_NO_REFERENCED_ROW', 1216, 'ER_NO_REFERENCED_ROW_2', 1452],
    fault: 'refers to something that does not exist',
  },
  { codes: ['22001', 'P2000', 'ER_DATA_TOO_LONG', 1406], fault: 'is too long' },
  {
    codes: ['22003', '22008', 'P2020', 'ER_WARN_DATA_OUT_OF_RANGE', 1264, 'ER_DATA_OUT_OF_RANGE', 1690],
    fault: 'is out of range',
  },
  {
    codes: [
      ...['23514', 'ER_CHECK_CONSTRAINT_VIOLATED', 3819, 'ER_CONSTRAINT_FAILED', 4025],
      ...['SQLITE_CONSTRAINT_CHECK', 275],
    ],
    fault: 'violates a rule of the table',
  },
];

/** What is wrong with a refused value, as a phrase after the member's pointer. */
export function findFault(error: unknown): string {
  const codes = readCodes(error);
  const known = isStillReferenced(error) ? undefined : faults.find((row) => row.codes.some(isAmong(codes)));
  return known?.fault ?? 'is out of range, or violates a constraint of the table';
}

function isAmong(codes: readonly (string | number)[]): (code: string | number) => boolean {
  return (code) => codes.includes(code);
}

/** In PostgreSQL, an UPDATE of a value that other rows refer to has the code of a missing reference. */
function isStillReferenced(error: unknown): boolean {
  return errorsWithin(error).some((within) =>
    /^update or delete on table .+ foreign key constraint .+$/.test(String(Reflect.get(within, 'message'))),
  );
}

/** A text has characters that the column has not, such as one in ascii, so no row of it can be meant. */
export function isUncomparable(error: unknown): boolean {
  return readCodes(error).some((code) => uncomparable.includes(code));
}

/** A column has no value, and must have one. */
export function isNullRefusal(error: unknown): boolean {
  return readCodes(error).some((code) => nulls.includes(code));
}

/** Other rows refer to the one that was to be deleted. */
export function isReferenced(error: unknown): boolean {
  return readCodes(error).some((code) => referenced.includes(code));
}

/** The statement, or the transaction that it stood in, was undone because of another: it may be run again. */
export function isUndone(error: unknown): boolean {
  return readCodes(error).some((code) => undone.includes(code));
}
