import assert from "node:assert/strict";
import { test } from "node:test";
import { readWrk } from "./wrk.ts";

const OUTPUT = `Running 5s test @ http://127.0.0.1:34567
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    39.52ms   12.01ms 257.02ms   91.53%
    Req/Sec     1.27k   101.06     1.45k    70.00%
  Latency Distribution
     50%  871.00us
     75%   41.41ms
     90%   44.00ms
     99%    1.21s 
  6335 requests in 5.00s, 7.03MB read
`;
const RATES = "Requests/sec:   1266.21\nTransfer/sec:      1.41MB\n";

test("reads rates, percentiles in any unit, and refusals", () => {
  const seen = { requests: 6335, requestsPerSecond: 1266.21, p50Ms: 0.871, p99Ms: 1210 };
  assert.deepEqual(readWrk(OUTPUT + RATES), { ...seen, refusals: 0, hasRunOut: false });
  const refused = `${OUTPUT}  Non-2xx or 3xx responses: 17\n${RATES}Ran out of lines\n`;
  assert.deepEqual(readWrk(refused), { ...seen, refusals: 17, hasRunOut: true });
});

test("a window in which connections failed does not count", () => {
  const failed = `${OUTPUT}  Socket errors: connect 0, read 3, write 0, timeout 0\n${RATES}`;
  assert.throws(() => readWrk(failed), /connections failed/);
});
