/** Which errors leave open whether a write was made. The shapes are those that the drivers and ORMs throw. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { ProblemError } from '../../../lib';
import { isLostConnection } from '../../../lib/stores/contract/lost-connection';

const error = (message: string, members: object = {}) => Object.assign(new Error(message), members);
const socketError = (call: string, code: string) => error(`${call} ${code}`, { code, syscall: call });
/** As the connector writes it. */
const mariadb = (errno: number, code: string, sqlState = '08S01') =>
  error(`(conn:5, no: ${errno}, SQLState: ${sqlState}) ${code}`, {
    ...{ name: 'SqlError', errno, code, sqlState, fatal: true },
  });
const closed = mariadb(45009, 'ER_SOCKET_UNEXPECTED_CLOSE');

/** As Prisma wraps what its adapter for MariaDB has converted. */
const prismaMariadb = (errno: number) =>
  error('Database error', {
    name: 'PrismaClientKnownRequestError',
    code: 'P2039',
    meta: {
      modelName: 'Note',
      driverAdapterError: error('mysql', {
        name: 'DriverAdapterError',
        cause: { originalCode: String(errno), kind: 'mysql', code: errno, message: 'N/A', state: '08S01' },
      }),
    },
  });
const prisma = (code: string, kind: string) =>
  error('failed', { code, meta: { driverAdapterError: error(kind, { cause: { kind } }) } });

/** Drizzle's message ends with the values of the client. */
const drizzle = (cause: unknown, value = 'x') =>
  error(`Failed query: update "notes" set "title" = $1\nparams: ${value}`, {
    ...{ query: 'update "notes" set "title" = $1', params: [value], cause },
  });
const sequelize = (name: string, parent: Error) =>
  error(parent.message, { name, parent, original: parent, sql: 'UPDATE notes SET title = $1' });

