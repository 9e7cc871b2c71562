import { backticked, outcomesSuffix } from '../sql/name';

/** Options of `MysqlStore`: the table of the resources. */
export interface MysqlStoreOptions {
  /**
   * The name of the table: up to 47 bytes of UTF-8, without a space at the end or characters beyond U+FFFF.
   * Any other name works, because it is quoted.
   */
  readonly table: string;
  /** The database of the table: up to 64 bytes, otherwise as `table`. Default: that of the connection. */
  readonly schema?: string;
}

/** The names of both tables as statements have them. */
export interface TableNames {
  readonly resources: string;
  readonly outcomes: string;
}

function quotedNames({ schema, table }: MysqlStoreOptions): TableNames {
  const within = schema === undefined ? '' : `${backticked(schema)}.`;
  return {
    resources: within + backticked(table),
    outcomes: within + backticked(table + outcomesSuffix),
  };
}

/**
 * Milliseconds of the epoch, in UTC whatever the session's time zone: UNIX_TIMESTAMP would take the column
 * for local time.
 */
const epoch = (time: string) => `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${time}) DIV 1000`;

// LAST_INSERT_ID(expr) tells in the answer to a write what a RETURNING would.
/** The time of the write, by the engine's clock, which its answer has as insertId. */
const now = `'1970-01-01' + INTERVAL LAST_INSERT_ID(${epoch('UTC_TIMESTAMP(3)')}) * 1000 MICROSECOND`;

const modifiedText = `CAST(${epoch('`modified`')} AS CHAR)`;

/** As bytes: the character set of the connection may not have every character. */
const columns = `\`key\`, CAST(\`value\` AS BINARY), \`version\`, ${modifiedText}`;

const resourceColumns = '`key`, `value`, `version`, `modified`';

const outcomeColumns = '`key`, `number`, `scope`, `scope_number`, `id`, `outcome`, `expires`';

/** Spaces at the end count, which they do not for the collation of the column. */
const version = 'CAST(`version` AS BINARY)';

/**
 * One conditional statement a write. All that is compared is bytes: collations, which fold letter case,
 * accents and spaces at the end, have no say.
 */
export function createMysqlStatements(table: MysqlStoreOptions) {
  const names = quotedNames(table);
  const { resources, outcomes } = names;
  const { schema } = table;
  return {
    probes: [
      `SELECT ${resourceColumns} FROM ${resources} LIMIT 0`,
      `SELECT ${outcomeColumns} FROM ${outcomes} LIMIT 0`,
    ],
    schemas: schema === undefined ? [] : [`CREATE DATABASE IF NOT EXISTS ${backticked(schema)}`],
    tables: [createResources(names), createOutcomes(names)],
    limit: 'SELECT CAST(@@max_allowed_packet AS CHAR)',
    autocommit: 'SELECT CAST(@@autocommit + 0 AS CHAR)',
    get: (keys: number) =>
      `SELECT ${columns} FROM ${resources} WHERE \`key\` IN (${Array(paddedTo(keys)).fill('?').join(', ')})`,
    insert: `INSERT INTO ${resources} (${resourceColumns}) VALUES (?, ?, ?, ${now})`,
    update:
      `UPDATE ${resources} SET \`value\` = ?, \`version\` = ?, \`modified\` = ${now} ` +
      `WHERE \`key\` = ? AND ${version} = ?`,
    modified: `SELECT ${modifiedText} FROM ${resources} WHERE \`key\` = ? AND ${version} = ?`,
    delete: `DELETE FROM ${resources} WHERE \`key\` = ?`,
    deleteVersion: `DELETE FROM ${resources} WHERE \`key\` = ? AND ${version} = ?`,
    outcomes: outcomeStatements(names),
  };
}

/**
 * A key of 1,024 bytes: as text of utf8mb4 it would take four times as much of an index, more than InnoDB
 * has.
 */
