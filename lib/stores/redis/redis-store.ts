import { OptionsCheck } from '../../configuration';
import { storedText, toJsonText } from '../contract/serialize';
import { isEngineText, isHeld } from '../contract/key';
import { outcomesFull, type OutcomeStore } from '../contract/outcome-store';
import { inTime, isRedisClient, type RedisClient, type RedisScript, runScript } from './client';
import { checkResending } from './resending';
import { scripts } from './scripts';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { newVersion } from '../contract/version';

/** What timers of Node take. */
const longestTimeout = 2 ** 31 - 1;

/** Options of `RedisStore`. */
export interface RedisStoreOptions {
  /** What every key begins with: `notes:`. May be empty. */
  readonly prefix: string;
  /**
   * Milliseconds after which a command that has no answer fails with a RedisTimeoutError: a write may have been carried
   * out. Default 5,000.
   */
  readonly commandTimeout?: number;
}

// Outcomes are fields of the same hash: `outcome:<id>`, and its place in two lists, that of all (`id:<number>`, with `first`,
// `last` and `count`) and that of its scope (`id:<scope>:<number>`, with `first:<scope>` and so on). So they are written,
// expire and are deleted with their resource, and in a cluster they move with it: a script has one key.
/**
 * Resources in Redis 5 or later, or a Redis Cluster: each a hash at prefix + key, with the fields `value` (JSON), `version`,
 * `modified` (milliseconds of the epoch), and those of its outcomes.
 *
 * Without an append-only file a restart loses all since the last snapshot; a failover loses what the replica had not
 * heard of. Set `maxmemory-policy noeviction`.
 */
export class RedisStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #commandTimeout: number;

  /**
   * @param client - connected and closed by the host
   * @throws ConfigurationError also for a client that sends writes again after its connection broke: ioredis is to have
   *   `autoResendUnfulfilledCommands: false`, in `redisOptions` of a Cluster, and that `retryDelayOnFailover: 0`
   */
  constructor(client: RedisClient, options: RedisStoreOptions) {
    const check = new OptionsCheck('new RedisStore()');
    if (!isRedisClient(client)) {
      check.mistake('client', client, {
        code: 'store-client-unknown',
        reason: 'is no client that runs scripts',
        fix: 'Give one of ioredis or node-redis.',
      });
    } else {
      checkResending(check, client);
    }
    const { prefix, commandTimeout = 5_000 } = check.names(options, ['prefix', 'commandTimeout']);
    if (typeof prefix !== 'string') {
      check.mistake('prefix', prefix, {
        code: 'option-type',
        reason: 'is no string',
        fix: "Give what the keys begin with: 'notes:'.",
      });
    } else if (!isEngineText(prefix)) {
      check.mistake('prefix', prefix, {
        code: 'store-name-invalid',
        reason: 'holds a NUL or a lone surrogate',
        fix: 'Leave it out.',
      });
    }
    if (!Number.isInteger(commandTimeout) || commandTimeout < 1 || commandTimeout > longestTimeout) {
      check.mistake('commandTimeout', commandTimeout, {
        code: 'option-value',
        reason: 'is not a number of milliseconds that a timer takes',
        fix: `Give a whole number from 1 to ${longestTimeout}.`,
      });
    }
    check.done();
    this.#client = client;
    this.#prefix = prefix;
    this.#commandTimeout = commandTimeout;
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    if (!isHeld(key)) return undefined;
    const parameters = context.outcome === undefined ? [] : [context.outcome.id];
    const reply = await this.#send(scripts.get, key, parameters, context);
    if (reply === undefined) return undefined;
    const [value = '', version = '', modified, kept] = reply;
    return storedText(value, version, new Date(Number(modified)), kept);
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<Stored<T> | undefined> {
    if (!isHeld(key, expected)) return undefined;
    const value = toJsonText(next, context.maxBytes);
    const version = newVersion();
    const parameters = [expected === null ? 'absent' : 'version', expected ?? '', value, version];
    const { outcome } = context;
    if (outcome !== undefined) {
      const { id, text, scope, keep, total, maxAge } = outcome;
      parameters.push(id, text(version), scope, String(keep), String(total), String(maxAge * 1_000));
    }
    const reply = await this.#send(scripts.replace, key, parameters, context);
    if (reply === undefined) return undefined;
    const [modified, milliseconds] = reply;
    if (milliseconds !== undefined) throw outcomesFull(Number(milliseconds) / 1_000);
    return storedText(value, version, new Date(Number(modified)));
  }

  /**
   * @param expected - the version to delete; left out, whichever it is
   * @returns whether there was one
   */
  async delete(key: string, expected?: string): Promise<boolean> {
    if (!isHeld(key, expected)) return false;
    const parameters = expected === undefined ? [] : [expected];
    return (await this.#send(scripts.delete, key, parameters)) !== undefined;
  }

  async #send(
    script: RedisScript,
    key: string,
    parameters: string[],
    context: StoreContext = noContext,
  ): Promise<string[] | undefined> {
    throwIfAborted(context);
    const running = runScript(this.#client, script, this.#prefix + key, parameters);
    const reply = await inTime(running, this.#commandTimeout);
    return Array.isArray(reply) ? reply.map(String) : undefined;
  }
}
