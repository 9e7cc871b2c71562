import { OptionsCheck } from '../configuration';
import { storedText, toJsonText } from './json-text';
import { isEngineText, isHeld } from './key';
import { outcomesFull, type OutcomeStore } from './outcome-store';
import { isRedisClient, type RedisClient, type RedisScript, runScript } from './redis-client';
import { scripts } from './redis-scripts';
import {
  type ReadContext,
  type StoreContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from './resource-store';
import { newVersion } from './version';

/** Options of `RedisStore`. */
export interface RedisStoreOptions {
  /** What every key begins with: `notes:`. May be empty, said out loud. */
  readonly prefix: string;
}

/**
 * Resources in Redis 5 or later, or a Redis Cluster: each a hash at prefix + key, with the fields `value` (the value as
 * JSON), `version` and `modified` (milliseconds of the epoch), and beside them, where outcomes are kept, `first`, `last` and
 * two fields for each: `id:<number>` and `outcome:<id>`. So they are written, expire and are deleted with their resource,
 * and in a cluster they move with it: a script has one key.
 *
 * Redis acknowledges what it has in memory. Without an append-only file a restart loses everything since the last
 * snapshot; with `appendfsync everysec` a loss of power loses the last second, with `always` nothing. A failover loses
 * what the replica had not heard of yet, whatever is set. And it needs `maxmemory-policy noeviction`.
 */
export class RedisStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #client: RedisClient;
  readonly #prefix: string;

  /**
   * @param client - of ioredis or of node-redis, connected and closed by the host
   * @throws ConfigurationError
   */
  constructor(client: RedisClient, options: RedisStoreOptions) {
    const check = new OptionsCheck('new RedisStore()');
    if (!isRedisClient(client)) {
      check.mistake('client', client, 'is no client that runs scripts', 'Give one of ioredis or node-redis.');
    }
    check.names(options, ['prefix']);
    const { prefix } = options;
    if (typeof prefix !== 'string') {
      check.mistake('prefix', prefix, 'is no string', "Give what the keys begin with: 'notes:'.");
    } else if (!isEngineText(prefix)) {
      check.mistake('prefix', prefix, 'holds a NUL or a lone surrogate', 'Leave it out.');
    }
    check.done();
    this.#client = client;
    this.#prefix = prefix;
  }

  async get(key: string, context: ReadContext = {}): Promise<Stored<T> | undefined> {
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
    context: WriteContext = {},
  ): Promise<Stored<T> | undefined> {
    if (!isHeld(key, expected)) return undefined;
    const value = toJsonText(next, context.maxBytes);
    const version = newVersion();
    const parameters = [expected === null ? 'absent' : 'version', expected ?? '', value, version];
    const { outcome } = context;
    if (outcome !== undefined) {
      const { id, text, keep, maxAge } = outcome;
      parameters.push(id, text(version), String(keep), String(maxAge * 1_000));
    }
    const reply = await this.#send(scripts.replace, key, parameters, context);
    if (reply === undefined) return undefined;
    const [modified, milliseconds] = reply;
    if (milliseconds !== undefined) throw outcomesFull(Number(milliseconds) / 1_000);
    return storedText(value, version, new Date(Number(modified)));
  }

  /**
   * @param expected - delete only while the version is this one; left out, whatever it is
   * @returns whether there was something to delete
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
    context: StoreContext = {},
  ): Promise<string[] | undefined> {
    throwIfAborted(context);
    const reply = await runScript(this.#client, script, this.#prefix + key, parameters);
    return Array.isArray(reply) ? reply.map(String) : undefined;
  }
}
