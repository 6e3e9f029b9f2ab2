-- wrk's requests: single places on the first `slots` timeslots of a product, at random.
function init(arguments)
  local token, activity, slots = arguments[1], arguments[2], tonumber(arguments[3])
  wrk.method = "POST"
  wrk.headers["Authorization"] = "Bearer " .. token
  wrk.headers["Content-Type"] = "application/json"
  requests = {}
  for n = 0, slots - 1 do
    local day = os.date("!%Y-%m-%d", os.time({ year = 2035, month = 1, day = 1, hour = 12 }) + math.floor(n / 20) * 86400)
    local customer = '{"FirstName":"Ada","LastName":"Lovelace","Email":"ada@example.com"}'
    local body = '{"ActivityID":"%s","Date":"%s","Time":"%02d:00","Participants":1,"Customer":%s}'
    requests[n] = wrk.format(nil, nil, nil, string.format(body, activity, day, n % 20, customer))
  end
  last = slots - 1
end

function request()
  return requests[math.random(0, last)]
end
