/**
 * A process, `date-keys.ts <dialect> <url>`, in the time zone of TZ: asks for bookings by a room and a night, or by a room and a time, in
 * each way in which an app can name them, and prints what a store says.
 */
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { type RowStoreOptions, type TableConnection, tableStore } from '../../lib/rows';
import { DatabaseSync } from '../support/sqlite';
import { change, create, stateOf } from '../support/written';

type Options = Pick<RowStoreOptions, 'key' | 'columns'>;

const parts = (key: string) => key.split('/').map(decodeURIComponent) as [string, string];
const unlisted = { note: 'string?' } as const;

function waysOf(column: string, dialect: string): Readonly<Record<string, Options>> {
  const kind = column === 'night' ? 'day' : 'date';
  const listed = {
    ...unlisted,
    [column]: { kind, readOnly: true, ...(dialect === 'sqlite' && { storedAs: 'iso' }) },
  } as const;
  const asText = (key: string) => ({ room: Number(parts(key)[0]), [column]: parts(key)[1] });
  const asDate = (key: string) => ({ room: Number(parts(key)[0]), [column]: new Date(parts(key)[1]) });
  const names = ['room', column];
  return {
    'names, listed': { key: names, columns: listed },
    'names, not listed': { key: names, columns: unlisted },
    'text of a function, listed': { key: asText, columns: listed },
    'text of a function, not listed': { key: asText, columns: unlisted },
    'a Date of a function, listed': { key: asDate, columns: listed },
    'a Date of a function, not listed': { key: asDate, columns: unlisted },
  };
}

interface Connected {
  readonly db: TableConnection;
  readonly sql: (text: string) => unknown;
  readonly end: () => unknown;
}

function connect(dialect: string, url: string): readonly Connected[] {
  if (dialect === 'sqlite') {
    const db = new DatabaseSync(':memory:');
    return [
      {
        db,
        sql: (text) => {
          db.exec(text);
        },
        end: () => {
          db.close();
        },
      },
    ];
  }
  if (dialect === 'postgres') {
    const pool = new Pool({ connectionString: url });
    return [{ db: pool, sql: (text) => pool.query(text), end: () => pool.end() }];
  }
  return [{}, { timezone: 'Z' }, { dateStrings: true }].map((options) => {
    const pool = createPool({ uri: url, ...options });
    return { db: pool, sql: (text) => pool.query(text), end: () => pool.end() };
  });
}

/** What a store says of the booking, of others and of other spellings, of a new one, and of its deletion. */
async function ask(
  { db, sql }: Connected,
  options: Options,
  [stored, created, ...others]: readonly string[],
): Promise<unknown[]> {
  await sql(
    `INSERT INTO bookings (room, night, at, note) VALUES (5, '2026-11-22', '2026-11-22T10:00:00.000Z', 'found')`,
  );
  const store = tableStore(db, { table: 'bookings', ...options });
  const keyOf = (text = '') => `5/${encodeURIComponent(text)}`;
  const acts: readonly (() => Promise<unknown>)[] = [
    async () => (await store.get(keyOf(stored)))?.value['note'],
    async () => {
      const { value } = await stateOf(store, keyOf(stored));
      return (await change(store, keyOf(stored), { ...value, note: 'changed' })).value['note'];
    },
    ...others.map((other) => async () => (await store.get(keyOf(other)))?.value['note'] ?? 'none'),
    async () => (await create(store, keyOf(created), { note: 'created' })).value['note'],
    () => store.delete(keyOf(stored)),
  ];
  const said: unknown[] = [];
  for (const act of acts) said.push(await act().catch((error: Error) => `${error.name}: ${error.message}`));
  await sql('DELETE FROM bookings');
  return said;
}

const keys = {
  night: [
    '2026-11-22',
    '2026-12-24',
    '2026-11-21',
    '2026-11-23',
    '20261122',
    '2026-11-22 00:00:00',
    'Nov 22 2026',
    'x',
  ],
  at: [
    '2026-11-22T10:00:00.000Z',
    '2026-12-24T10:00:00.000Z',
    '2026-11-22T10:00:00Z',
    '2026-11-22T11:00:00.000+01:00',
    '2026-11-22',
    'x',
  ],
};

async function main([dialect = '', url = '']: string[]): Promise<void> {
  // Drivers of MySQL write a time in their own time zone: it is not a key there.
  const columns = dialect === 'mysql' ? (['night'] as const) : (['night', 'at'] as const);
  const at = { postgres: 'timestamptz(3)', mysql: 'text', sqlite: 'text' }[dialect] ?? '';
  const found: object[] = [];
  for (const connected of connect(dialect, url)) {
    await connected.sql(
      `CREATE TABLE IF NOT EXISTS bookings (room integer, night date, at ${at}, note text)`,
    );
    for (const column of columns)
      for (const [way, options] of Object.entries(waysOf(column, dialect)))
        found.push({ column, way, said: await ask(connected, options, keys[column]) });
    await connected.end();
  }
  console.log(JSON.stringify(found));
}

void main(process.argv.slice(2));
