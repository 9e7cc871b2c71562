import { redisScript } from './client';

/** Milliseconds of the epoch, by the engine's clock. */
const clock = `local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/** An outcome is kept as its number, when it is over its age in milliseconds, and its text. */
const outcome = `local function parts(kept)
  local number, expires, text = string.match(kept or '', '^(%d+) (%d+) (.*)$')
  return tonumber(number), tonumber(expires), text
end`;

/**
 * Each touches one key, so that a cluster runs it where the key lives, and returns a list of strings, or nil.
 *
 * Reading is a script too: clients that spread reads send plain ones to replicas, which may be behind; a script always
 * goes to the master.
 */
export const scripts = {
  get: redisScript(`
${clock}
${outcome}
local stored = redis.call('HMGET', KEYS[1], 'value', 'version', 'modified')
if not stored[2] then return false end
if not (stored[1] and stored[3]) then return redis.error_reply('patch-options: the hash lacks value or modified') end
if ARGV[1] then
  local _, expires, text = parts(redis.call('HGET', KEYS[1], 'outcome:' .. ARGV[1]))
  if expires and expires > clock() then stored[4] = text end
end
return stored`),

  // A client that lost its connection may send a write again that was carried out: its own version tells.
  // The oldest outcomes are forgotten while they are over their age; of those whose id was taken again, the number alone.
  replace: redisScript(`
${clock}
${outcome}
local condition, expected, value, version, id, text, keep, maxAge = unpack(ARGV)
local stored = redis.call('HMGET', KEYS[1], 'version', 'modified', 'first', 'last')
if stored[1] == version then return { stored[2] } end
if condition == 'absent' and stored[1] then return false end
if condition == 'version' and stored[1] ~= expected then return false end
local now = clock()

if id then
  local _, expires = parts(redis.call('HGET', KEYS[1], 'outcome:' .. id))
  if expires and expires > now then return false end

  local first, last = tonumber(stored[3] or 1), tonumber(stored[4] or 0)
  while first <= last do
    local oldest = 'outcome:' .. (redis.call('HGET', KEYS[1], 'id:' .. first) or '')
    local number, expires = parts(redis.call('HGET', KEYS[1], oldest))
    if number == first and expires > now then
      if last - first + 1 >= tonumber(keep) then return { '', string.format('%.0f', expires - now) } end
      break
    end
    redis.call('HDEL', KEYS[1], 'id:' .. first)
    if number == first then redis.call('HDEL', KEYS[1], oldest) end
    first = first + 1
  end

  last = last + 1
  redis.call('HSET', KEYS[1], 'first', first, 'last', last, 'id:' .. last, id,
    'outcome:' .. id, string.format('%.0f %.0f ', last, now + maxAge) .. text)
end

local modified = string.format('%.0f', now)
redis.call('HSET', KEYS[1], 'value', value, 'version', version, 'modified', modified)
return { modified }`),

  delete: redisScript(`
local version = redis.call('HGET', KEYS[1], 'version')
if not version or (ARGV[1] and ARGV[1] ~= version) then return false end
redis.call('DEL', KEYS[1])
return { version }`),
};
