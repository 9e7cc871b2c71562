import { OptionsCheck } from '../../configuration';
import { storedText, toJsonText } from '../contract/serialize';
import { isEngineText, isHeld } from '../contract/key';
import { outcomesFull, type OutcomeStore } from '../contract/outcome-store';
import { isRedisClient, type RedisClient, type RedisScript, runScript } from './client';
import { scripts } from './scripts';
import {
  type ReadContext,
  type StoreContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { newVersion } from '../contract/version';

/** Options of `RedisStore`. */
export interface RedisStoreOptions {
  /** What every key begins with: `notes:`. May be empty. */
  readonly prefix: string;
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

  /**
   * @param client - connected and closed by the host
   * @throws ConfigurationError
   */
  constructor(client: RedisClient, options: RedisStoreOptions) {
    const check = new OptionsCheck('new RedisStore()');
    if (!isRedisClient(client)) {
      check.mistake('client', client, {
        code: 'store-client-unknown',
        reason: 'is no client that runs scripts',
        fix: 'Give one of ioredis or node-redis.',
      });
    }
    check.names(options, ['prefix']);
    const { prefix } = options;
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
    context: StoreContext = {},
  ): Promise<string[] | undefined> {
    throwIfAborted(context);
    const reply = await runScript(this.#client, script, this.#prefix + key, parameters);
    return Array.isArray(reply) ? reply.map(String) : undefined;
  }
}
