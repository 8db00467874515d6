-- setrange: write ARGV[2] into the string at KEYS[1], from byte ARGV[1] on, as one does
-- without SETRANGE: read all, write all. The key keeps its time to live. The answer is the length.
local record = redis.call('GET', KEYS[1]) or ''
local offset, value = tonumber(ARGV[1]), ARGV[2]
local short = offset + #value - #record
if short > 0 then
  record = record .. string.rep('\0', short)
end
record = string.sub(record, 1, offset) .. value .. string.sub(record, offset + #value + 1)
redis.call('SET', KEYS[1], record, 'KEEPTTL')
return {1, string.format('%.0f', #record)}
