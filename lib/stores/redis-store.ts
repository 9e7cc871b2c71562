import { OptionsCheck } from '../configuration';
import { storedText, toJsonText } from './json-text';
import { isEngineText, isHeld } from './key';
import { type RedisClient, redisDialect, RedisScript, scriptRunner, type RunScript } from './redis-client';
import { type ResourceStore, type StoreContext, type Stored, throwIfAborted } from './resource-store';
import { newVersion } from './version';

export interface RedisStoreOptions {
  /** What every key begins with: `notes:`. May be empty, said out loud. */
  readonly prefix: string;
}

/**
 * Resources in Redis 5 or later, or a Redis Cluster: each a hash at prefix + key, with the fields `value` (the value as
 * JSON), `version` and `modified` (milliseconds of the epoch).
 *
 * Redis acknowledges what it has in memory. Without an append-only file a restart loses everything since the last
 * snapshot; with `appendfsync everysec` a loss of power loses the last second, with `always` nothing. A failover loses
 * what the replica had not heard of yet, whatever is set. And it needs `maxmemory-policy noeviction`.
 */
export class RedisStore<T = unknown> implements ResourceStore<T> {
  readonly #run: RunScript;
  readonly #prefix: string;

  /**
   * @param client - of ioredis or of node-redis, connected and closed by the host
   * @throws ConfigurationError
   */
  constructor(client: RedisClient, options: RedisStoreOptions) {
    const check = new OptionsCheck('new RedisStore()');
    check.names(options, ['prefix']);
    const { prefix } = options;
    if (typeof prefix !== 'string') {
      check.mistake('prefix', prefix, 'is no string', "Give what the keys begin with: 'notes:'.");
    } else if (!isEngineText(prefix)) {
      check.mistake('prefix', prefix, 'holds a NUL or a lone surrogate', 'Leave it out.');
    }
    if (redisDialect(client) === undefined) {
      const fix = 'Give a Redis or Cluster of ioredis, or what createClient or createCluster of redis made.';
      check.mistake('client', client, 'is no client that runs scripts', fix);
    }
    check.done();
    this.#run = scriptRunner(client);
    this.#prefix = prefix;
  }

  async get(key: string, context: StoreContext = {}): Promise<Stored<T> | undefined> {
    if (!isHeld(key)) return undefined;
    const reply = await this.#send(scripts.get, key, [], context);
    if (reply === undefined) return undefined;
    const [value = '', version = '', modified] = reply;
    return storedText(value, version, new Date(Number(modified)));
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: StoreContext = {},
  ): Promise<Stored<T> | undefined> {
    if (!isHeld(key, expected)) return undefined;
    const value = toJsonText(next, context.maxBytes);
    const version = newVersion();
    const condition = expected === null ? ['absent', ''] : ['version', expected];
    const reply = await this.#send(scripts.replace, key, [...condition, value, version], context);
    return reply && storedText(value, version, new Date(Number(reply[0])));
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
    const reply = await this.#run(script, this.#prefix + key, parameters);
    return Array.isArray(reply) ? reply.map(String) : undefined;
  }
}

/**
 * Each touches one key, so that a cluster runs it where the key lives, and returns a list of strings, or nil.
 *
 * Reading is a script too: clients that spread reads send plain ones to replicas, which may be behind; a script always
 * goes to the master.
 */
const scripts = {
  get: new RedisScript(`
local stored = redis.call('HMGET', KEYS[1], 'value', 'version', 'modified')
if not stored[2] then return false end
if not (stored[1] and stored[3]) then return redis.error_reply('patch-options: the hash lacks value or modified') end
return stored`),

  // A client that lost its connection may send a write again that was carried out: its own version tells.
  replace: new RedisScript(`
local condition, expected, value, version = unpack(ARGV)
local stored = redis.call('HMGET', KEYS[1], 'version', 'modified')
if stored[1] == version then return { stored[2] } end
if condition == 'absent' and stored[1] then return false end
if condition == 'version' and stored[1] ~= expected then return false end
local time = redis.call('TIME')
local modified = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'value', value, 'version', version, 'modified', modified)
return { modified }`),

  delete: new RedisScript(`
local version = redis.call('HGET', KEYS[1], 'version')
if not version or (ARGV[1] and ARGV[1] ~= version) then return false end
redis.call('DEL', KEYS[1])
return { version }`),
};
