import { withoutStatement } from '../../config/app-callbacks';
import { isObject } from '../../config/object';
import { ProblemError } from '../../http/problem';
import { readOwnCodes, wrappedErrors } from './error-codes';

/** What Node, drivers and ORMs call it if a connection ends, or falls silent, during a statement. */
const lost: ReadonlySet<unknown> = new Set<unknown>([
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  // fetch, for databases that are reached over HTTP.
  ...['UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ERR_STREAM_PREMATURE_CLOSE'],
  // PostgreSQL: connection exceptions, and a server that ends connections.
  ...['08000', '08003', '08006', '08007', '57P01', '57P02'],
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED'], // postgres.js
  ...['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT', 'ER_SERVER_SHUTDOWN', 1053],
  ...['ER_CONNECTION_KILLED', 1927, 'ER_CLIENT_INTERACTION_TIMEOUT', 4031],
  // Proxies such as Vitess and ProxySQL, which lost the server.
  ...[2006, 2013],
  // The MariaDB connector. Prisma keeps the number only.
  ...['ER_CMD_NOT_EXECUTED_DESTROYED', 45004, 'ER_SOCKET_UNEXPECTED_CLOSE', 45009],
  ...['ER_SOCKET_TIMEOUT', 45026, 'ER_CMD_CONNECTION_CLOSED', 45013],
  ...['P1008', 'P1017', 'ConnectionClosed', 'SocketTimeout'],
  ...['MaxRetriesPerRequestError', 'PATCH_OPTIONS_REDIS_TIMEOUT'],
  ...['MongoNetworkError', 'MongoNetworkTimeoutError'],
]);

/** SQLSTATE of the same, in members of MySQL's drivers and of Prisma that other drivers do not have. */
const lostStates: ReadonlySet<unknown> = new Set(['08S01', '08003', '08006', '08007']);

/**
 * Of errors that have no code. Where nothing could be sent any more, that can be the ROLLBACK with which an
 * ORM has followed a lost COMMIT, and whose error is the only one that Drizzle and Kysely throw.
 */
const messages: readonly RegExp[] = [
  ...[/^Connection terminated(?: unexpectedly)?$/, /^Query read timeout$/],
  /^Client (?:has encountered a connection error|was closed) and is not queryable$/,
  /^Can't add new command when connection is in closed state$/, // mysql2
  ...[/^Connection is closed\.$/, /^Command aborted due to connection close$/, /^Command timed out$/],
  ...[/^Socket closed unexpectedly$/, /^Disconnects client$/],
  /^Socket timeout\b.* Expecting data, but didn't receive any in \d+ms\.$/,
  /^The operation was aborted due to timeout$/, // AbortSignal.timeout()
];

/** Of Knex. The second is set on whatever error the cancelling failed with: often that of a connection. */
const timeouts: readonly RegExp[] = [
  /^Defined query timeout of \d+ms exceeded when running query\.$/,
  /^After query timeout of \d+ms exceeded, cancelling of query failed\.$/,
];

/** Errors that name a lost connection as their cause, or look like one, but say what became of the write. */
const certain: ReadonlySet<unknown> = new Set<unknown>([
  'PATCH_OPTIONS_OVERTAKEN',
  // The MariaDB connector could not make a connection.
  ...['ER_GET_CONNECTION_TIMEOUT', 45028, 'ER_CONNECTION_TIMEOUT', 45012],
  // The server refused the connection or the statement, with the SQLSTATE 08S01.
  ...['ER_BAD_HOST_ERROR', 1042, 'ER_HANDSHAKE_ERROR', 1043],
  ...['ER_UNKNOWN_COM_ERROR', 1047, 'ER_NET_PACKET_TOO_LARGE', 1153],
  // Sequelize names the errors of statements otherwise.
  ...['SequelizeConnectionError', 'SequelizeConnectionAcquireTimeoutError', 'SequelizeAccessDeniedError'],
  ...['SequelizeConnectionRefusedError', 'SequelizeConnectionTimedOutError', 'SequelizeHostNotFoundError'],
  ...['SequelizeHostNotReachableError', 'SequelizeInvalidConnectionError'],
]);

/** Of pg, whose pool names the end of such a connection as the cause. */
const unconnected = /^Connection terminated due to connection timeout$/;

const mostLevels = 8;

/**
 * Whether an error leaves open if the statement was carried out: the connection was lost while it was under
 * way. One that could not be made in the first place does not, if the error tells: pg and mysql2 report a
 * server that ends the connection during the handshake as they report one that ends it later.
 */
export function isLostConnection(error: unknown): boolean {
  return isObject(error) && readFate(error, new Set(), mostLevels) === 'open';
}

/**
 * The inner errors decide: ORMs copy the code of a driver's error into their own, without what tells it from
 * that of another connection.
 */
function readFate(error: object, read: Set<object>, levels: number): 'open' | 'certain' | undefined {
  read.add(error);
  const message: unknown = Reflect.get(error, 'message');
  const text = typeof message === 'string' ? message : undefined;
  if (text !== undefined && timeouts.some((timeout) => timeout.test(text))) return 'open';
  const names = [...readOwnCodes(error), Reflect.get(error, 'name')];
  if (isCertain(error, names, text)) return 'certain';

  const errors: unknown = Reflect.get(error, 'errors'); // of an AggregateError
  const inner = [...wrappedErrors(error), ...(Array.isArray(errors) ? errors.filter(isObject) : [])];
  const fates = inner.map((one) =>
    levels > 1 && !read.has(one) ? readFate(one, read, levels - 1) : undefined,
  );
  if (fates.includes('open')) return 'open';
  if (fates.includes('certain')) return 'certain';

  if (names.some((name) => lost.has(name)) || hasLostState(error, names)) return 'open';
  // Elsewhere a message can end with what a client has sent: in a refusal, which has a code, and around
  // another error.
  const isOwn = typeof Reflect.get(error, 'code') !== 'string' && !inner.some((one) => 'message' in one);
  return isOwn && text !== undefined && isLossMessage(text) ? 'open' : undefined;
}

function isLossMessage(text: string): boolean {
  const message = withoutStatement(text);
  return messages.some((one) => one.test(message));
}

function isCertain(error: object, names: readonly unknown[], text: string | undefined): boolean {
  const syscall: unknown = Reflect.get(error, 'syscall');
  return (
    error instanceof ProblemError ||
    ['connect', 'getaddrinfo'].includes(String(syscall)) ||
    names.some((name) => certain.has(name)) ||
    (text !== undefined && unconnected.test(text))
  );
}

/** The MariaDB connector has 08S01 for nearly all errors of its own, numbered from 45000: they are listed. */
function hasLostState(error: object, names: readonly unknown[]): boolean {
  if (names.some((name) => typeof name === 'number' && name >= 45_000 && name < 46_000)) return false;
  return ['sqlState', 'sqlstate', 'state'].some((name) => lostStates.has(Reflect.get(error, name)));
}
