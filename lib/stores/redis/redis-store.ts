import { expected, required, wholeNumber } from '../../config/expectation';
import { isObject } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { isEngineText, isStorableKey } from '../contract/key';
import { OutcomesByState, type OutcomeStore } from '../contract/outcome-store';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  throwIfAborted,
  type VersionedState,
  type WriteContext,
} from '../contract/resource-store';
import { createTextState, newVersion, toJsonText } from '../contract/serialize';
import {
  createRedisScript,
  isRedisClient,
  type RedisClient,
  type RedisScript,
  runScript,
  withTimeout,
} from './client';

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
 * Stores resources in Redis 5 or later, or in a Redis Cluster. Each resource is a hash at prefix + key, with
 * the fields `value` (JSON), `version`, `modified` (milliseconds since the epoch), and `outcomes` if it has
 * any.
 *
 * Without an append-only file, a restart loses everything since the last snapshot. A failover loses writes
 * that the replica had not received. Set `maxmemory-policy noeviction`.
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

/** The longest timeout of a Node timer. */
const maxTimeout = 2 ** 31 - 1;

const expectations: Expectations<keyof RedisStoreOptions> = {
  prefix: required({
    findIssue(prefix) {
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

/**
 * Reports every option with which a client resends commands after their connection broke. They may have been
 * carried out, and if another write came between, the second attempt looks like a lost race, and the patch is
 * applied again.
 *
 * - ioredis: `autoResendUnfulfilledCommands`, true by default, of a `Redis` and of the nodes of a `Cluster`
 * - `Cluster` of ioredis: `retryDelayOnFailover`, 100 by default, for commands that failed when their
 *   connection was closed
 * - `createSentinel` of node-redis: `maxCommandRediscovers`, 16 by default, which the client does not expose
 *
 * The other clients of node-redis resend only commands that were never written to a socket. A command that
 * was answered by MOVED, ASK or the like was not carried out there.
 */
function checkResending(check: OptionsCheck, client: object): void {
  const { options, startupNodes } = client as Readonly<Record<string, unknown>>;
  const resends = (option: string, value: unknown, fix: string, by = 'lets the client resend'): void => {
    const reason = `${by} writes that may already have been carried out`;
    check.mistake(option, value, { code: 'store-client-resends', reason, fix });
  };
  const checkNode = (path: string, node: object, name = 'autoResendUnfulfilledCommands'): void => {
    const value: unknown = Reflect.get(node, name);
    if (value !== false) resends(`${path}.${name}`, value, `Set ${name}: false (the default is true).`);
  };

  if ('getSentinelNode' in client) {
    const fix = 'Use ioredis with its option sentinels.';
    resends('client', 'createSentinel()', fix, 'makes a client that resends');
  } else if (isObject(options) && 'retryDelayOnFailover' in options) {
    const { retryDelayOnFailover, redisOptions } = options as Readonly<Record<string, unknown>>;
    if (retryDelayOnFailover !== 0) {
      resends('client.options.retryDelayOnFailover', retryDelayOnFailover, 'Set retryDelayOnFailover: 0.');
    }
    checkNode('client.options.redisOptions', isObject(redisOptions) ? redisOptions : {});
    // The options of one node override the options for all nodes.
    const nodes = Array.isArray(startupNodes) ? (startupNodes as unknown[]) : [];
    for (const [index, node] of nodes.entries()) {
      if (!isObject(node) || !('autoResendUnfulfilledCommands' in node)) continue;
      checkNode(`startupNodes[${index}]`, node);
    }
  } else if (isObject(options) && 'autoResendUnfulfilledCommands' in options) {
    checkNode('client.options', options);
  }
}

/**
 * Each script uses one key, so that a cluster runs it on that key's node, and returns a list of strings, or
 * nil.
 *
 * Reading is a script too: clients can send plain reads to replicas, which can be behind, but a script always
 * goes to the master.
 */
const scripts = {
  // The field of the outcomes is read only if ARGV names it.
  get: createRedisScript(`
local stored = redis.call('HMGET', KEYS[1], 'value', 'version', 'modified', unpack(ARGV))
if not stored[2] then return false end
if not (stored[1] and stored[3]) then
  return redis.error_reply('patch-options: the hash has no value or modified field')
end
stored[4] = stored[4] or ''
return stored`),

  replace: createRedisScript(`
local condition, expected, value, version, outcomes = unpack(ARGV)
local present = redis.call('HGET', KEYS[1], 'version')
if condition == 'absent' and present then return false end
if condition == 'version' and present ~= expected then return false end
local time = redis.call('TIME')
local modified = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'value', value, 'version', version, 'modified', modified)
if outcomes then redis.call('HSET', KEYS[1], 'outcomes', outcomes) end
return { modified }`),

  delete: createRedisScript(`
local version = redis.call('HGET', KEYS[1], 'version')
if not version or (ARGV[1] and ARGV[1] ~= version) then return false end
redis.call('DEL', KEYS[1])
return { version }`),
};
