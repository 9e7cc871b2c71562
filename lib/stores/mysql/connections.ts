import { assertAutocommit } from '../sql/autocommit';
import { type ColumnTexts, textColumns } from '../sql/columns';
import { onConnection } from '../sql/mysql-transaction';
import type { MysqlPool, MysqlStatement } from './pool';

type Values = readonly (string | Buffer)[];

/** The result of a write. */
export interface WriteResult {
  /** How many rows were changed. */
  readonly count: number;
  /** The time of the write, by the engine's clock, if the answer has it. */
  readonly modified: Date | undefined;
}

export type RunWrite = (text: string, values: Values) => Promise<WriteResult>;

/**
 * Text as bytes, which the columns take unchanged: the character set of the connection may lack some
 * characters.
 */
export function bytes(text: string): Buffer {
  return Buffer.from(text);
}

/** The pool of the app, used in a way that does not depend on how it is configured. */
export class MysqlConnections {
  readonly #pool: MysqlPool;

  constructor(pool: MysqlPool) {
    this.#pool = pool;
  }

  async rows(text: string, values: Values): Promise<ColumnTexts[]> {
    const [rows] = await this.#pool.execute(statement(text, values));
    return Array.isArray(rows) ? rows.map(textColumns) : [];
  }

  /**
   * A statement that is a transaction of its own. If autocommit is off, it is rolled back: a later COMMIT
   * would still write it.
   */
  readonly write: RunWrite = (text, values) =>
    onConnection(this.#pool, async (connection) => {
      const [result] = await connection.execute(statement(text, values));
      assertAutocommit(result, 'none');
      return readWriteResult(result);
    });

  /** Commits what `act` did, or rolls it back if it gives undefined or throws. */
  async transaction<R>(act: (run: RunWrite) => Promise<R | undefined>): Promise<R | undefined> {
    return onConnection(this.#pool, async (connection) => {
      await connection.beginTransaction();
      const result = await act(async (text, values) => {
        const [written] = await connection.execute(statement(text, values));
        assertAutocommit(written, 'a transaction');
        return readWriteResult(written);
      });
      await (result === undefined ? connection.rollback() : connection.commit());
      return result;
    });
  }
}

/** Every selected column is text or bytes. */
function statement(text: string, values: Values): MysqlStatement {
  return {
    sql: text,
    values: [...values],
    rowsAsArray: true,
    nestTables: false,
    typeCast: (field) => {
      const inside = field.buffer();
      return inside === null ? null : Buffer.from(inside).toString();
    },
  };
}

/**
 * Before 2001, in milliseconds: the number of a row that a trigger of the app inserted, or 0 where it
 * inserted one.
 */
const mostRowIds = 1e12;

function readWriteResult(result: unknown): WriteResult {
  const { affectedRows, insertId } = Object(result) as { affectedRows?: unknown; insertId?: unknown };
  const time = Number(insertId);
  return { count: Number(affectedRows), modified: time > mostRowIds ? new Date(time) : undefined };
}
