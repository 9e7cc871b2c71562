import { tellOnce } from '../../config/app-callbacks';
import { isObject } from '../../config/object';

/**
 * How a connection reads two instants, one of them in the summer of any time zone. `timestamptz` is what
 * to_timestamp returns.
 */
const instants = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)] as const;
const question =
  `SELECT to_timestamp(${instants[0] / 1_000}) AS "0", to_timestamp(${instants[1] / 1_000}) AS "1", ` +
  `current_setting('TimeZone') AS zone`;

/** Clients that are neither extended nor those of a transaction. */
const askedClients = new WeakSet<object>();

const tell = tellOnce(
  'PATCH_OPTIONS_TIME_ZONE',
  (zone: string) =>
    'Prisma reads and writes a timestamptz as another instant, because the time zone of its connection to ' +
    `PostgreSQL is ${zone}, and it takes all times for UTC. ` +
    'Add ?options=-c%20TimeZone%3DUTC to the URL of the database, or set the zone of its role.',
);

/**
 * Asks the database of a client once, and warns if it reads other instants than the database has: driver
 * adapters leave the time zone out. Whether a column has one, Prisma does not say.
 *
 * @param client - a client of Prisma on PostgreSQL, or one of its transactions
 */
export async function tellOfTimeZone(client: object): Promise<void> {
  const root: unknown = Reflect.get(client, '_originalClient');
  const query: unknown = Reflect.get(client, '$queryRawUnsafe');
  if (!isObject(root) || typeof query !== 'function' || askedClients.has(root)) return;
  askedClients.add(root);
  try {
    const rows: unknown = await Reflect.apply(query, client, [question]);
    const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
    if (!isObject(row)) return;
    const isOther = instants.some((instant, index) => {
      const read: unknown = Reflect.get(row, String(index));
      return read instanceof Date && read.getTime() !== instant;
    });
    if (isOther) tell(String(Reflect.get(row, 'zone')));
  } catch {
    // The statement that follows on this connection fails too, and its error is thrown.
  }
}
