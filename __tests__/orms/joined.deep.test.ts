/** Builders over a transaction of the app, at REPEATABLE READ, the default of InnoDB: what others have committed since is not lost. */
import { drizzle } from 'drizzle-orm/mysql2';
import { mysqlTable, varchar } from 'drizzle-orm/mysql-core';
import knexOf from 'knex';
import { Kysely, MysqlDialect } from 'kysely';
import { createPool as createCallbackPool } from 'mysql2';
import { createPool, type Pool } from 'mysql2/promise';
import { drizzleRows, knexRows, kyselyRows, type Rows, rowStore } from '../../lib/rows';
import { describeMariadb, type SharedEngine, sharedMariadb } from '../support/engines';
import type { Stored } from '../../lib';
import { replaceAt, stateOf } from '../support/written';

/** Begins the app's transaction, reads in it, and lets `act` go on with the rows of it. */
type InTransaction = (url: string, act: (rows: Rows) => Promise<void>) => Promise<void>;

const builders: Readonly<Record<string, InTransaction>> = {
  Knex: async (connection, act) => {
    const knex = knexOf({ client: 'mysql2', connection });
    await knex.transaction(async (trx) => {
      await trx('notes').select();
      await act(knexRows(trx as never, 'notes'));
    });
    await knex.destroy();
  },
  Kysely: async (url, act) => {
    const db = new Kysely<{ notes: object }>({
      dialect: new MysqlDialect({ pool: createCallbackPool(url) as never }),
    });
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('notes').selectAll().execute();
      await act(kyselyRows(trx, 'notes'));
    });
    await db.destroy();
  },
  Drizzle: async (url, act) => {
    const pool = createPool(url);
    const column = () => varchar({ length: 20 });
    const notes = mysqlTable('notes', { slug: column().primaryKey(), title: column() });
    await drizzle(pool as never).transaction(async (tx) => {
      await tx.select().from(notes);
      await act(drizzleRows(tx as never, notes));
    });
    await pool.end();
  },
};

describeMariadb('joined at REPEATABLE READ', () => {
  let engine: SharedEngine;
  let pool: Pool;
  beforeAll(async () => {
    engine = await sharedMariadb();
    pool = createPool(engine.urls[0]);
    await pool.query('CREATE TABLE notes (slug varchar(20) PRIMARY KEY, title varchar(20))');
  });
  afterAll(async () => {
    await pool.end();
    await engine.close();
  });
  beforeEach(() => pool.query("REPLACE INTO notes VALUES ('a', 'x')"));

  test.each(Object.keys(builders))('%s', async (name) => {
    const [url] = engine.urls;
    await builders[name]?.(url, async (rows) => {
      const store = rowStore({ ...rows, columns: { title: 'string' }, key: 'slug' });
      await pool.query("UPDATE notes SET title = 'faster'");
      const handle = { slug: 'a', title: 'x' };
      const result = await replaceAt(store, 'a', { value: { title: 'x' }, handle }, { title: 'slower' });
      expect(result).toMatchObject({ current: { value: { title: 'faster' } } });
      // What the app reads itself here is as old, so the state that was found is the one to go on from.
      const { current } = result as { current: Stored<{ title: string }> };
      expect(await replaceAt(store, 'a', current, { title: 'next' })).toMatchObject({
        value: { title: 'next' },
      });
      expect((await stateOf(store, 'a')).value).toEqual({ title: 'next' });
    });
    const [kept] = await pool.query('SELECT title FROM notes');
    expect(kept).toEqual([{ title: 'next' }]);
  });
});
