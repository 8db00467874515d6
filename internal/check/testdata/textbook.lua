-- KEYS: the operation, the item, the feed. ARGV: their deadline, the score, the
-- id.
if not redis.call('SET', KEYS[1], 1, 'NX', 'EXAT', ARGV[1]) then
	return 0
end
redis.call('HSET', KEYS[2], 'name', 'Widget', 'price', 1999)
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[3])
for i = 2, 3 do
	redis.call('EXPIREAT', KEYS[i], ARGV[1])
end
return 1
