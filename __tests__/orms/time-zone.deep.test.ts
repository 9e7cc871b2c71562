/** A server that is not in UTC, over which Prisma reads and writes a timestamptz as another instant: docs/orms/prisma.md says what to do. */
import { randomUUID } from 'node:crypto';
import { prismaRows, rowStore } from '../../lib/rows';
import { openDatabase, type TestDatabase } from './support/databases';
import { openPostgresClient } from './support/prisma';

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase('PostgreSQL');
  await database.sql(
    `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = 'Europe/Berlin'`,
  );
});
afterAll(() => database.close());

const columns = { title: 'string', due: 'date?' } as const;
const declared = { columns, key: 'slug' } as const;
const inUtc = '?options=-c%20TimeZone%3DUTC';

/** A row that the app has written past Prisma. */
async function insert(due: string): Promise<string> {
  const slug = randomUUID();
  await database.sql(`INSERT INTO notes (slug, title, due) VALUES ('${slug}', 'a', '${due}')`);
  return slug;
}

test('Prisma is off by the offset of the server, unless its connection is in UTC', async () => {
  const slug = await insert('2026-06-01T12:00:00Z');
  const seen: unknown[] = [];
  for (const url of [`${database.url}${inUtc}`, database.url]) {
    const prisma = openPostgresClient(url);
    seen.push((await rowStore({ ...prismaRows(prisma, 'note'), ...declared }).get(slug))?.value.due);
    await prisma.$disconnect();
  }
  expect(seen).toEqual(['2026-06-01T12:00:00.000Z', '2026-06-01T14:00:00.000Z']);
});

test('a date from before time zones, which Prisma cannot read there, says what to do', async () => {
  const slug = await insert('1880-01-01T00:00:00Z');
  const read = async (url: string) => {
    const prisma = openPostgresClient(url);
    try {
      return await rowStore({ ...prismaRows(prisma, 'note'), ...declared }).get(slug);
    } finally {
      await prisma.$disconnect();
    }
  };
  await expect(read(database.url)).rejects.toThrow(
    /The column due .*set the time zone of the connection to UTC/,
  );
  expect((await read(`${database.url}${inUtc}`))?.value.due).toBe('1880-01-01T00:00:00.000Z');
});
