import { expected, required, wholeNumber } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { createTextState, toJsonText } from '../contract/serialize';
import { isEngineText, isStorableKey } from '../contract/key';
import type { OutcomeStore } from '../contract/outcome-store';
import { OutcomesByState } from '../contract/outcomes-by-state';
import { withTimeout, isRedisClient, type RedisClient, type RedisScript, runScript } from './client';
import { checkResending } from './resending';
import { scripts } from './scripts';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  type VersionedState,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { newVersion } from '../contract/version';

/** The longest timeout of a Node timer. */
const maxTimeout = 2 ** 31 - 1;

/** Options of `RedisStore`. */
export interface RedisStoreOptions {
  /** The prefix of every Redis key, such as `notes:`. It can be empty. */
  readonly prefix: string;
  /**
   * How many milliseconds a command can take. After that, it fails with a RedisTimeoutError, and a write may
   * have been carried out. Default 5,000.
   */
  readonly commandTimeout?: number;
}

/**
 * Stores resources in Redis 5 or later, or in a Redis Cluster. Each is a hash at prefix + key, with the
 * fields `value` (JSON), `version`, `modified` (milliseconds since the epoch), and `outcomes` if it has any.
 *
 * Without an append-only file a restart loses everything since the last snapshot; a failover loses what the
 * replica had not received. Set `maxmemory-policy noeviction`.
 */
export class RedisStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #commandTimeout: number;
  readonly #outcomes = new OutcomesByState('the field outcomes');

  /**
   * @param client - your app connects and closes it
   * @throws ConfigurationError with every mistake; also for a client that resends writes after its connection
   *   broke: ioredis needs `autoResendUnfulfilledCommands: false`, for a Cluster in `redisOptions`, together
   *   with `retryDelayOnFailover: 0`
   */
  constructor(client: RedisClient, options: RedisStoreOptions) {
    const check = new OptionsCheck('new RedisStore()');
    check.value('client', client, clientExpectation);
    if (isRedisClient(client)) checkResending(check, client);
    const { prefix, commandTimeout = 5_000 } = check.options(options, expectations);
    check.done();
    this.#client = client;
    this.#prefix = prefix;
    this.#commandTimeout = commandTimeout;
  }

  async get(key: string, context: ReadContext = noContext): Promise<VersionedState<T> | undefined> {
    if (!isStorableKey(key)) return undefined;
    const { outcome } = context;
    const parameters = outcome === undefined ? [] : ['outcomes'];
    const reply = await this.#send(scripts.get, key, parameters, context);
    if (reply === undefined) return undefined;
    const [value = '', version = '', modified, outcomes] = reply;
    const state = createTextState<T>(value, version, new Date(Number(modified)));
    return outcome === undefined ? state : this.#outcomes.addOutcome(state, outcomes, outcome.id);
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<VersionedState<T> | undefined> {
    if (!isStorableKey(key, expected)) return undefined;
    const value = toJsonText(next, context.maxBytes);
    const version = newVersion();
    const parameters = [expected === null ? 'absent' : 'version', expected ?? '', value, version];
    if (context.outcome !== undefined) {
      const next = await this.#outcomes.nextText(this, { key, expected, version }, context.outcome, context);
      if (next === undefined) return undefined;
      parameters.push(next);
    }
    const reply = await this.#send(scripts.replace, key, parameters, context);
    return reply && createTextState(value, version, new Date(Number(reply[0])));
  }

  /**
   * Deletes a resource and its outcomes.
   *
   * @param expected - the version to delete; any, if left out
   * @returns whether a resource was deleted
   */
  async delete(key: string, expected?: string, context?: StoreContext): Promise<boolean> {
    if (!isStorableKey(key, expected)) return false;
    const parameters = expected === undefined ? [] : [expected];
    return (await this.#send(scripts.delete, key, parameters, context)) !== undefined;
  }

  async #send(
    script: RedisScript,
    key: string,
    parameters: string[],
    context: StoreContext = noContext,
  ): Promise<string[] | undefined> {
    throwIfAborted(context);
    const running = runScript(this.#client, script, this.#prefix + key, parameters);
    const reply = await withTimeout(running, this.#commandTimeout);
    return Array.isArray(reply) ? reply.map(String) : undefined;
  }
}

const clientExpectation = expected(isRedisClient, {
  code: 'store-client-unknown',
  reason: 'must be a Redis client that runs scripts',
  fix: 'Pass new Redis(…) of ioredis or createClient(…) of redis.',
});

const expectations: Expectations<keyof RedisStoreOptions> = {
  prefix: required({
    findFault(prefix) {
      if (typeof prefix !== 'string') {
        const fix = "Write the prefix of all keys, such as 'notes:'.";
        return { code: 'option-type', reason: 'must be a string', fix };
      }
      if (isEngineText(prefix)) return undefined;
      const reason = 'contains NUL or a lone surrogate';
      return { code: 'store-name-invalid', reason, fix: 'Remove that character.' };
    },
  }),
  commandTimeout: wholeNumber(
    1,
    maxTimeout,
    `Write a whole number from 1 to ${maxTimeout}, such as 5000 for five seconds.`,
    'must be a number of milliseconds',
  ),
};
