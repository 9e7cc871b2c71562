import { isObject } from '../../config/object';
import type { OptionsCheck } from '../../config/options-check';

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
 * The other clients of node-redis resend only what was never written to a socket. A command that was answered
 * by MOVED, ASK or the like was not carried out there.
 */
export function checkResending(check: OptionsCheck, client: object): void {
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
    // The options of one node override those for all.
    const nodes = Array.isArray(startupNodes) ? (startupNodes as unknown[]) : [];
    for (const [index, node] of nodes.entries()) {
      if (!isObject(node) || !('autoResendUnfulfilledCommands' in node)) continue;
      checkNode(`startupNodes[${index}]`, node);
    }
  } else if (isObject(options) && 'autoResendUnfulfilledCommands' in options) {
    checkNode('client.options', options);
  }
}
