-- unlock: remove the lock at KEYS[1] if it still holds the token ARGV[1], else say no.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return {0, ''}
end
redis.call('DEL', KEYS[1])
return {1, ''}
