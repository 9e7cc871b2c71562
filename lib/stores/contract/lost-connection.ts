import { errorsWithin, readCodes } from './error-codes';

/** What Node, drivers and ORMs call it if a connection ends, or falls silent, during a statement. */
const codes: readonly unknown[] = [
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'UND_ERR_SOCKET'],
  // PostgreSQL: connection exceptions, and a server that ends connections.
  ...['08000', '08003', '08006', '08007', '57P01', '57P02'],
  ...['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT', 'ER_SERVER_SHUTDOWN', 1053],
  ...['ER_CONNECTION_KILLED', 1927, 'ER_CLIENT_INTERACTION_TIMEOUT', 4031],
  'P1017',
  'PATCH_OPTIONS_REDIS_TIMEOUT',
];

/** Of pg, ioredis and redis, whose errors have no code. */
const messages: readonly RegExp[] = [
  ...[/^Connection terminated(?: unexpectedly)?$/, /^Query read timeout$/],
  ...[/^Connection is closed\.$/, /^Command aborted due to connection close$/],
  ...[/^Socket closed unexpectedly$/, /^Disconnects client$/],
];

/** Errors that name a lost connection as their cause, but say what became of the write. */
const certain: readonly unknown[] = ['PATCH_OPTIONS_OVERTAKEN'];

/**
 * Whether an error leaves open if the statement was carried out: the connection was lost while it was under
 * way. One that could not be made in the first place does not.
 */
export function isLostConnection(error: unknown): boolean {
  const errors = errorsWithin(error);
  if (errors.some((one) => Reflect.get(one, 'syscall') === 'connect')) return false;
  const names = readCodes(error);
  if (names.some((name) => certain.includes(name))) return false;
  return (
    names.some((name) => codes.includes(name)) ||
    errors.some((one) => messages.some((message) => message.test(String(Reflect.get(one, 'message')))))
  );
}
