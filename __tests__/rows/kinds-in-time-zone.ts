/**
 * A process in a time zone of its own, `kinds-in-time-zone.ts <dialect> <url>`: writes days, times and dates, and prints those
 * that were neither refused nor stored and read as they were sent.
 */
import { randomUUID } from 'node:crypto';
import { createPool, type PoolOptions, type RowDataPacket } from 'mysql2/promise';
import { Pool } from 'pg';
import { tableStore, type ColumnOptions, type TableConnection } from '../../lib/rows';
import { edgeDays } from './kinds-in-columns';

interface Case extends Pick<ColumnOptions, 'as'> {
  readonly kind: 'day' | 'time' | 'date';
  readonly column: string;
  /** Whether the column has no time zone, so that what it contains is not compared. */
  readonly isLocal?: boolean;
  /** Whether a few of the values are refused. */
  readonly refuses?: boolean;
  readonly options?: PoolOptions;
}

const hour = 3_600_000;
/** Every half hour around the changes of clocks. */
const instants = [
  ...[
    '2026-03-08T04:00Z',
    '2026-03-28T23:00Z',
    '2026-10-24T22:00Z',
    '2026-11-01T02:00Z',
    '2011-12-30T08:00Z',
  ],
].flatMap((start) =>
  Array.from({ length: 11 }, (_, index) => new Date(Date.parse(start) + (index * hour) / 2).toISOString()),
);
const values = {
  day: edgeDays,
  time: ['00:00:00', '02:30:00', '23:59:59.999999', '12:00:00.5'],
  date: instants,
};

const cases: Readonly<Record<'postgres' | 'mysql', readonly Case[]>> = {
  postgres: [
    { kind: 'day', column: 'date', refuses: true },
    { kind: 'day', column: 'date', as: 'iso' },
    { kind: 'day', column: 'text', as: 'iso' },
    { kind: 'time', column: 'time' },
    { kind: 'date', column: 'timestamptz(3)', as: 'Date' },
    { kind: 'date', column: 'timestamptz(3)', as: 'iso' },
    { kind: 'date', column: 'timestamp(3)', as: 'iso' },
    { kind: 'date', column: 'timestamptz(3)', refuses: true },
    { kind: 'date', column: 'timestamp(3)', isLocal: true, refuses: true },
  ],
  mysql: [
    { kind: 'day', column: 'date', refuses: true },
    { kind: 'day', column: 'date', refuses: true, options: { timezone: 'Z' } },
    { kind: 'day', column: 'date', as: 'iso', options: { dateStrings: true } },
    { kind: 'day', column: 'date', as: 'iso', options: { dateStrings: ['DATE'] } },
    { kind: 'time', column: 'time(6)' },
    { kind: 'date', column: 'datetime(3)', options: { timezone: 'Z' } },
    { kind: 'date', column: 'datetime(3)', as: 'sql', options: { dateStrings: true } },
  ],
};

/** As the kinds spell it. */
function spelled(kind: string, text: string): string {
  if (kind === 'time') return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return kind === 'day' ? text.slice(0, 10) : new Date(/[Z+]/.test(text) ? text : `${text}Z`).toISOString();
}

interface Opened {
  readonly db: TableConnection;
  readonly send: (text: string) => Promise<Readonly<Record<string, unknown>>[]>;
  readonly close: () => Promise<void>;
}

function openMysql(uri: string, options: PoolOptions = {}): Opened {
  const db = createPool({ uri, ...options });
  return {
    db,
    send: async (text) => (await db.query<RowDataPacket[]>(text))[0],
    close: () => db.end(),
  };
}

function openPostgres(connectionString: string): Opened {
  const db = new Pool({ connectionString });
  return {
    db,
    send: async (text) => (await db.query<Record<string, unknown>>(text)).rows,
    close: () => db.end(),
  };
}

async function main([dialect, url = '']: readonly string[]): Promise<void> {
  const wrong: unknown[] = [];
  let checked = 0;
  for (const about of cases[dialect === 'mysql' ? 'mysql' : 'postgres']) {
    const { kind, column, as, isLocal, refuses, options } = about;
    const { db, send, close } = dialect === 'mysql' ? openMysql(url, options) : openPostgres(url);
    const table = `zoned_${randomUUID().slice(0, 8)}`;
    await send(
      `CREATE TABLE ${table} (slug varchar(40) PRIMARY KEY, member ${column} NULL, version varchar(40))`,
    );
    const store = tableStore(db, {
      table,
      columns: { member: { kind: `${kind}?`, ...(as !== undefined && { as }) } },
      key: 'slug',
      version: 'version',
    });
    const inTable = dialect === 'mysql' ? 'CAST(member AS char)' : `(member AT TIME ZONE 'UTC')::text`;
    const text = column.startsWith('timestamptz') || dialect === 'mysql' ? inTable : 'member::text';
    const stored = async (slug: string) =>
      (await send(`SELECT ${text} AS text FROM ${table} WHERE slug = '${slug}'`))[0];

    for (const [index, value] of values[kind].entries()) {
      const other = values[kind][(index + 1) % values[kind].length] ?? value;
      // In a new row, instead of NULL, and instead of another value.
      const sequences = [[value], [null, value], [other, value]];
      const write = async (sequence: readonly (string | null)[]) => {
        checked++;
        const slug = randomUUID();
        let version: string | null = null;
        try {
          for (const member of sequence) {
            const written = await store.replace(slug, version, { member });
            version = written?.version ?? null;
          }
        } catch (error) {
          if (refuses === true && (error as { status?: number }).status === 422) return;
          wrong.push({ ...about, sequence, error: String(error) });
          return;
        }
        const read = (await store.get(slug))?.value.member;
        const inside = spelled(kind, String((await stored(slug))?.['text']));
        if (read !== value || (isLocal !== true && inside !== value))
          wrong.push({ ...about, sequence, read, inside });
      };
      await Promise.all(sequences.map(write));
    }
    await close();
  }
  const zone = process.env['TZ'];
  process.stdout.write(JSON.stringify({ zone, checked, wrong: wrong.slice(0, 5) }));
}

void main(process.argv.slice(2));
