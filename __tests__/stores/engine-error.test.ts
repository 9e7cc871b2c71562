/** What the codes of engines mean. Each error is as the library that it is named for throws it. */
import { type Meaning, readMeaning } from '../../lib/stores/engine-error';

const error = (members: object, name = 'Error') => Object.assign(new Error('failed'), { name }, members);

test.each<{ readonly by: string; readonly thrown: unknown; readonly meaning: Meaning | undefined }>([
  { by: 'pg', thrown: error({ code: '23505' }), meaning: 'unique' },
  { by: 'pg, a data exception', thrown: error({ code: '22P02' }), meaning: 'value' },
  { by: 'pg, a text that is too long', thrown: error({ code: '22001' }), meaning: 'too-long' },
  {
    by: 'mysql2',
    thrown: error({ code: 'ER_DUP_ENTRY', errno: 1062, sqlState: '23000' }),
    meaning: 'unique',
  },
  { by: 'mysql2, a view', thrown: error({ code: 'ER_VIEW_CHECK_FAILED', errno: 1369 }), meaning: 'rule' },
  { by: 'better-sqlite3', thrown: error({ code: 'SQLITE_CONSTRAINT_CHECK' }), meaning: 'rule' },
  { by: 'node:sqlite', thrown: error({ code: 'ERR_SQLITE_ERROR', errcode: 2067 }), meaning: 'unique' },
  {
    by: 'node:sqlite, locked',
    thrown: error({ code: 'ERR_SQLITE_ERROR', errcode: 5 }),
    meaning: 'undone',
  },
  { by: 'sqlite3', thrown: error({ code: 'SQLITE_BUSY', errno: 5 }), meaning: 'undone' },
  { by: 'Drizzle', thrown: error({ cause: error({ code: '40001' }) }), meaning: 'undone' },
  { by: 'TypeORM', thrown: error({ driverError: error({ code: '23502' }), code: '23502' }), meaning: 'null' },
  { by: 'Sequelize', thrown: error({ parent: error({ errno: 1406 }) }), meaning: 'too-long' },
  {
    by: 'Sequelize, a validator of a model',
    thrown: error({ errors: [{ path: 'title' }] }, 'SequelizeValidationError'),
    meaning: 'model',
  },
  { by: 'Prisma', thrown: error({ code: 'P2002', meta: { target: ['email'] } }), meaning: 'unique' },
  {
    by: 'Prisma, by an adapter',
    thrown: error({
      code: 'P2010',
      meta: { driverAdapterError: error({ cause: { originalCode: '40P01', kind: 'postgres' } }) },
    }),
    meaning: 'undone',
  },
  {
    by: 'Prisma, by that of MariaDB',
    thrown: error({
      code: 'P2002',
      meta: { driverAdapterError: error({ cause: { originalCode: '1062' } }) },
    }),
    meaning: 'unique',
  },
  { by: 'Prisma, itself', thrown: error({}, 'PrismaClientValidationError'), meaning: 'model' },

  { by: 'a socket', thrown: error({ code: 'EPIPE', errno: -32 }), meaning: undefined },
  {
    by: 'an ORM, around a connection',
    thrown: error({ code: 'P2002', cause: error({ code: 'ECONNRESET' }) }),
    meaning: undefined,
  },
  { by: 'gRPC', thrown: error({ code: 5 }), meaning: undefined },
  { by: 'MongoDB', thrown: error({ code: 20 }), meaning: undefined },
  { by: 'PostgreSQL, by a function of the app', thrown: error({ code: 'P0001' }), meaning: undefined },
  { by: 'MySQL, a lock that was waited for', thrown: error({ errno: 1205 }), meaning: undefined },
  { by: 'whoever throws a text', thrown: '40001', meaning: undefined },
  { by: 'nobody', thrown: undefined, meaning: undefined },
])('$by: $meaning', ({ thrown, meaning }) => {
  expect(readMeaning(thrown)).toBe(meaning);
});

test('an error that causes itself is read once', () => {
  const circular = error({ code: '40001' });
  expect(readMeaning(Object.assign(circular, { cause: circular, parent: circular }))).toBe('undone');
});
