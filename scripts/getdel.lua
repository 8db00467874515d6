-- getdel: ARGV[1] 'redeem': KEYS[1] is deleted; the answer is what it held.
-- 'issue': KEYS[1] becomes ARGV[2] unless it exists.
if ARGV[1] == 'redeem' then
  local code = redis.call('GET', KEYS[1])
  if not code then
    return {0, ''}
  end
  redis.call('DEL', KEYS[1])
  return {1, code}
end
if redis.call('EXISTS', KEYS[1]) ~= 0 then
  return {0, ''}
end
redis.call('SET', KEYS[1], ARGV[2])
return {1, ARGV[2]}
