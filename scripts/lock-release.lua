-- lock-release: ARGV[1] 'take': KEYS[1] becomes ARGV[2] unless it exists.
-- 'release': KEYS[1] is deleted if it still holds ARGV[2].
-- The answer is the holder: the one that took or released it, or the one in the way.
local held = redis.call('GET', KEYS[1])
if ARGV[1] == 'take' and not held then
  redis.call('SET', KEYS[1], ARGV[2])
  return {1, ARGV[2]}
end
if ARGV[1] == 'release' and held == ARGV[2] then
  redis.call('DEL', KEYS[1])
  return {1, ARGV[2]}
end
return {0, held or ''}
