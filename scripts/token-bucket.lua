-- token-bucket: take a token from the bucket at KEYS[1], if there is one, at the time ARGV[1] (ticks).
-- The bucket is filled with ARGV[2] tokens a tick up to ARGV[3]. The answer is the tokens left.
-- Lua numbers are doubles: what does not lie below 2^53 - 1 is refused, not rounded.
local function count(text)
  local n = tonumber(text or '0')
  if n and n >= 0 and n < 9007199254740991 and string.format('%.0f', n) == (text or '0') and text ~= '-0' then
    return n
  end
end

local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'admitted')
local tokens, at, admitted = count(stored[1]), count(stored[2]), count(stored[3])
if not (tokens and at and admitted) then
  return redis.error_reply('ERR value is not an integer or out of range')
end
local now = math.max(tonumber(ARGV[1]), at)
tokens = math.min(tonumber(ARGV[3]), tokens + (now - at) * tonumber(ARGV[2]))
if tokens < 1 then
  return {0, string.format('%.0f', tokens)}
end
local left = string.format('%.0f', tokens - 1)
redis.call('HSET', KEYS[1], 'tokens', left, 'at', string.format('%.0f', now), 'admitted', string.format('%.0f', admitted + 1))
return {1, left}
