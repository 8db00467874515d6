-- smove: ARGV[1] 'there': member ARGV[2] moves from the set at KEYS[1] to that at KEYS[2].
-- 'back': the other way. A member that is not where it should leave stays. The answer is the member.
local from, to = KEYS[1], KEYS[2]
if ARGV[1] == 'back' then
  from, to = KEYS[2], KEYS[1]
end
local found = redis.call('SISMEMBER', from, ARGV[2]) ~= 0
redis.call('SISMEMBER', to, ARGV[2]) -- fails here, before any write, if it is no set
if not found then
  return {0, ARGV[2]}
end
redis.call('SREM', from, ARGV[2])
redis.call('SADD', to, ARGV[2])
return {1, ARGV[2]}
