import { AutocommitError } from './autocommit';
import { CharsetError } from './charset';
import { findClient, type MysqlConnection, runMysql } from './mysql-connection';

const question = {
  text:
    'SELECT @@character_set_client AS client, @@character_set_connection AS connection, ' +
    '@@character_set_results AS results, @@autocommit AS autocommit',
  values: [],
};

/** The settings of a session, as reported by the server. */
interface Session {
  readonly isAutocommitOff: boolean;
}

const sessions = new WeakMap<object, Promise<Session>>();

/** Asks a connection, or one of a pool, once, and again only after an error. */
function readSession(db: MysqlConnection): Promise<Session> {
  const client = findClient(db);
  const known = sessions.get(client);
  if (known !== undefined) return known;
  const asking = ask(db);
  sessions.set(client, asking);
  asking.catch(() => sessions.delete(client));
  return asking;
}

/**
 * What the server takes as `client` it converts to `connection` first, which `SET CHARACTER SET utf8mb4`
 * makes the character set of the database. Without `character_set_results` nothing is converted, and the
 * driver decodes each column by its own character set.
 */
async function ask(db: MysqlConnection): Promise<Session> {
  const [row] = (await runMysql(db, question)) as readonly unknown[];
  const { client, connection, results, autocommit } = Object(row) as Record<string, unknown>;
  const other = [client, connection, results].find(isOtherCharset);
  if (other !== undefined) throw new CharsetError(other);
  return { isAutocommitOff: autocommit !== undefined && Number(autocommit) === 0 };
}

function isOtherCharset(charset: unknown): charset is string {
  return typeof charset === 'string' && charset !== 'utf8mb4';
}

/** @throws CharsetError */
export async function assertCharset(db: MysqlConnection): Promise<void> {
  await readSession(db);
}

/**
 * A connection without autocommit keeps reading the state of its first read.
 *
 * @throws CharsetError, AutocommitError
 */
export async function assertSession(db: MysqlConnection): Promise<void> {
  if ((await readSession(db)).isAutocommitOff) throw new AutocommitError();
}
