import { createRedisScript } from './client';

/**
 * Each script uses one key, so that a cluster runs it on that key's node, and returns a list of strings, or
 * nil.
 *
 * Reading is a script too: clients can send plain reads to replicas, which can be behind, but a script always
 * goes to the master.
 */
export const scripts = {
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
