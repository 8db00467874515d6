-- debit: take ARGV[1] from the balance at KEYS[1] if it is covered, else say no.
-- A missing key is a balance of 0. The key keeps its time to live.
-- Lua numbers are doubles: what does not lie within +-(2^53 - 1) is refused, not rounded.
local function whole(text)
  local n = tonumber(text)
  if n and math.abs(n) <= 9007199254740991 and string.format('%.0f', n) == text and text ~= '-0' then
    return n
  end
end

local stored = redis.call('GET', KEYS[1]) or '0'
local balance = whole(stored)
if not balance then
  return redis.error_reply('ERR value is not an integer or out of range')
end
local left = balance - tonumber(ARGV[1])
if left < 0 then
  return {0, stored}
end
left = string.format('%.0f', left)
redis.call('SET', KEYS[1], left, 'KEEPTTL')
return {1, left}
