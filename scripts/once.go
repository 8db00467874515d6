package scripts

// onceSuffix tells a script's variant that Once answers from the script.
const onceSuffix = "-once"

// Once is the variant of the script that runs at most once for an operation:
// the last of KEYS is the operation's token, which it claims together with the
// work, and which keeps the first answer for those who ask again; the last of
// ARGV is how many milliseconds the token lives. An error leaves no token: what
// the script had written by then stays, and may be written again.
func (s Script) Once() Script { return MustGet(s.Name + onceSuffix) }

func (s Script) once() Script {
	return newScript(s.Name+onceSuffix, `-- `+s.Name+`, once for an operation: KEYS[#KEYS] is its token, ARGV[#ARGV] how many ms that lives.
local told = redis.call('GET', KEYS[#KEYS])
if told then
  return {tonumber(string.sub(told, 1, 1)), string.sub(told, 3)}
end
local function work()
`+s.Body+`end
local reply = work()
if reply[1] then -- an answer, no error
  redis.call('SET', KEYS[#KEYS], reply[1] .. ':' .. reply[2], 'PX', ARGV[#ARGV])
end
return reply
`)
}