const lost: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a socket': {
    ECONNRESET: socketError('read', 'ECONNRESET'),
    EPIPE: socketError('write', 'EPIPE'),
    ETIMEDOUT: socketError('read', 'ETIMEDOUT'),
    EHOSTUNREACH: socketError('read', 'EHOSTUNREACH'),
    ENETUNREACH: socketError('write', 'ENETUNREACH'),
    ENETDOWN: socketError('read', 'ENETDOWN'),
    'several errors, of which one is': new AggregateError([socketError('read', 'ECONNRESET')], 'failed'),
    'several errors, of which another is that of a connection': new AggregateError([
      socketError('connect', 'ECONNREFUSED'),
      socketError('read', 'ECONNRESET'),
    ]),
  },
  fetch: {
    'the headers did not come': error('fetch failed', {
      cause: error('Headers Timeout Error', { code: 'UND_ERR_HEADERS_TIMEOUT' }),
    }),
    'the body did not come': error('terminated', {
      cause: error('Body Timeout Error', { code: 'UND_ERR_BODY_TIMEOUT' }),
    }),
    'the other side closed': error('fetch failed', {
      cause: error('other side closed', { code: 'UND_ERR_SOCKET' }),
    }),
    'AbortSignal.timeout': new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    'a body that ended early': error('Premature close', { code: 'ERR_STREAM_PREMATURE_CLOSE' }),
  },
  pg: {
    'the connection ended': error('Connection terminated unexpectedly'),
    'its query_timeout': error('Query read timeout'),
    'an operator ended it': error('terminating connection', { code: '57P01', severity: 'FATAL' }),
    'connection failure': error('x', { code: '08006' }),
    'transaction resolution unknown': error('x', { code: '08007' }),
  },
  'postgres.js': {
    CONNECTION_CLOSED: error('write CONNECTION_CLOSED db:5432', { code: 'CONNECTION_CLOSED' }),
    CONNECTION_DESTROYED: error('write CONNECTION_DESTROYED db:5432', { code: 'CONNECTION_DESTROYED' }),
    CONNECTION_ENDED: error('write CONNECTION_ENDED db:5432', { code: 'CONNECTION_ENDED' }),
  },
  mysql2: {
    'the connection ended': error('Connection lost: The server closed the connection.', {
      ...{ code: 'PROTOCOL_CONNECTION_LOST', fatal: true },
    }),
    'its timeout': error('Query inactivity timeout', { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }),
    'the server shut down': error('x', { errno: 1053, sqlState: '08S01' }),
    'an SQLSTATE alone': error('x', { sqlState: '08S01' }),
    'a proxy lost the server': error('Lost connection to MySQL server during query', { errno: 2013 }),
  },
  mariadb: {
    'the socket closed': closed,
    'its socketTimeout': mariadb(45026, 'ER_SOCKET_TIMEOUT'),
    'a ROLLBACK after a lost COMMIT': mariadb(45013, 'ER_CMD_CONNECTION_CLOSED'),
    'the connection was destroyed': mariadb(45004, 'ER_CMD_NOT_EXECUTED_DESTROYED'),
  },
  Knex: {
    'a COMMIT': error('COMMIT; - Connection terminated unexpectedly'),
    'a COMMIT after query_timeout': error('COMMIT; - Query read timeout'),
    'an UPDATE': error('update "notes" set "n" = $1 where "slug" = $2 - Connection terminated unexpectedly'),
    'its own timeout': error('Defined query timeout of 1000ms exceeded when running query.', {
      ...{ name: 'KnexTimeoutError', sql: 'update "notes" set "n" = ?', timeout: 1000 },
    }),
    'its own timeout, and no connection to cancel the query': error(
      'After query timeout of 1000ms exceeded, cancelling of query failed.',
      { code: 'ECONNREFUSED', syscall: 'connect' },
    ),
  },
  Sequelize: {
    mariadb: sequelize('SequelizeDatabaseError', closed),
    pg: sequelize('SequelizeDatabaseError', error('Connection terminated unexpectedly')),
  },
  MikroORM: {
    mariadb: error(`update \`notes\` set \`n\` = 1 - ${closed.message}`, {
      ...{ name: 'DriverException', code: 'ER_SOCKET_UNEXPECTED_CLOSE', errno: 45009, sqlState: '08S01' },
    }),
    pg: error('update "notes" set "n" = 1 - Connection terminated unexpectedly', {
      ...{ name: 'DriverException', code: undefined, errno: undefined, sqlState: undefined },
    }),
  },
  TypeORM: {
    pg: error('Connection terminated unexpectedly', {
      ...{ name: 'QueryFailedError', query: 'UPDATE', parameters: [1] },
      driverError: error('Connection terminated unexpectedly'),
    }),
  },
  Drizzle: {
    pg: drizzle(error('Connection terminated unexpectedly')),
    'pg, a ROLLBACK after a lost COMMIT': error('Failed query: rollback\nparams: ', {
      ...{ query: 'rollback', params: [] },
      cause: error('Client has encountered a connection error and is not queryable'),
    }),
  },
  Kysely: {
    'pg, a ROLLBACK after a lost COMMIT': error(
      'Client has encountered a connection error and is not queryable',
    ),
    'mysql2, a ROLLBACK after a lost COMMIT': error(
      "Can't add new command when connection is in closed state",
      { fatal: true },
    ),
  },
  Prisma: {
    'the connection was closed': prisma('P1017', 'ConnectionClosed'),
    'it timed out': prisma('P1008', 'SocketTimeout'),
    'the error of an adapter, closed': error('x', { cause: { kind: 'ConnectionClosed' } }),
    'the error of an adapter, timed out': error('x', { cause: { kind: 'SocketTimeout' } }),
    'an error that it does not know': error(
      '\nInvalid `prisma.note.update()` invocation:\n\n\nConnection terminated unexpectedly',
    ),
    'mariadb, closed': prismaMariadb(45009),
    'mariadb, its socketTimeout': prismaMariadb(45026),
  },
  ioredis: {
    'the connection ended': error('Connection is closed.'),
    'a part of an answer came': error('Command aborted due to connection close'),
    maxRetriesPerRequest: error(
      'Reached the max retries per request limit (which is 0). Refer to "maxRetriesPerRequest" option for details.',
      { name: 'MaxRetriesPerRequestError' },
    ),
    'its commandTimeout': error('Command timed out'),
    'its socketTimeout': error("Socket timeout. Expecting data, but didn't receive any in 500ms."),
  },
  redis: {
    'the connection ended': error('Socket closed unexpectedly'),
    'the app ended it': error('Disconnects client'),
    'its socketTimeout': error("Socket timeout timeout. Expecting data, but didn't receive any in 500ms."),
  },
  mongodb: {
    'the connection ended': error('connection 3 to 127.0.0.1:27017 closed', { name: 'MongoNetworkError' }),
    'it timed out': error('connection 3 timed out', { name: 'MongoNetworkTimeoutError' }),
  },
};

describe.each(Object.entries(lost))('%s', (_driver, errors) => {
  test.each(Object.entries(errors))('%s: nobody knows', (_what, thrown) => {
    expect(isLostConnection(thrown)).toBe(true);
  });
});

