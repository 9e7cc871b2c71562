import { createHash } from 'node:crypto';

/** A `Redis` or `Cluster` of ioredis. */
export interface IoRedisClient {
  evalsha(sha: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** What `createClient`, `createClientPool`, `createCluster` or `createSentinel` of node-redis (npm `redis`) made. */
export interface NodeRedisClient {
  evalSha(sha: string, options: ScriptParameters): Promise<unknown>;
  eval(script: string, options: ScriptParameters): Promise<unknown>;
}

interface ScriptParameters {
  keys: string[];
  arguments: string[];
}

/** A client of either driver, as the host made it. */
export type RedisClient = IoRedisClient | NodeRedisClient;

/** Which of the two a client is, by the spelling of the one command that they spell differently. */
export function redisDialect(client: unknown): 'ioredis' | 'node-redis' | undefined {
  if (typeof client !== 'object' || client === null || !('eval' in client)) return undefined;
  if ('evalSha' in client) return 'node-redis';
  return 'evalsha' in client ? 'ioredis' : undefined;
}

/** Runs a script on one key. The cluster's clients send it to that key's node and follow redirections. */
export type RunScript = (script: RedisScript, key: string, parameters: string[]) => Promise<unknown>;

/** A Lua script and the name that Redis keeps it under. */
export class RedisScript {
  readonly sha: string;

  constructor(readonly text: string) {
    this.sha = createHash('sha1').update(text).digest('hex');
  }
}

/** Sends a script by its SHA-1, and in full where the node does not know it (yet, or since it was restarted). */
export function scriptRunner(client: RedisClient): RunScript {
  const [bySha, inFull] = 'evalSha' in client ? nodeRedis(client) : ioRedis(client);
  return async (script, key, parameters) => {
    try {
      return await bySha(script.sha, key, parameters);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return inFull(script.text, key, parameters);
    }
  };
}

type Send = (script: string, key: string, parameters: string[]) => Promise<unknown>;

function nodeRedis(client: NodeRedisClient): [bySha: Send, inFull: Send] {
  return [
    (sha, key, parameters) => client.evalSha(sha, { keys: [key], arguments: parameters }),
    (text, key, parameters) => client.eval(text, { keys: [key], arguments: parameters }),
  ];
}

function ioRedis(client: IoRedisClient): [bySha: Send, inFull: Send] {
  return [
    (sha, key, parameters) => client.evalsha(sha, 1, key, ...parameters),
    (text, key, parameters) => client.eval(text, 1, key, ...parameters),
  ];
}
