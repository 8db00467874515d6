-- cas: put ARGV[1] at KEYS[1] if that holds ARGV[2] or, without an ARGV[2], if it is missing; else say no.
-- The key keeps its time to live.
if redis.call('GET', KEYS[1]) ~= (ARGV[2] or false) then
  return {0, ''}
end
redis.call('SET', KEYS[1], ARGV[1], 'KEEPTTL')
return {1, ''}
