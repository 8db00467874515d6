-- zadd-gt: ARGV[1] 'raise': the score of the job in KEYS[1] becomes ARGV[2] if that is higher.
-- 'finish': the job is taken out; the answer is the score.
-- Lua numbers are doubles: what does not lie within +-(2^53 - 1) is refused, not rounded.
local function whole(text)
  local n = tonumber(text)
  if n and math.abs(n) <= 9007199254740991 and string.format('%.0f', n) == text and text ~= '-0' then
    return n
  end
end

local stored = redis.call('ZSCORE', KEYS[1], 'job')
local score = whole(stored or '0')
if not score then
  return redis.error_reply('ERR value is not an integer or out of range')
end
if ARGV[1] == 'finish' then
  if not stored then
    return {0, ''}
  end
  redis.call('ZREM', KEYS[1], 'job')
  return {1, stored}
end
if stored and tonumber(ARGV[2]) <= score then
  return {0, ''}
end
redis.call('ZADD', KEYS[1], ARGV[2], 'job')
return {1, ARGV[2]}
