import { redisScript } from './client';

/** Milliseconds since the epoch, by the clock of Redis. */
const clock = `local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/** An outcome is stored with its two numbers, its scope, and its expiry in milliseconds since the epoch. */
const outcome = `local function kept(id)
  local text = id and redis.call('HGET', KEYS[1], 'outcome:' .. id) or ''
  local number, scope, ofScope, expires, text = string.match(text, '^(%d+) (%S+) (%d+) (%d+) (.*)$')
  return { number = number, scope = scope, ofScope = ofScope, expires = tonumber(expires), text = text }
end`;

/**
 * The outcomes of a resource form a list, and those of each scope another: ids by their numbers, in the order
 * of the writes. `first` is the lowest number that can exist, `last` the highest. An empty list has no
 * fields.
 */
const lists = `local function lists(scope)
  return ipairs({ '', ':' .. scope })
end

local function forget(id, outcome)
  redis.call('HDEL', KEYS[1], 'outcome:' .. id, 'id:' .. outcome.number,
    'id:' .. outcome.scope .. ':' .. outcome.ofScope)
  for _, list in lists(outcome.scope) do
    if redis.call('HINCRBY', KEYS[1], 'count' .. list, -1) == 0 then
      redis.call('HDEL', KEYS[1], 'count' .. list, 'first' .. list, 'last' .. list)
    end
  end
end

local function wait(list, most, now)
  local count, first = unpack(redis.call('HMGET', KEYS[1], 'count' .. list, 'first' .. list))
  count, first = tonumber(count or 0), tonumber(first or 1)
  local begin, milliseconds = first, 0
  while count > 0 and (count >= most or first < begin + 10) do
    local id = redis.call('HGET', KEYS[1], 'id' .. list .. ':' .. first)
    if id then
      local outcome = kept(id)
      if outcome.expires > now then
        if count >= most then milliseconds = outcome.expires - now end
        break
      end
      forget(id, outcome)
      count = count - 1
    end
    first = first + 1
  end
  if count > 0 and first > begin then redis.call('HSET', KEYS[1], 'first' .. list, first) end
  return milliseconds
end

local function keep(id, scope, expires, text)
  local numbers = {}
  for _, list in lists(scope) do
    local number = redis.call('HINCRBY', KEYS[1], 'last' .. list, 1)
    redis.call('HINCRBY', KEYS[1], 'count' .. list, 1)
    redis.call('HSET', KEYS[1], 'id' .. list .. ':' .. number, id)
    table.insert(numbers, number)
  end
  local parts = { numbers[1], scope, numbers[2], string.format('%.0f', expires), text }
  redis.call('HSET', KEYS[1], 'outcome:' .. id, table.concat(parts, ' '))
end`;

/**
 * Each script uses one key, so that a cluster runs it on that key's node, and returns a list of strings, or
 * nil.
 *
 * Reading is a script too: clients can send plain reads to replicas, which can be behind, but a script always
 * goes to the master.
 */
export const scripts = {
  get: redisScript(`
${clock}
${outcome}
local stored = redis.call('HMGET', KEYS[1], 'value', 'version', 'modified')
if not stored[2] then return false end
if not (stored[1] and stored[3]) then
  return redis.error_reply('patch-options: the hash has no value or modified field')
end
if ARGV[1] then
  local outcome = kept(ARGV[1])
  if outcome.expires and outcome.expires > clock() then stored[4] = outcome.text end
end
return stored`),

  // Each write deletes a few of the oldest expired outcomes, and at least as many as make room for one.
  replace: redisScript(`
${clock}
${outcome}
${lists}
local condition, expected, value, version, id, text, scope, keepOfScope, total, maxAge = unpack(ARGV)
local present = redis.call('HGET', KEYS[1], 'version')
if condition == 'absent' and present then return false end
if condition == 'version' and present ~= expected then return false end
local now = clock()

if id then
  local outcome = kept(id)
  if outcome.expires then
    if outcome.expires > now then return false end
    forget(id, outcome)
  end
  local milliseconds = math.max(
    wait('', tonumber(total), now),
    wait(':' .. scope, tonumber(keepOfScope), now)
  )
  if milliseconds > 0 then return { '', string.format('%.0f', milliseconds) } end
  keep(id, scope, now + maxAge, text)
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
