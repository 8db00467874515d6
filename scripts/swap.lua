-- swap: KEYS[1] becomes ARGV[1]; the answer is what it held. A missing key stays missing.
local old = redis.call('GET', KEYS[1])
if not old then
  return {0, ''}
end
redis.call('SET', KEYS[1], ARGV[1])
return {1, old}
