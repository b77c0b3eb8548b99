import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { hasWrk, readWrk, runWrk } from "./wrk.ts";

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

test("does not count a window in which connections failed", () => {
  const failed = `${OUTPUT}  Socket errors: connect 0, read 3, write 0, timeout 0\n${RATES}`;
  assert.throws(() => readWrk(failed), /connections failed/);
});

const options = { skip: !hasWrk() && "there is no wrk" };
const directory = mkdtempSync(join(tmpdir(), "stile-wrk-"));
after(() => rmSync(directory, { recursive: true, force: true }));

type Seen = {
  readonly path: string;
  readonly line: string | undefined;
  readonly client: string;
  readonly body: string;
};

/**
 * Sends the plan with three lines for a second; returns the requests at a server that issues a
 * token for `/give`.
 */
async function sendPlan(plan: string, mayRepeat: boolean) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { "x-line": line, "x-client": client = "" } = request.headers;
    seen.push({
      path: request.url ?? "",
      line: line as string | undefined,
      client: client as string,
      body,
    });
    response.end(request.url === "/give" ? `{"token":"T${seen.length}"}` : "{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const [planFile, lineFile] = [join(directory, "plan.txt"), join(directory, "lines.txt")];
    writeFileSync(planFile, plan);
    writeFileSync(lineFile, "one\ntwo\nthree\n");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = await runWrk({
      url,
      planFile,
      lineFiles: [lineFile],
      mayRepeat,
      seconds: 1,
      pauseMs: 200,
      connections: 64,
    });
    return { seen: seen.filter(({ path }) => path !== "/healthz"), result };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("sends no line twice, and reports when there are no more", options, async () => {
  const { seen, result } = await sendPlan("POST /take\n\n<{line}>\n", false);
  assert.equal(result.hasRunOut, true);
  const bodies = seen.map(({ body }) => body);
  assert.equal(new Set(bodies).size, bodies.length);
  for (const body of bodies) assert.match(body, /^<(one|two|three)>$/);
});

test(
  "starts again with the first line if that is allowed, each time from another address",
  options,
  async () => {
    const { seen, result } = await sendPlan(
      "POST /take\nX-Line: {line}\nX-Client: {client}\n\nx\n",
      true,
    );
    assert.equal(result.hasRunOut, false);
    assert.deepEqual(new Set(seen.map(({ line }) => line)), new Set(["one", "two", "three"]));
    assert.ok(seen.length > 3);
    assert.equal(new Set(seen.map(({ client }) => client)).size, seen.length);
  },
);

test("sends each token of an answer on, once", options, async () => {
  const { seen } = await sendPlan("GET /give\n\n\nPOST /take\n\n{token}\n", false);
  const taken = seen.filter(({ path }) => path === "/take").map(({ body }) => body);
  assert.ok(taken.length > 0);
  assert.equal(new Set(taken).size, taken.length);
  for (const body of taken) assert.match(body, /^T\d+$/);
});