/** Nothing was sent, or the answer of the database came. */
const known: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a socket': {
    'connect ECONNREFUSED': socketError('connect', 'ECONNREFUSED'),
    'connect ETIMEDOUT': socketError('connect', 'ETIMEDOUT'),
    'connect EHOSTUNREACH': socketError('connect', 'EHOSTUNREACH'),
    'connect ETIMEDOUT to each address': Object.assign(
      new AggregateError([socketError('connect', 'ETIMEDOUT'), socketError('connect', 'ETIMEDOUT')]),
      { code: 'ETIMEDOUT' },
    ),
    'the lookup of the name': error('getaddrinfo ETIMEDOUT', { code: 'ETIMEDOUT', syscall: 'getaddrinfo' }),
    'a fetch that could not connect': error('fetch failed', { cause: socketError('connect', 'ETIMEDOUT') }),
  },
  pg: {
    'its connectionTimeoutMillis': error('Connection terminated due to connection timeout', {
      cause: error('Connection terminated unexpectedly'),
    }),
    'no free connection': error('timeout exceeded when trying to connect'),
    'a value that ends so': error('invalid value: - Connection terminated unexpectedly', { code: '22P02' }),
    'a mistake in the SQL': error('x', { code: '42601' }),
    'an SQLSTATE of the app': error('x', { code: '45009' }),
  },
  mysql2: {
    'a packet that is too large': error('x', { errno: 1153, sqlState: '08S01' }),
    'a node of Galera that is not ready': error('x', { errno: 1047, sqlState: '08S01' }),
  },
  mariadb: {
    'no connection from the pool': Object.assign(mariadb(45028, 'ER_GET_CONNECTION_TIMEOUT', 'HY000'), {
      cause: closed,
    }),
    'no connection in time': mariadb(45012, 'ER_CONNECTION_TIMEOUT'),
    'a packet that is too large': mariadb(45046, 'ER_MAX_ALLOWED_PACKET'),
  },
  Knex: {
    'no free connection': error('Knex: Timeout acquiring a connection. The pool is probably full.', {
      ...{ name: 'KnexTimeoutError', cause: error('operation timed out for an unknown reason') },
    }),
  },
  Sequelize: {
    'a connection that could not be made': sequelize('SequelizeConnectionError', closed),
    'no free connection': sequelize('SequelizeConnectionAcquireTimeoutError', error('Operation timeout')),
  },
  TypeORM: {
    'a connection that could not be made': error('connect ETIMEDOUT', {
      ...{ name: 'QueryFailedError', code: 'ETIMEDOUT', syscall: 'connect' },
      driverError: socketError('connect', 'ETIMEDOUT'),
    }),
  },
  Drizzle: {
    'a connection that could not be made': drizzle(
      error('Connection terminated due to connection timeout', {
        cause: error('Connection terminated unexpectedly'),
      }),
    ),
    'a value that ends so': drizzle(error('no', { code: '23514' }), 'a - Connection terminated unexpectedly'),
  },
  Prisma: {
    'a database that cannot be reached': prisma('P1001', 'DatabaseNotReachable'),
    'mariadb, no connection from the pool': prismaMariadb(45028),
  },
  'the app': {
    'an answer to the client': new ProblemError(422, 'no', 'No.', {
      cause: socketError('read', 'ECONNRESET'),
    }),
    'an error': error('The connection of ideas terminated'),
    'an error that quotes a client': error('No note a - Connection terminated unexpectedly'),
    'no error': undefined,
  },
};

describe.each(Object.entries(known))('%s', (_driver, errors) => {
  test.each(Object.entries(errors))('%s: it is known', (_what, thrown) => {
    expect(isLostConnection(thrown)).toBe(false);
  });
});

test('an error that contains itself, many times, is read once', () => {
  const circular: Record<string, unknown> = {};
  const others = Array.from({ length: 1000 }, () => ({ cause: circular }));
  Object.assign(circular, { cause: circular, parent: circular, original: circular, errors: others });
  expect(isLostConnection(circular)).toBe(false);
  Object.assign(circular, { meta: { code: 'ECONNRESET' } });
  expect(isLostConnection(circular)).toBe(true);
});

describe('a connection that could not be made', () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test.each<{ readonly what: string; readonly query: (port: number) => Promise<unknown> }>([
    {
      what: 'pg',
      query: (port) =>
        new Pool({ host: '127.0.0.1', port, user: 'x', connectionTimeoutMillis: 50 }).query('SELECT 1'),
    },
    {
      what: 'mysql2',
      query: (port) => createPool({ host: '127.0.0.1', port, connectTimeout: 50 }).query('SELECT 1'),
    },
  ])('$what, to a server that is silent', async ({ query }) => {
    const { port } = silent.address() as AddressInfo;
    const thrown: unknown = await query(port).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(Error);
    expect(isLostConnection(thrown)).toBe(false);
  });
});
