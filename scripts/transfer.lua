-- transfer: take ARGV[1] from the balance at KEYS[1], if it is covered, and add it to that at KEYS[2].
-- A missing key is a balance of 0. The answer is what is left. The keys keep their time to live.
-- Lua numbers are doubles: what does not lie within +-(2^53 - 1) is refused, not rounded.
local function whole(text)
  local n = tonumber(text)
  if n and math.abs(n) <= 9007199254740991 and string.format('%.0f', n) == text and text ~= '-0' then
    return n
  end
end

local stored = redis.call('GET', KEYS[1]) or '0'
local source, target = whole(stored), whole(redis.call('GET', KEYS[2]) or '0')
if not (source and target) then
  return redis.error_reply('ERR value is not an integer or out of range')
end
local amount = tonumber(ARGV[1])
if source < amount then
  return {0, stored}
end
if target + amount > 9007199254740991 then
  return redis.error_reply('ERR value is not an integer or out of range')
end
local left = string.format('%.0f', source - amount)
redis.call('SET', KEYS[1], left, 'KEEPTTL')
redis.call('SET', KEYS[2], string.format('%.0f', target + amount), 'KEEPTTL')
return {1, left}
