-- counter: add ARGV[1] to the whole number at KEYS[1]; a missing key counts as 0.
-- Lua numbers are doubles: what lies beyond +-2^53 is refused, not rounded.
local stored = redis.call('GET', KEYS[1]) or '0'
local value = tonumber(stored)
if not value or math.abs(value) > 9007199254740992 or string.format('%.0f', value) ~= stored then
  return redis.error_reply('ERR value is not an integer or out of range')
end
local sum = string.format('%.0f', value + tonumber(ARGV[1]))
redis.call('SET', KEYS[1], sum, 'KEEPTTL')
return {1, sum}
