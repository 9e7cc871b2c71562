/**
 * TIMESTAMP columns of a MariaDB that is not in UTC, through each ORM as its page configures it: Sequelize and MikroORM set
 * the time zone of the session themselves, and the others are refused instead of storing other instants.
 */
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';
import type { Stored } from '../../lib';
import { rowStore } from '../../lib/rows';
import { describeMariadb, type Engine, startMariadb } from '../support/engines';
import { allOrms } from './support/each-orm';
import type { Orm } from './support/orm';
import { ddl } from './support/tables';

const before = '2026-07-16T08:00:00.000Z';
const after = '2026-07-16T10:00:00.000Z';
const setOwnZone = ['Sequelize', 'MikroORM'];

describeMariadb('a server in +08:00', () => {
  let engine: Engine;
  let utc: Pool;
  const url = () => engine.urls[0].replace(/\/mysql$/, '/notes');
  beforeAll(async () => {
    engine = await startMariadb();
    const admin = createPool({ uri: engine.urls[0] });
    await admin.query('CREATE DATABASE notes CHARACTER SET utf8mb4');
    await admin.end();
    utc = createPool({ uri: url(), timezone: 'Z', multipleStatements: true, connectionLimit: 1 });
    await utc.query(
      `${ddl.MariaDB} ALTER TABLE notes MODIFY due timestamp(3) NULL; SET time_zone = '+00:00'`,
    );
  });
  afterAll(async () => {
    await utc.end();
    await engine.close();
  });

  const write = async (column: 'due' | 'local', { rows }: Orm) => {
    await utc.query(`DELETE FROM notes; INSERT INTO notes (slug, title, due, local)
      VALUES ('a', 'a', '2026-07-16 08:00:00', '2026-07-16 08:00:00')`);
    const columns = { [column]: 'date?' as const };
    const store = rowStore({ ...rows, columns, key: 'slug' });
    const readCode = (error: unknown) => (error as { code?: unknown }).code;
    const seen = await store.get('a').catch(readCode);
    const current = typeof seen === 'object' ? (seen as never) : { value: {}, handle: {} };
    const outcome = await store.replace('a', '', { [column]: after }, { current }).then((result) => {
      expect(result).toHaveProperty('value');
      return 'written';
    }, readCode);
    const [rowsNow] = await utc.query<RowDataPacket[]>(`SELECT ${column} AS stored FROM notes`);
    const shown = typeof seen === 'object' ? Object.values((seen as Stored<object>).value) : [seen];
    return [...shown, outcome, ...rowsNow.map((row) => (row['stored'] as Date).toISOString())];
  };
  const orms = allOrms.filter(({ database }) => database === 'MariaDB');

  test.each([
    { zone: '+08:00', column: 'due' as const },
    { zone: '+00:00', column: 'due' as const },
    { zone: '+08:00', column: 'local' as const },
  ])('with $column in $zone', async ({ zone, column }) => {
    await utc.query(`SET GLOBAL time_zone = '${zone}'`);
    const found: Record<string, unknown> = {};
    for (const { orm: name, open } of orms) {
      const orm = await open(url());
      found[name] = await write(column, orm);
      await orm.close();
    }
    const refused = (name: string) => zone === '+08:00' && column === 'due' && !setOwnZone.includes(name);
    const served = [before, 'written', after];
    const off = ['PATCH_OPTIONS_TIME_ZONE', 'PATCH_OPTIONS_TIME_ZONE', before];
    expect(found).toEqual(Object.fromEntries(orms.map(({ orm }) => [orm, refused(orm) ? off : served])));
  });
});
