/** What drivers and ORMs give back of an UPDATE. Each value is as the library that it is named for gives it. */
import { readWritten } from '../../lib/rows/written';

const row = { slug: 'a', version: 'v' };

test.each([
  { by: 'Knex', result: 1, written: { count: 1 } },
  { by: 'Knex with returning', result: [row], written: { count: 1, row } },
  { by: 'Knex with returning, of none', result: [], written: { count: 0 } },
  { by: 'Prisma updateMany', result: { count: 1 }, written: { count: 1 } },
  { by: 'Prisma update', result: row, written: { count: 1, row } },
  { by: 'pg', result: { rowCount: 1, rows: [] }, written: { count: 1 } },
  { by: 'pg with RETURNING', result: { rowCount: 1, rows: [row] }, written: { count: 1, row } },
  {
    by: 'pg with RETURNING of other columns',
    result: { rowCount: 1, rows: [{ count: 7 }] },
    written: { count: 1 },
  },
  { by: 'postgres.js', result: Object.assign([], { count: 1 }), written: { count: 1 } },
  { by: 'Kysely', result: { numUpdatedRows: 1n }, written: { count: 1 } },
  { by: 'Kysely, a list', result: [{ numUpdatedRows: 0n }], written: { count: 0 } },
  { by: 'mysql2', result: { affectedRows: 1, changedRows: 0 }, written: { count: 1 } },
  { by: 'Drizzle over mysql2', result: [{ affectedRows: 1 }, undefined], written: { count: 1 } },
  { by: 'better-sqlite3', result: { changes: 1, lastInsertRowid: 7 }, written: { count: 1 } },
  { by: 'libsql', result: { rowsAffected: 0, rows: [] }, written: { count: 0 } },
  { by: 'Cloudflare D1', result: { success: true, meta: { changes: 1 } }, written: { count: 1 } },
  { by: 'Sequelize', result: [1], written: { count: 1 } },
  { by: 'Sequelize, of none', result: [0], written: { count: 0 } },
  { by: 'TypeORM', result: { affected: 1, raw: [] }, written: { count: 1 } },
  { by: 'MikroORM nativeUpdate', result: 1, written: { count: 1 } },
  { by: 'Mongoose updateOne', result: { matchedCount: 1, modifiedCount: 0 }, written: { count: 1 } },
  { by: 'Mongoose findOneAndUpdate, of none', result: null, written: { count: 0 } },
  { by: 'two rows', result: [row, row], written: { count: 2 } },
])('$by', ({ result, written }) => {
  expect(readWritten(result, 'version')).toEqual(written);
});

test.each([
  { what: 'nothing', result: undefined },
  { what: 'true', result: true },
  { what: 'a text', result: 'UPDATE 1' },
  { what: 'an object that tells none', result: { ok: 1 } },
])('$what does not tell the number of rows', ({ result }) => {
  expect(readWritten(result, 'version')).toBeUndefined();
});
