import type { Row, Rows } from '../../../lib/rows';
import type { DatabaseName } from './databases';

export type Isolation = 'serializable' | 'repeatable read';

/** An ORM over one database, as the tests use it. */
export interface Orm {
  /** With the transaction and the lock of the adapter. */
  readonly rows: Rows & Required<Pick<Rows, 'insert' | 'delete'>>;
  /**
   * A transaction that the app begins itself, in the strictest isolation that there is, or in the one that MySQL has by
   * default. A driver that is synchronous has none that awaits.
   */
  readonly ownTransaction?: (
    run: Parameters<NonNullable<Rows['transaction']>>[0],
    isolation?: Isolation,
  ) => unknown;
  /** Adds a row to `audits` in the transaction that `onWrite` receives. */
  readonly audit: (tx: unknown, row: { slug: string; before: string | null; after: string }) => unknown;
  /** Reads from `audits` in that transaction. */
  readonly readAudits: (tx: unknown, slug: string) => PromiseLike<readonly object[]>;
  /** The ORM's own call that reads by the slug, and the one that writes by the id alone: together they lose updates. */
  readonly ownRead: (slug: string) => Promise<{ readonly id: number; readonly age: number | null }>;
  readonly ownWrite: (id: number, set: Row) => Promise<unknown>;
  /** The ORM's own call that adds one to the age, in one statement. */
  readonly ownIncrement: (slug: string) => unknown;
  readonly close: () => Promise<unknown>;
}

export interface OrmUnderTest {
  readonly orm: 'Prisma' | 'Drizzle' | 'Knex' | 'Kysely' | 'TypeORM' | 'Sequelize' | 'MikroORM';
  readonly database: DatabaseName;
  readonly open: (url: string) => Orm | Promise<Orm>;
  /** What the ORM calls the columns: `createdAt`, or `created_at`. */
  readonly names: { readonly createdAt: string; readonly updatedAt: string };
}

const camelCase = { createdAt: 'createdAt', updatedAt: 'updatedAt' };
const snakeCase = { createdAt: 'created_at', updatedAt: 'updated_at' };
export const naming = { camelCase, snakeCase };
