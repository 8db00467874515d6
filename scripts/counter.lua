-- counter: add ARGV[1] to the whole number at KEYS[1]; a missing key counts as 0.
-- Lua numbers are doubles: what does not lie within +-(2^53 - 1) is refused, not rounded.
local function whole(text)
  local n = tonumber(text)
  if n and math.abs(n) <= 9007199254740991 and string.format('%.0f', n) == text and text ~= '-0' then
    return n
  end
end

local value = whole(redis.call('GET', KEYS[1]) or '0')
local sum = value and value + tonumber(ARGV[1])
if not sum or math.abs(sum) > 9007199254740991 then
  return redis.error_reply('ERR value is not an integer or out of range')
end
sum = string.format('%.0f', sum)
redis.call('SET', KEYS[1], sum, 'KEEPTTL')
return {1, sum}
