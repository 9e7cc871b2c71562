/** What an adapter finds out about a connection is found out once, although `rows: (req) => …` asks for it each time. */
import {
  drizzleRows,
  knexRows,
  kyselyRows,
  mikroormRows,
  prismaRows,
  sequelizeRows,
  typeormRows,
} from '../../lib/rows';
import { keepRows } from '../../lib/rows/library-rows';

const rows = { find: () => undefined };

test('rows are made once for each table of each connection', () => {
  const made: string[] = [];
  const rowsOf = keepRows(({ name }: { readonly name: string }, table: string) => {
    made.push(`${name}.${table}`);
    return { ...rows };
  });
  const [acme, globex] = [{ name: 'acme' }, { name: 'globex' }];
  const first = rowsOf(acme, 'notes');
  expect(rowsOf(acme, 'notes')).toBe(first);
  expect(rowsOf(acme, 'pages')).not.toBe(first);
  expect(rowsOf(globex, 'notes')).not.toBe(first);
  rowsOf(globex, 'notes');
  expect(made).toEqual(['acme.notes', 'acme.pages', 'globex.notes']);
});

test('a mistake is made again, not kept', () => {
  let tries = 0;
  const rowsOf = keepRows(() => {
    tries++;
    if (tries === 1) throw new TypeError('The connection is not open yet.');
    return rows;
  });
  const db = {};
  expect(() => rowsOf(db, 'notes')).toThrow('not open');
  expect(rowsOf(db, 'notes')).toBe(rows);
});

test('Knex is asked for its dialect once', () => {
  const asked: string[] = [];
  const client = Object.defineProperty({}, 'dialect', { get: () => (asked.push('dialect'), 'sqlite3') });
  const knex = Object.assign(() => undefined, { client }) as never;
  expect(knexRows(knex, 'notes')).toBe(knexRows(knex, 'notes'));
  expect(asked).toEqual(['dialect']);
});

test('Kysely compiles the query that reveals its dialect once', () => {
  const compiled: string[] = [];
  const query = {
    selectAll: () => query,
    where: () => query,
    limit: () => query,
    compile: () => (compiled.push('select'), { sql: 'select * from "notes" where "id" is null limit ?' }),
  };
  const db = Object.fromEntries(
    ['selectFrom', 'updateTable', 'insertInto', 'deleteFrom', 'transaction'].map((name) => [
      name,
      () => query,
    ]),
  ) as never;
  expect(kyselyRows(db, 'notes')).toBe(kyselyRows(db, 'notes'));
  expect(compiled).toEqual(['select']);
});

test('Drizzle is asked for its columns once, and not for their kinds in a transaction', async () => {
  let kinds = 0;
  const column = { getSQL: () => undefined, name: 'title' };
  const table = { title: Object.defineProperty(column, 'notNull', { get: () => (kinds++, true) }) };
  const nothing = () => undefined;
  const tx = { select: nothing, update: nothing, insert: nothing, delete: nothing };
  const db = { ...tx, transaction: (act: (inner: object) => unknown) => act(tx) } as never;
  const kept = drizzleRows(db, table);
  expect(drizzleRows(db, table)).toBe(kept);
  expect(drizzleRows(db, { ...table })).not.toBe(kept);
  await kept.transaction?.(() => Promise.resolve());
  expect(kinds).toBe(0);
  expect(kept.columnKinds).toHaveProperty('title.type');
  expect(kinds).toBe(1);
});

test('MikroORM has rows of its own for each entity manager and each entity', () => {
  const nothing = () => undefined;
  const em = { fork: nothing, execute: nothing, upsertMany: nothing };
  expect(mikroormRows(em, 'Note')).toBe(mikroormRows(em, 'Note'));
  expect(mikroormRows(em, 'Note')).not.toBe(mikroormRows(em, 'Page'));
  expect(mikroormRows(em, 'Note')).not.toBe(mikroormRows({ ...em }, 'Note'));
});

test('Prisma has rows of its own for each client and each model, and for each call with options', () => {
  const nothing = () => undefined;
  const model = { findFirst: nothing, create: nothing, update: nothing, delete: nothing };
  const prisma = { $queryRawUnsafe: nothing, $executeRawUnsafe: nothing, note: model, page: model };
  const rowsOf = (client: object, ...others: unknown[]): unknown =>
    (prismaRows as (...given: unknown[]) => unknown)(client, 'note', ...others);
  const kept = rowsOf(prisma);
  expect(rowsOf(prisma)).toBe(kept);
  expect(prismaRows(prisma as never, 'page' as never)).not.toBe(kept);
  expect(rowsOf({ ...prisma })).not.toBe(kept);
  expect(rowsOf(prisma, { table: 'notes' })).not.toBe(kept);
});

test('Sequelize has rows of its own for each model, once it is initialized, and for each call with a transaction', () => {
  const nothing = () => Promise.resolve();
  const model = { name: 'Note', findOne: nothing, create: nothing, getAttributes: () => ({}) };
  const initialized = { ...model, sequelize: { getDialect: () => 'postgres' } };
  expect(sequelizeRows(initialized)).toBe(sequelizeRows(initialized));
  expect(sequelizeRows(initialized, { transaction: {} })).not.toBe(sequelizeRows(initialized));
  const later = { ...model };
  const early = sequelizeRows(later);
  expect(sequelizeRows(later)).not.toBe(early);
  Object.assign(later, { sequelize: { getDialect: () => 'sqlite' } });
  expect(() => sequelizeRows(later)).toThrow('uses SQLite');
});

test('TypeORM has rows of its own for each repository, but for that of a query runner', () => {
  const nothing = () => undefined;
  const metadata = { connection: { options: { type: 'postgres' } } };
  const repository = { createQueryBuilder: nothing, findOneBy: nothing, metadata, manager: {} };
  expect(typeormRows(repository)).toBe(typeormRows(repository));
  expect(typeormRows({ ...repository })).not.toBe(typeormRows(repository));
  // It can begin a transaction after this.
  const ofRunner = { ...repository, manager: { queryRunner: { isTransactionActive: false } } };
  expect(typeormRows(ofRunner)).not.toBe(typeormRows(ofRunner));
});
