-- Sends the requests of a plan, one after another. Arguments: the plan's file; "repeat" to start
-- over after the last line, or "once"; milliseconds to wait before each request; files with lines.
-- The plan lists the requests: `METHOD path`, headers up to an empty line, and the body on one line
-- (empty: none). In them {line} is replaced by the next line, {token} by a token from an answer,
-- {client} by another address each time. A request that needs a token is sent before all others as
-- soon as there is one.
local steps, tokenStep = {}, nil
local lines, tokens = {}, {}
local at, turn, clients = 0, 0, 0
local firstToken, lastToken = 1, 0
local mayRepeat = false
-- Global on purpose: done() reads it.
ranOut = false

local function has(text, name) return text ~= nil and text:find(name, 1, true) ~= nil end

local function readPlan(file)
  local step
  local isHead = false
  for text in io.lines(file) do
    if step == nil then
      step = { headers = {}, varying = {} }
      step.method, step.path = text:match("^(%S+) (.+)$")
      isHead = true
    elseif isHead and text ~= "" then
      local name, value = text:match("^(.-): (.*)$")
      step.headers[name] = value
      if has(value, "{line}") or has(value, "{client}") then step.varying[name] = value end
      step.needsLine = step.needsLine or has(value, "{line}")
    elseif isHead then isHead = false
    else
      if text ~= "" then step.body = text end
      step.needsLine = step.needsLine or has(step.body, "{line}")
      if has(step.body, "{token}") then tokenStep = step else steps[#steps + 1] = step end
      if step.body == nil and next(step.varying) == nil then
        step.whole = wrk.format(step.method, step.path, step.headers)
      end
      step = nil
    end
  end
end

-- The third number changes last, since addresses of one network share a limit.
local function nextClient()
  clients = clients + 1
  return string.format("203.%d.%d.%d", math.floor(clients / 256) % 256, clients % 256, math.floor(clients / 65536) % 256)
end

local function fill(template, name, value)
  if template == name then return value end
  local from, to = template:find(name, 1, true)
  if from == nil then return template end
  return template:sub(1, from - 1) .. value .. template:sub(to + 1)
end

function init(args)
  readPlan(args[1])
  mayRepeat = args[2] == "repeat"
  local pause = tonumber(args[3])
  for i = 4, #args do
    for text in io.lines(args[i]) do lines[#lines + 1] = text end
  end
  if pause > 0 then
    function delay() return pause end
  end
  if tokenStep then
    function response(status, headers, body)
      local token = body:match('"token":"([^"]+)"')
      if token then
        lastToken = lastToken + 1
        tokens[lastToken] = token
      end
    end
  end
end

local function nextLine()
  at = at + 1
  if at > #lines and mayRepeat then at = 1 end
  return lines[at]
end

local function format(step, line, token)
  if step.whole then return step.whole end
  for name, template in pairs(step.varying) do
    local value = template
    if line then value = fill(value, "{line}", line) end
    if has(value, "{client}") then value = fill(value, "{client}", nextClient()) end
    step.headers[name] = value
  end
  local body = step.body
  if body and line then body = fill(body, "{line}", line) end
  if body and token then body = fill(body, "{token}", token) end
  return wrk.format(step.method, step.path, step.headers, body)
end

function request()
  local token = tokens[firstToken]
  if token then
    tokens[firstToken] = nil
    firstToken = firstToken + 1
    return format(tokenStep, nil, token)
  end
  turn = turn % #steps + 1
  local step = steps[turn]
  if not step.needsLine then return format(step) end
  local line = nextLine()
  if line == nil then
    -- Until the thread has stopped, open connections request something that costs no work.
    ranOut = true
    wrk.thread:stop()
    return wrk.format("GET", "/healthz")
  end
  return format(step, line)
end

local threads = {}

function setup(thread) threads[#threads + 1] = thread end

function done()
  for _, thread in ipairs(threads) do
    if thread:get("ranOut") then io.write("Ran out of lines\n") end
  end
end
