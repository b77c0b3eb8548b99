-- Sends the requests of a file, one after another: method, path, headers up to an empty line, then a body a line.
-- Arguments: the file, the shares of its bodies (0..1) after which to begin and to stop, and "cycle" to begin again
-- instead; without it nothing is ever sent twice.
local method, path, headers, bodies = nil, nil, {}, {}
local at = 0
local last = 0
local mayCycle = false

function init(args)
  local line = 0
  local isHead = true
  for text in io.lines(args[1]) do
    line = line + 1
    if line == 1 then method = text
    elseif line == 2 then path = text
    elseif isHead and text == "" then isHead = false
    elseif isHead then
      local name, value = text:match("^(.-): (.*)$")
      headers[name] = value
    else bodies[#bodies + 1] = text end
  end
  at = math.floor(tonumber(args[2]) * #bodies)
  last = math.floor(tonumber(args[3]) * #bodies)
  mayCycle = args[4] == "cycle"
  if method == "GET" then fixed = wrk.format(method, path, headers) end
end

function request()
  if fixed then return fixed end
  at = at + 1
  if at > last and mayCycle then at = 1 end
  if at > last then
    -- Connections that are still open ask for something that does no work until the thread has stopped.
    wrk.thread:stop()
    return wrk.format("GET", "/healthz")
  end
  return wrk.format(method, path, headers, bodies[at])
end
