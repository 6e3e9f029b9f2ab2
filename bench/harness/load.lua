-- The script that harness/load.ts runs in wrk. It sends random requests of a file for BENCH_SECONDS. Then every connection
-- waits for its last response, so that the numbers of requests and responses are equal.
-- The parameters are in BENCH_… variables, because wrk's threads share nothing else.
local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanoseconds; } bench_time; int clock_gettime(int, bench_time *);")
local time = ffi.new("bench_time")

local function clock()
  ffi.C.clock_gettime(1, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local threads = {}

-- One thread for each web process. A thread sends requests only to its process.
function setup(thread)
  table.insert(threads, thread)
  local target = 0
  for host, port in os.getenv("BENCH_TARGETS"):gmatch("([^ :]+):(%d+)") do
    target = target + 1
    if target == #threads then thread.addr = wrk.lookup(host, port)[1] end
  end
  thread:set("number", #threads)
end

function init()
  seconds = tonumber(os.getenv("BENCH_SECONDS"))
  share = tonumber(os.getenv("BENCH_SHARE"))
  unique = os.getenv("BENCH_UNIQUE")
  requests, sent, idle, statuses = {}, 0, 0, {}
  for line in io.lines(os.getenv("BENCH_REQUESTS")) do
    local method, path, token, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
    local headers = { Authorization = "Bearer " .. token, Host = wrk.headers["Host"] }
    if body ~= "" then headers["Content-Type"] = "application/json" end
    if unique ~= "" then headers["Idempotency-Key"] = "@KEY@" end
    local text = wrk.format(method, path, headers, body ~= "" and body or nil)
    local from, to = text:find("@KEY@", 1, true)
    table.insert(requests, from and { text:sub(1, from - 1), text:sub(to + 1) } or { text, "" })
  end
  math.randomseed(number)
  -- wrk asks the first thread for one request that it does not send.
  tried = number ~= 1
end

function request()
  local picked = requests[math.random(#requests)]
  if not tried then
    tried = true
    return picked[1] .. picked[2]
  end
  local now = clock()
  ends = ends or now + seconds
  if now >= ends then
    idle = idle + 1
    if idle == share then io.stderr:write("drained\n") end
    return ""
  end
  sent = sent + 1
  if unique == "" then return picked[1] end
  return string.format("%s%s-%d-%d%s", picked[1], unique, number, sent, picked[2])
end

if os.getenv("BENCH_STATUSES") == "1" then
  function response(status)
    statuses[status] = (statuses[status] or 0) + 1
  end
end

-- Honours `Retry-After`. wrk does not say which connection got a response, so any connection may wait that long.
if os.getenv("BENCH_PATIENT") == "1" then
  local waits = {}
  function response(status, headers)
    local after = tonumber(headers["Retry-After"] or headers["retry-after"])
    if after then table.insert(waits, after * 1000) end
  end
  function delay()
    return table.remove(waits) or 0
  end
end

function done(summary, latency)
  local total, seen = 0, {}
  for _, thread in ipairs(threads) do
    total = total + thread:get("sent")
    for status, count in pairs(thread:get("statuses")) do seen[status] = (seen[status] or 0) + count end
  end
  local parts = {}
  for status, count in pairs(seen) do table.insert(parts, string.format('"%d":%d', status, count)) end
  local errors = summary.errors
  print(string.format(
    'BENCH {"sent":%d,"answered":%d,"refused":%d,"broken":%d,"p50":%.3f,"p99":%.3f,"statuses":{%s}}',
    total, summary.requests, errors.status, errors.connect + errors.read + errors.write,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, table.concat(parts, ",")))
end