function createResources({ resources }: TableNames): string {
  return `CREATE TABLE IF NOT EXISTS ${resources} (
  \`key\` varbinary(1024) NOT NULL PRIMARY KEY,
  \`value\` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  \`version\` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  \`modified\` datetime(3) NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
}

function createOutcomes({ resources, outcomes }: TableNames): string {
  return `CREATE TABLE IF NOT EXISTS ${outcomes} (
  \`key\` varbinary(1024) NOT NULL,
  \`number\` bigint NOT NULL,
  \`scope\` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  \`scope_number\` bigint NOT NULL,
  \`id\` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  \`outcome\` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  \`expires\` datetime(3) NOT NULL,
  PRIMARY KEY (\`key\`, \`number\`),
  UNIQUE (\`key\`, \`scope\`, \`scope_number\`),
  UNIQUE (\`key\`, \`id\`),
  FOREIGN KEY (\`key\`) REFERENCES ${resources} (\`key\`) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
}

/**
 * Outcomes are numbered in the order of their writes, among those of the resource and among those of their
 * scope, and only the resource's oldest are forgotten: so the first number and the last tell how many there
 * are.
 */
function outcomeStatements({ resources, outcomes }: TableNames) {
  const seconds = `TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), \`expires\`) / 1000000`;
  const live = `\`expires\` > UTC_TIMESTAMP(3)`;
  const ofKey = `FROM ${outcomes} WHERE \`key\` = ?`;
  const createCount = (name: string, condition: string, order = '') =>
    `(SELECT CAST(\`${name}\` AS CHAR) ${ofKey}${condition} ORDER BY \`${name}\`${order} LIMIT 1)`;
  const createSeconds = (name: string, condition: string) =>
    `(SELECT CAST(${seconds} AS CHAR) ${ofKey}${condition} ORDER BY \`${name}\` LIMIT 1)`;
  const ofScope = ` AND \`scope\` = ?`;
  return {
    /** Parameters: id, key. */
    get: `SELECT
    \`resource\`.\`key\`, CAST(\`value\` AS BINARY), \`version\`, ${modifiedText}, CAST(\`outcome\` AS BINARY)
  FROM ${resources} AS \`resource\` LEFT JOIN ${outcomes} AS \`kept\`
    ON \`kept\`.\`key\` = \`resource\`.\`key\` AND \`kept\`.\`id\` = ? AND ${live}
  WHERE \`resource\`.\`key\` = ?`,

    /** What is kept at a version. Parameters: those of `spanParameters`. */
    span: `SELECT
  (SELECT IF(${live}, 'known', 'over') ${ofKey} AND \`id\` = ?),
  ${createCount('number', '')},
  ${createCount('number', ` AND ${live}`)},
  ${createCount('number', '', ' DESC')},
  ${createSeconds('number', ` AND ${live}`)},
  ${createCount('scope_number', `${ofScope} AND ${live}`)},
  ${createCount('scope_number', ofScope, ' DESC')},
  ${createSeconds('scope_number', `${ofScope} AND ${live}`)}
  FROM ${resources} WHERE \`key\` = ? AND ${version} = ?`,

    /** Parameters: key, number, id. What is over its age is nobody's: it goes without a transaction. */
    forget: `DELETE ${ofKey} AND (\`number\` < ? OR \`id\` = ?) AND NOT (${live})`,

    /** Parameters: key, number, scope, scope_number, id, outcome, maxAge. */
    keep: `INSERT INTO ${outcomes} (${outcomeColumns})
  VALUES (?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3) + INTERVAL ? SECOND)`,
  };
}

/** The parameters of `outcomes.span`, in the order of its placeholders. */
export function spanParameters<P>(key: P, id: P, scope: P, version: P): P[] {
  return [key, id, key, key, key, key, key, scope, key, scope, key, scope, key, version];
}

/** Each text of a statement is prepared, on each connection: so there are few of them. */
function paddedTo(keys: number): number {
  return 2 ** Math.ceil(Math.log2(keys));
}

/** Keys to fill the placeholders of `get`: one that is named again is found once. */
export function padded(keys: readonly string[]): string[] {
  return Array.from({ length: paddedTo(keys.length) }, (_, i) => keys[i] ?? keys[0] ?? '');
}
