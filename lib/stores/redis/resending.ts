import { isObject, type OptionsCheck } from '../../configuration';

/**
 * Notes every option by which a client sends commands again after their connection broke. They may have been carried out,
 * and where another write has come between, the second time looks like a lost race, and the patch is applied again.
 *
 * - ioredis: `autoResendUnfulfilledCommands`, true by default, of a `Redis` and of the nodes of a `Cluster`
 * - `Cluster` of ioredis: `retryDelayOnFailover`, 100 by default, for what failed as its connection was closed
 * - `createSentinel` of node-redis: `maxCommandRediscovers`, 16 by default, which the client does not show
 *
 * The other clients of node-redis send again only what was never written to a socket. What follows MOVED, ASK and other
 * answers of a node was not carried out there.
 */
export function checkResending(check: OptionsCheck, client: object): void {
  const { options, startupNodes } = client as Readonly<Record<string, unknown>>;
  const resends = (option: string, value: unknown, fix: string, by = 'lets the client send'): void => {
    const reason = `${by} a write again that may have been carried out`;
    check.mistake(option, value, { code: 'store-client-resends', reason, fix });
  };
  const checkNode = (path: string, node: object, name = 'autoResendUnfulfilledCommands'): void => {
    const value: unknown = Reflect.get(node, name);
    if (value !== false) resends(`${path}.${name}`, value, `Set ${name}: false, which is true by default.`);
  };

  if ('getSentinelNode' in client) {
    const fix = 'Give a client of ioredis that has the option sentinels.';
    resends('client', 'createSentinel()', fix, 'makes a client that sends');
  } else if (isObject(options) && 'retryDelayOnFailover' in options) {
    const { retryDelayOnFailover, redisOptions } = options as Readonly<Record<string, unknown>>;
    if (retryDelayOnFailover !== 0) {
      resends('client.options.retryDelayOnFailover', retryDelayOnFailover, 'Set retryDelayOnFailover: 0.');
    }
    checkNode('client.options.redisOptions', isObject(redisOptions) ? redisOptions : {});
    // What is set for one node comes before what is set for all.
    const nodes = Array.isArray(startupNodes) ? (startupNodes as unknown[]) : [];
    for (const [index, node] of nodes.entries()) {
      if (!isObject(node) || !('autoResendUnfulfilledCommands' in node)) continue;
      checkNode(`startupNodes[${index}]`, node);
    }
  } else if (isObject(options) && 'autoResendUnfulfilledCommands' in options) {
    checkNode('client.options', options);
  }
}
