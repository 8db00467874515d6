-- fixed-window: admit an op in the window ARGV[1] if fewer than ARGV[2] were, by the counts at KEYS[1].
-- A later window begins at 0; an earlier one is over, and its ops count in the latest.
-- Lua numbers are doubles: what does not lie below 2^53 - 1 is refused, not rounded.
local function count(text)
  local n = tonumber(text or '0')
  if n and n >= 0 and n < 9007199254740991 and string.format('%.0f', n) == (text or '0') and text ~= '-0' then
    return n
  end
end

local stored = redis.call('HMGET', KEYS[1], 'window', 'count', 'admitted')
local window, used, admitted = count(stored[1]), count(stored[2]), count(stored[3])
if not (window and used and admitted) then
  return redis.error_reply('ERR value is not an integer or out of range')
end
local now = tonumber(ARGV[1])
if now > window then
  window, used = now, 0
end
if used >= tonumber(ARGV[2]) then
  return {0, string.format('%.0f', used)}
end
used = string.format('%.0f', used + 1)
redis.call('HSET', KEYS[1], 'window', string.format('%.0f', window), 'count', used, 'admitted', string.format('%.0f', admitted + 1))
return {1, used}
