import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { findFreePort } from "@stile/testkit/free-port";
import { earnToken } from "@stile/testkit/minting/solver-client";
import { redeem } from "@stile/testkit/service/redeem";
import { runNpm, startSolve } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";

const ORIGIN = "http://localhost";

function argumentsFor(service: RunningService, ...more: string[]): string[] {
  return [
    "--base-url",
    service.baseUrl,
    "--site-key",
    service.siteKey,
    "--origin",
    ORIGIN,
    ...more,
  ];
}

/**
 * A server in front of the service that answers the first request with 429 and passes on the
 * others.
 */
async function startBusyFront(baseUrl: string, retryAfter: string) {
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    if (requests === 1) {
      const error = { code: "rate_limited", message: "Too many requests.", request_id: "r" };
      response.writeHead(429, { "Retry-After": retryAfter, "Content-Type": "application/json" });
      response.end(JSON.stringify({ success: false, data: {}, error }));
      return;
    }
    const body =
      request.method === "POST" ? await new Response(request as unknown as BodyInit).text() : null;
    const { host, connection, ...headers } = request.headers as Record<string, string>;
    const init = { method: request.method ?? "GET", headers, ...(body !== null && { body }) };
    const answer = await fetch(baseUrl + request.url, init);
    response
      .writeHead(answer.status, { "Content-Type": "application/json" })
      .end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, close: () => server.close() };
}

suite("npm run solve, against a running service", async () => {
  const service = await startService({ STILE_LOG_LEVEL: "silent" });
  test.after(service.dispose);

  test("--count 2 --json prints two tokens that each redeem once, for the named browser (spec 2.5.1; D5, binding)", async () => {
    const { code, stdout, stderr } = await runNpm(
      "solve",
      argumentsFor(service, "--count", "2", "--json"),
    );
    assert.equal(code, 0, stderr);
    const rows = JSON.parse(stdout) as {
      token: string;
      user_agent: string;
      expires_at: string;
      solve_ms: number;
    }[];
    assert.equal(new Set(rows.map((row) => row.token)).size, 2);
    for (const row of rows) {
      assert.deepEqual(Object.keys(row), ["token", "user_agent", "expires_at", "solve_ms"]);
      assert.ok(row.solve_ms > 0 && Date.parse(row.expires_at) > Date.now());
      const ofOthers = await redeem(service, row.token, { user_agent: "curl/8.0" });
      assert.equal(ofOthers.body.reasonCode, "binding_mismatch");
      assert.equal(
        (await redeem(service, row.token, { user_agent: row.user_agent })).body.data.verified,
        true,
      );
      assert.equal((await redeem(service, row.token)).body.reasonCode, "token_already_used");
    }
  });

  test("prints a token a line without --json, with the requested action", async () => {
    const { code, stdout } = await startSolve(argumentsFor(service, "--action", "login")).ended;
    assert.equal(code, 0);
    assert.match(stdout, /^[\w-]+\n$/);
    const { data } = (await redeem(service, stdout.trim())).body;
    assert.deepEqual([data.verified, data.action, data.hostname], [true, "login", "localhost"]);
  });

  test("exits 1 with the service's own words if waiting cannot help", async () => {
    const foreign = argumentsFor(service, "--json").with(5, "https://evil.test");
    const { code, stdout, stderr } = await startSolve(foreign).ended;
    assert.deepEqual([code, stdout], [1, "[]\n"]);
    assert.match(
      stderr,
      /403 domain_mismatch: The host evil\.test is not among the site's domains/,
    );
  });

  test("names an address where no service answers, with the reason and the form of an address", async () => {
    const other = createServer((_request, response) => response.end("<!doctype html>")).listen(
      0,
      "127.0.0.1",
    );
    await once(other, "listening");
    const free = await findFreePort();
    const ofOther = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      for (const [address, reason] of [
        [`http://127.0.0.1:${free}`, `connect ECONNREFUSED 127.0.0.1:${free}`],
        ["localhost:8787", "unknown scheme"],
        [ofOther, "another program answers"],
      ] as const) {
        const { code, stderr } = await startSolve(argumentsFor(service).with(1, address)).ended;
        const told = `solve: No service answers at ${address} (${reason}). It must run, at an address such as http://127.0.0.1:8787.\n`;
        assert.deepEqual([code, stderr], [1, told]);
      }
    } finally {
      other.close();
    }
  });

  test("exits 2 with the help on wrong arguments", async () => {
    for (const args of [
      [],
      ["--count", "0"],
      argumentsFor(service, "--count", "x"),
      ["--frobnicate"],
    ]) {
      const { code, stdout, stderr } = await startSolve(args).ended;
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /^solve: .+\n\nUsage: npm run solve/);
    }
  });

  test("waits exactly as long as Retry-After says, then earns its token", async () => {
    const front = await startBusyFront(service.baseUrl, "1");
    try {
      const waits: [seconds: number, atMs: number][] = [];
      const target = { baseUrl: front.baseUrl, siteKey: service.siteKey, origin: ORIGIN };
      const { token } = await earnToken(target, (seconds) =>
        waits.push([seconds, performance.now()]),
      );
      assert.deepEqual(
        waits.map(([seconds]) => seconds),
        [1],
      );
      assert.ok(performance.now() - (waits[0]?.[1] ?? 0) >= 999);
      assert.equal((await redeem(service, token)).body.data.verified, true);
    } finally {
      front.close();
    }
  });
});

suite("npm run solve, over the limit (spec 8; D10, limits)", async () => {
  const service = await startService({
    STILE_LOG_LEVEL: "silent",
    STILE_LIMIT_CHALLENGE: "2",
  });
  test.after(service.dispose);

  test("earns as many tokens as its network may draw, then says how long to wait", async () => {
    const solving = startSolve(argumentsFor(service, "--count", "3"));
    await solving.sawError(/solve: 2 of 3; the service asks to wait [1-9]\d* s\n/);
    solving.stop();
    const { stdout } = await solving.ended;
    assert.equal(stdout.trim().split("\n").length, 2);
  });
});
