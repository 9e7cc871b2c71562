import type { PatchRequest } from '../../http/routed-request';
import type { OutcomeToKeep } from '../contract/resource-store';
import { bytes, type MysqlConnections, type RunWrite, type WriteResult } from './connections';
import { type Place, placeIn } from './outcomes';
import { isDuplicate } from './pool';
import { spanParameters, type createMysqlStatements } from './statements';

/** A requested write. */
export interface MysqlWrite {
  readonly key: string;
  readonly expected: string | null;
  readonly value: string;
  readonly version: string;
  readonly request: PatchRequest | undefined;
}

/** The conditional writes of `MysqlStore`: each gives undefined if nothing was written. */
export class MysqlWriter {
  readonly #connections: MysqlConnections;
  readonly #sql: ReturnType<typeof createMysqlStatements>;

  constructor(connections: MysqlConnections, sql: ReturnType<typeof createMysqlStatements>) {
    this.#connections = connections;
    this.#sql = sql;
  }

  write(write: MysqlWrite): Promise<WriteResult | undefined> {
    return this.#write(write, this.#connections.write);
  }

  /**
   * The existing outcomes are read before the transaction, so that it holds locks for only three statements.
   * Every outcome comes with a new version, so none has been added while the version is still the expected
   * one.
   */
  async writeWithOutcome(write: MysqlWrite, outcome: OutcomeToKeep): Promise<WriteResult | undefined> {
    const { id, scope, maxAge } = outcome;
    const place = await this.#findPlace(write, outcome);
    if (place === undefined) return undefined;
    const [key, text] = [bytes(write.key), bytes(outcome.text(write.version))];
    const { number, scopeNumber } = place;
    return this.#connections.transaction(async (run) => {
      const written = await this.#write(write, run);
      if (written === undefined) return undefined;
      await run(this.#sql.outcomes.keep, [
        ...[key, String(number), scope, String(scopeNumber), id, text, String(maxAge)],
      ]);
      return written;
    });
  }

  /**
   * @returns undefined if nothing is to be written: the version is another, or there is an outcome of that id
   */
  async #findPlace({ key, expected }: MysqlWrite, outcome: OutcomeToKeep): Promise<Place | undefined> {
    if (expected === null) return { number: 1, scopeNumber: 1 };
    const { id, scope } = outcome;
    const parameters = spanParameters<string | Buffer>(bytes(key), id, scope, bytes(expected));
    const [span] = await this.#connections.rows(this.#sql.outcomes.span, parameters);
    const place = span && placeIn(span, outcome);
    if (place?.isOver === true) {
      await this.#connections.write(this.#sql.outcomes.forget, [bytes(key), String(place.first), id]);
    }
    return place;
  }

  /** @returns undefined if the version is another, or the key exists already */
  async #write(
    { key, expected, value, version }: MysqlWrite,
    run: RunWrite,
  ): Promise<WriteResult | undefined> {
    try {
      const written = await (expected === null
        ? run(this.#sql.insert, [key, value, version].map(bytes))
        : run(this.#sql.update, [value, version, key, expected].map(bytes)));
      return written.count === 0 ? undefined : written;
    } catch (error) {
      if (expected === null && isDuplicate(error)) return undefined;
      throw error;
    }
  }
}
