-- setnx: ARGV[1] 'claim': KEYS[1] becomes ARGV[2] unless it exists.
-- 'vacate': KEYS[1] is deleted; the answer is what it held.
if ARGV[1] == 'vacate' then
  local held = redis.call('GET', KEYS[1])
  if not held then
    return {0, ''}
  end
  redis.call('DEL', KEYS[1])
  return {1, held}
end
if redis.call('EXISTS', KEYS[1]) ~= 0 then
  return {0, ''}
end
redis.call('SET', KEYS[1], ARGV[2])
return {1, ARGV[2]}
