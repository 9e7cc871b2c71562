/** What PostgreSQL, MySQL and MariaDB can store as a date or a day, and no calendar has. */
import { createPool, type Pool as MysqlPool } from 'mysql2/promise';
import type { Pool } from 'pg';
import { type ColumnForm, type Columns, tableStore, type TableConnection } from '../../lib/rows';
import { replaceAt } from '../support/written';
import { describeMariadb, openPostgresPool, type SharedEngine, sharedMariadb } from '../support/engines';

interface Case {
  readonly key: string;
  readonly columns: Columns;
  readonly said: string;
}

/** GET says it, and so does a change of another member. */
async function readReason(db: TableConnection, { key, columns }: Case): Promise<string> {
  const store = tableStore(db, { table: 'days', columns, key: 'slug' });
  const error: unknown = await store.get(key).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ColumnValueError', code: 'PATCH_OPTIONS_COLUMN_VALUE' });
  const current = { value: {}, handle: { slug: key, at: null, day: null } };
  await expect(replaceAt(store, key, current, {})).rejects.toThrow(String((error as Error).message));
  return (error as Error).message;
}

const ddl = (date: string) => `CREATE TABLE days (slug varchar(20) PRIMARY KEY, at ${date}, day date)`;
const fix = (kind: string) =>
  `Store NULL instead, and declare the column as '${kind}?', or store a ${kind} that exists.`;
const at = { at: 'date?' } as const;
const day = { day: 'day?' } as const;
const as = (form: ColumnForm) => ({ at: { kind: 'date?', storedAs: form } }) as const;

describe('infinity of PostgreSQL', () => {
  let pool: Pool;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ pool, close } = await openPostgresPool());
    await pool.query(ddl('timestamptz'));
    await pool.query(
      `INSERT INTO days VALUES ('late', 'infinity', 'infinity'), ('early', '-infinity', '-infinity')`,
    );
  });
  afterAll(() => close());

  test.each<Case>([
    {
      key: 'late',
      columns: at,
      said: `at contains infinity, but is declared as date stored as 'Date'. RFC 3339`,
    },
    { key: 'early', columns: at, said: `at contains -infinity, but` },
    {
      key: 'late',
      columns: as('iso'),
      said: `at contains infinity, but is declared as date stored as 'iso'.`,
    },
    { key: 'early', columns: as('sql'), said: `at contains -infinity, but` },
    { key: 'early', columns: day, said: `day contains -infinity, but is declared as day. RFC 3339` },
  ])('in $key of $columns: $said', async (one) => {
    const said = await readReason(pool, one);
    expect(said).toContain(`The column ${one.said}`);
    expect(said).toContain(`RFC 3339 has no form for it. ${fix('day' in one.columns ? 'day' : 'date')}`);
  });
});

describeMariadb('the zero date', () => {
  let engine: SharedEngine;
  let asDates: MysqlPool;
  let asTexts: MysqlPool;
  beforeAll(async () => {
    engine = await sharedMariadb();
    asDates = createPool({ uri: engine.urls[0], timezone: 'Z' });
    asTexts = createPool({ uri: engine.urls[0], dateStrings: true });
    const connection = await asDates.getConnection();
    await connection.query(`SET sql_mode = ''`);
    await connection.query(ddl('datetime'));
    await connection.query(`INSERT INTO days VALUES ('zero', 0, 0), ('month', '2026-00-07', '2026-07-00')`);
    connection.destroy();
  });
  afterAll(async () => {
    await Promise.all([asDates.end(), asTexts.end()]);
    await engine.close();
  });

  test.each<Case & { readonly through: 'Dates' | 'texts' }>([
    { through: 'Dates', key: 'zero', columns: at, said: 'at contains an invalid Date, but' },
    { through: 'Dates', key: 'zero', columns: day, said: 'day contains an invalid Date, but' },
    { through: 'texts', key: 'zero', columns: at, said: 'at contains the date 0000-00-00, but' },
    { through: 'texts', key: 'zero', columns: as('sql'), said: 'at contains the date 0000-00-00, but' },
    { through: 'texts', key: 'month', columns: as('sql'), said: 'at contains the date 2026-00-07, but' },
    { through: 'texts', key: 'zero', columns: day, said: 'day contains the date 0000-00-00, but' },
    { through: 'texts', key: 'month', columns: day, said: 'day contains the date 2026-07-00, but' },
  ])('read as $through, in $columns: $said', async ({ through, ...one }) => {
    const said = await readReason(through === 'Dates' ? asDates : asTexts, one);
    expect(said).toContain(`The column ${one.said}`);
    expect(said).toContain(
      `Its year, month or day is zero, as in 0000-00-00. ${fix('day' in one.columns ? 'day' : 'date')}`,
    );
  });
});
