-- hsetnx: ARGV[1] 'claim': field ARGV[2] of KEYS[1] becomes ARGV[3] unless it exists.
-- 'vacate': field ARGV[2] is deleted. The answer is the field.
local taken = redis.call('HEXISTS', KEYS[1], ARGV[2]) ~= 0
local vacates = ARGV[1] == 'vacate'
if taken ~= vacates then
  return {0, ARGV[2]}
end
if vacates then
  redis.call('HDEL', KEYS[1], ARGV[2])
else
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
return {1, ARGV[2]}
