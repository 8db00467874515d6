-- document: add 1 to the number of 16 digits in the middle of the text at KEYS[1], of any size.
-- The key keeps its time to live. The answer is the number.
-- Lua numbers are doubles: a number is refused, not rounded, from 2^53 - 1 on.
local stored = redis.call('GET', KEYS[1]) or ''
local before = math.floor((#stored - 16) / 2)
local digits = string.sub(stored, before + 1, before + 16)
if #stored < 16 or string.find(digits, '[^0-9]') or tonumber(digits) >= 9007199254740991 then
  return redis.error_reply('ERR the stored state is not one that this workload makes')
end
local n = string.format('%.0f', tonumber(digits) + 1)
local changed = string.sub(stored, 1, before) .. string.rep('0', 16 - #n) .. n .. string.sub(stored, before + 17)
redis.call('SET', KEYS[1], changed, 'KEEPTTL')
return {1, n}
