import { library, requireInRoot } from '../harness/library.mjs';
import { fill, handWrittenOver, patchOver } from './patch-routes.mjs';

const { RedisStore } = library('stores/redis/index');
const { Redis } = requireInRoot('ioredis');

/** Keys of this server's own. */
async function storeOf({ urls, keys }) {
  const redis = new Redis(urls.redis, { autoResendUnfulfilledCommands: false });
  const prefix = `notes_${process.pid}:`;
  return { redis, prefix, store: await fill(new RedisStore(redis, { prefix }), keys) };
}

export async function ours(options) {
  const { store } = await storeOf(options);
  return patchOver(store);
}

/** On the same fields, by a script that compares the version, and tells the time as RedisStore does. */
export async function handWritten(options) {
  const { redis, prefix } = await storeOf(options);
  for (let id = 0; id < options.keys; id++) await redis.hset(`${prefix}${id}`, 'version', '1');
  const lua = `if redis.call('HGET', KEYS[1], 'version') ~= ARGV[3] then return 0 end
    redis.call('HSET', KEYS[1], 'value', ARGV[1], 'version', ARGV[2], 'modified', redis.call('TIME')[1])
    return 1`;
  redis.defineCommand('writeNote', { numberOfKeys: 1, lua });
  return handWrittenOver(
    async (id) => {
      const [value, version] = await redis.hmget(`${prefix}${id}`, 'value', 'version');
      return value === null ? undefined : { value, version };
    },
    async (value, next, id, version) => (await redis.writeNote(`${prefix}${id}`, value, next, version)) === 1,
  );
}
