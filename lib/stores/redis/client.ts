import { createHash } from 'node:crypto';
import { isObject } from '../../configuration';

/** A `Redis` or `Cluster` of ioredis. */
export interface IoRedisClient {
  evalsha(sha: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** What `createClient`, `createClientPool` or `createCluster` of npm `redis` made. */
export interface NodeRedisClient {
  /** Of `createSentinel`, which sends writes again that may have been carried out. */
  readonly getSentinelNode?: never;
  evalSha(sha: string, options: ScriptParameters): Promise<unknown>;
  eval(script: string, options: ScriptParameters): Promise<unknown>;
}

interface ScriptParameters {
  keys: string[];
  arguments: string[];
}

/** A client of either driver. */
export type RedisClient = IoRedisClient | NodeRedisClient;

/** By the spelling of the one command that the two spell differently. */
export function isRedisClient(client: unknown): client is RedisClient {
  return isObject(client) && 'eval' in client && ('evalSha' in client || 'evalsha' in client);
}

/**
 * Redis has not answered within `commandTimeout`: a write may have been carried out, or may still be, where the client holds
 * it back until it is connected again.
 */
export class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';
  readonly code = 'PATCH_OPTIONS_REDIS_TIMEOUT';

  /** @param milliseconds - as given to the store */
  constructor(milliseconds: number) {
    super(
      `Redis has not answered within ${milliseconds} ms. A write may have been carried out, or may still be.`,
    );
  }
}

/**
 * What a command gives, or a RedisTimeoutError. Drivers have a time limit of their own that is off by default (ioredis), or
 * ends once the command is written (node-redis), and ioredis forgets commands that were in flight when a connection broke.
 */
export function inTime<R>(command: Promise<R>, milliseconds: number): Promise<R> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // An answer that has come while the event loop was busy is read first.
      setImmediate(() => {
        reject(new RedisTimeoutError(milliseconds));
      });
    }, milliseconds);
    command.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** A Lua script and the name that Redis keeps it under. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function redisScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/**
 * Runs a script on one key: by its SHA-1, and in full where the node does not know it (yet, or since it was restarted).
 * The cluster's clients send it to that key's node and follow redirections.
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
