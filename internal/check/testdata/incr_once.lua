-- KEYS: the operation, the balance. ARGV: how much, and until when to know the
-- operation.
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EXAT', ARGV[2]) then
	return 0
end
redis.call('INCRBY', KEYS[2], ARGV[1])
return 1
