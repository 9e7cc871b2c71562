import { createHash } from 'node:crypto';
import { isObject } from '../../config/object';

/** A `Redis` or `Cluster` of ioredis. */
export interface IoRedisClient {
  evalsha(sha: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** A client that `createClient`, `createClientPool` or `createCluster` of npm `redis` made. */
export interface NodeRedisClient {
  /** Only clients of `createSentinel` have it. They resend writes that may have been carried out. */
  readonly getSentinelNode?: never;
  evalSha(sha: string, options: ScriptParameters): Promise<unknown>;
  eval(script: string, options: ScriptParameters): Promise<unknown>;
}

interface ScriptParameters {
  keys: string[];
  arguments: string[];
}

/** A Redis client of ioredis or npm `redis`. */
export type RedisClient = IoRedisClient | NodeRedisClient;

/** Recognises a client by the command that the two drivers spell differently. */
export function isRedisClient(client: unknown): client is RedisClient {
  return isObject(client) && 'eval' in client && ('evalSha' in client || 'evalsha' in client);
}

/**
 * Redis did not answer within `commandTimeout`. A write may have been carried out, or may still be, if the client
 * queues it until it is connected again.
 */
export class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';
  readonly code = 'PATCH_OPTIONS_REDIS_TIMEOUT';

  /** @param milliseconds - the option `commandTimeout` of the store */
  constructor(milliseconds: number) {
    super(
      `Redis did not answer within ${milliseconds} ms. Check the connection. ` +
        'If the command was a write, it may have been carried out: read the resource before a retry.',
    );
  }
}

/**
 * Awaits a command, or throws a RedisTimeoutError. The drivers' own time limits are off by default (ioredis)
 * or end once the command is written (node-redis), and ioredis forgets the commands in flight when a
 * connection breaks.
 */
export function withTimeout<R>(command: Promise<R>, milliseconds: number): Promise<R> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // An answer that arrived while the event loop was busy is read first.
      setImmediate(() => {
        reject(new RedisTimeoutError(milliseconds));
      });
    }, milliseconds);
    command.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** A Lua script, and the hash under which Redis caches it. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function createRedisScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/**
 * Runs a script on one key: by its SHA-1, or in full if the node does not have it (not yet, or not since its
 * restart). Cluster clients send it to that key's node and follow redirections.
 */
export async function runScript(
  client: RedisClient,
  { text, sha }: RedisScript,
  key: string,
  parameters: string[],
): Promise<unknown> {
  const options = { keys: [key], arguments: parameters };
  try {
    return await ('evalSha' in client
      ? client.evalSha(sha, options)
      : client.evalsha(sha, 1, key, ...parameters));
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return 'evalSha' in client ? client.eval(text, options) : client.eval(text, 1, key, ...parameters);
  }
}
