import { createHash } from 'node:crypto';
import { isObject } from '../../configuration';

/** A `Redis` or `Cluster` of ioredis. */
export interface IoRedisClient {
  evalsha(sha: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** What `createClient`, `createClientPool`, `createCluster` or `createSentinel` of npm `redis` made. */
export interface NodeRedisClient {
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
