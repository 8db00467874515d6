-- ticket: one more than the larger number at KEYS[1], that of the desk 'front', and KEYS[2], that of 'rear',
-- becomes the number of the desk ARGV[1] and is the answer. A missing key is 0. The key keeps its time to live.
-- Lua numbers are doubles: what does not lie within +-(2^53 - 1) is refused, not rounded.
local function whole(text)
  local n = tonumber(text)
  if n and math.abs(n) <= 9007199254740991 and string.format('%.0f', n) == text and text ~= '-0' then
    return n
  end
end

local a, b = whole(redis.call('GET', KEYS[1]) or '0'), whole(redis.call('GET', KEYS[2]) or '0')
if not (a and b) or math.max(a, b) >= 9007199254740991 then
  return redis.error_reply('ERR value is not an integer or out of range')
end
local number = string.format('%.0f', math.max(a, b) + 1)
redis.call('SET', ARGV[1] == 'rear' and KEYS[2] or KEYS[1], number, 'KEEPTTL')
return {1, number}
