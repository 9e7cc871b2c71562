/**
 * A process, `kinds-in-time-zone.ts <dialect> <url> <zone>…`: writes days, times and dates in each of the time zones, and prints
 * those that were neither refused nor stored and read as they were sent.
 */
import { mock } from 'node:test';
import { createPool, type PoolOptions, type RowDataPacket } from 'mysql2/promise';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { type TableConnection, tableStore } from '../../lib/rows';
import type { Dialect } from '../../lib/rows/rows';
import {
  createTable,
  isBeforeYear100,
  isUnusual,
  type KindOverColumn,
  membersOf,
  openStore,
} from './kinds-in-columns';
import { change, create } from '../support/written';
import { noFindings, pairsOf, writeAndRead } from './written-and-read';

interface Zoned extends KindOverColumn {
  /** Whether the column has no time zone, so that what it contains is not compared. */
  readonly isLocal?: boolean;
}

interface Connected {
  readonly dialect: Dialect;
  /** Of the pool of mysql2. */
  readonly options?: PoolOptions;
  readonly kinds: readonly Zoned[];
}

const connections: readonly Connected[] = [
  {
    dialect: 'postgres',
    kinds: [
      { kind: 'day', column: 'date' },
      { kind: 'day', column: 'text' },
      { kind: 'time', column: 'time' },
      { kind: 'date', column: 'timestamptz(3)', storedAs: 'iso' },
      { kind: 'date', column: 'timestamp(3)', storedAs: 'iso' },
      { kind: 'date', column: 'timestamptz(3)', refuses: isUnusual },
      { kind: 'date', column: 'timestamp(3)', isLocal: true, refuses: isUnusual },
    ],
  },
  {
    dialect: 'mysql',
    kinds: [
      { kind: 'day', column: 'date', refuses: isUnusual },
      { kind: 'time', column: 'time(6)' },
    ],
  },
  {
    dialect: 'mysql',
    options: { timezone: 'Z' },
    kinds: [
      { kind: 'day', column: 'date', refuses: isUnusual },
      { kind: 'date', column: 'datetime(3)', refuses: isBeforeYear100 },
    ],
  },
  {
    dialect: 'mysql',
    options: { dateStrings: true },
    kinds: [
      { kind: 'day', column: 'date', storedAs: 'iso' },
      { kind: 'date', column: 'datetime(3)', storedAs: 'sql' },
    ],
  },
  {
    dialect: 'mysql',
    options: { dateStrings: ['DATE'] },
    kinds: [{ kind: 'day', column: 'date', storedAs: 'iso' }],
  },
];

/** What is in a column, as the kinds spell it. */
function spelled(kind: string, text: string): string {
  if (kind === 'time?') return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return kind === 'day?' ? text.slice(0, 10) : new Date(`${text.replace(' ', 'T')}Z`).toISOString();
}

function inUtc(dialect: Dialect, name: string, column: string): string {
  if (dialect === 'mysql') return `CAST(${name} AS char) AS ${name}`;
  return column.startsWith('timestamptz') ? `(${name} AT TIME ZONE 'UTC')::text AS ${name}` : `${name}::text`;
}

interface Opened {
  readonly db: TableConnection;
  readonly sql: (text: string) => Promise<Readonly<Record<string, unknown>>[]>;
  readonly close: () => Promise<void>;
}

function open({ dialect, options }: Connected, url: string): Opened {
  if (dialect === 'mysql') {
    const db = createPool({ uri: url, ...options });
    return { db, sql: async (text) => (await db.query<RowDataPacket[]>(text))[0], close: () => db.end() };
  }
  const db = new Pool({ connectionString: url });
  return {
    db,
    sql: async (text) => (await db.query<Record<string, unknown>>(text)).rows,
    close: () => db.end(),
  };
}

/** The time of the write, when clocks have gone back in Berlin an hour ago: no client has chosen it. */
async function writeModified({ db, sql }: Opened): Promise<unknown> {
  const table = `modified_${randomUUID().slice(0, 8)}`;
  await sql(`CREATE TABLE ${table} (slug text PRIMARY KEY, title text, modified timestamp(3))`);
  const options = { table, key: 'slug', modified: 'modified' } as const;
  const store = tableStore(db, { ...options, columns: { title: 'string' } });
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-10-25T01:30:00Z') });
  try {
    const first = await create(store, 'a', { title: 'a' });
    return [first.value, await writeListed({ db, sql })];
  } finally {
    mock.timers.reset();
  }
}

/** Where a member shows the column as text: what is stored, by an INSERT, and by UPDATEs. */
async function writeListed({ db, sql }: Pick<Opened, 'db' | 'sql'>): Promise<unknown> {
  const table = `modified_${randomUUID().slice(0, 8)}`;
  await sql(`CREATE TABLE ${table} (slug text PRIMARY KEY, title text, at timestamp(3));
    INSERT INTO ${table} VALUES ('null', '', NULL), ('earlier', '', '2026-10-24 00:00:00')`);
  const store = tableStore(db, {
    ...{ table, key: 'slug', modified: 'at' },
    columns: { title: 'string', updatedAt: { kind: 'date?', readOnly: true, storedAs: 'iso', column: 'at' } },
  });
  const next = { title: 'a', updatedAt: null };
  await create(store, 'new', next);
  await change(store, 'null', next);
  await change(store, 'earlier', { ...next, updatedAt: '2026-10-24T00:00:00.000Z' });
  const told = [await store.get('new'), await store.get('null'), await store.get('earlier')];
  const times = told.flatMap((stored) => [stored?.modified?.toISOString(), stored?.value.updatedAt]);
  const rows = await sql(`SELECT DISTINCT at::text FROM ${table}`);
  return { times: [...new Set(times)], rows };
}

async function main([engine, url = '', ...zones]: readonly string[]): Promise<void> {
  const results: object[] = [];
  if (engine === 'postgres') {
    process.env['TZ'] = 'Europe/Berlin';
    const opened = open({ dialect: 'postgres', kinds: [] }, url);
    results.push({ modified: await writeModified(opened) });
    await opened.close();
  }
  for (const zone of zones) {
    process.env['TZ'] = zone;
    const all = noFindings();
    for (const connected of connections.filter(({ dialect }) => dialect === engine)) {
      const { dialect, kinds } = connected;
      const { db, sql, close } = open(connected, url);
      const members = membersOf(kinds);
      const table = await createTable(sql, dialect, members);
      const store = openStore(db, table, members);
      const list = members.map(({ columnName, column }) => inUtc(dialect, columnName, column)).join(', ');
      const write = async (pair: ReturnType<typeof pairsOf>[number]) => {
        const findings = noFindings();
        const slug = randomUUID();
        const read = await writeAndRead(store, members, pair, findings, slug);
        const [row = {}] = await sql(`SELECT ${list} FROM ${table} WHERE slug = '${slug}'`);
        for (const { name: member, kind, columnName, isLocal } of members) {
          if (isLocal === true) continue;
          const inside = row[columnName] === null ? null : spelled(kind, String(row[columnName]));
          if (inside !== read[member]) findings.wrong.push({ member, sent: read[member], got: inside });
        }
        all.checked += findings.checked;
        all.refused += findings.refused;
        all.wrong.push(...findings.wrong);
      };
      await Promise.all(pairsOf(members, 0).map(write));
      await close();
    }
    results.push({ zone, ...all, wrong: all.wrong.slice(0, 5) });
  }
  process.stdout.write(JSON.stringify(results));
}

void main(process.argv.slice(2));
