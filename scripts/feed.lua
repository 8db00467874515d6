-- feed: append the payload ARGV[1]: into the next of 16 slots of the hash at KEYS[2], then the pointer at KEYS[1].
-- The entry that the pointer names, or a later one, must be there. The answer is the new entry's number.
-- Lua numbers are doubles: what does not lie below 2^53 - 1 is refused, not rounded.
local stored = redis.call('GET', KEYS[1]) or '0'
local last = tonumber(stored)
if not (last and last >= 0 and last < 9007199254740991 and string.format('%.0f', last) == stored and stored ~= '-0') then
  return redis.error_reply('ERR value is not an integer or out of range')
end
local entry = redis.call('HGET', KEYS[2], string.format('%.0f', last % 16)) or ''
local number = tonumber(string.match(entry, '^([0-9]+):') or '-1')
if number < last then
  return redis.error_reply('ERR the stored state is not one that this workload makes')
end
number = string.format('%.0f', last + 1)
redis.call('HSET', KEYS[2], string.format('%.0f', (last + 1) % 16), number .. ':' .. ARGV[1])
redis.call('SET', KEYS[1], number, 'KEEPTTL')
return {1, number}
