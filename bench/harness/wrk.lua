-- Sends the requests of a file in turn, each of which follows a line that says its length in bytes.
-- wrk -s wrk.lua <url> -- <file>; the last line of what it prints is JSON.
local requests, position = {}, 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for length in file:lines() do
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"mean":%f,"p99":%f,"refused":%d,"broken":%d}\n',
    summary.requests,
    summary.duration / 1e6,
    latency.mean / 1e3,
    latency:percentile(99) / 1e3,
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end
