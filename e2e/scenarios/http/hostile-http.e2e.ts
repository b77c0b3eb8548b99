import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import {
  ambiguousRequests,
  ECHO_CANARY,
  type HostileRequest,
  oddRequests,
  oversizedRequests,
} from "@stile/testkit/payloads/hostile-requests";
import { type Exchange, exchange } from "@stile/testkit/payloads/raw-http";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";

const PROMPTLY_MS = 3000;

let service: RunningService;

before(async () => {
  service = await startService({ STILE_LIMIT_VERIFY: "100000", STILE_LOG_LEVEL: "error" });
});

after(async () => {
  await service?.dispose();
});

async function mintToken(): Promise<string> {
  const [token] = await mintTokens({ ...service, count: 1 });
  assert.ok(token !== undefined);
  return token;
}

/** A complete redemption, after which others may follow on the same connection. */
function redemption(token: string): string {
  const body = JSON.stringify({ token });
  const head = `POST /api/v1/token/verify HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.secretKey}`;
  return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function assertStillServing(): Promise<void> {
  const { status, body } = await redeem(service, "no-token");
  assert.equal(status, 200);
  assert.equal(body.reasonCode, "invalid_signature");
}

/** Whether an answer has what D11 (errors) promises for each one: a JSON body and a request id. */
function isJsonWithRequestId({ headers, body }: Exchange["answers"][number]): boolean {
  return (
    /^\{"success":(true|false),/.test(body) && /^[0-9a-f-]{36}$/.test(headers["x-request-id"] ?? "")
  );
}

async function sendHostile(request: HostileRequest): Promise<void> {
  const answers = request.mustClose ? undefined : request.statuses.length;
  const { bytes, isHalfClosed = false } = request;
  const result = await exchange(service.port, bytes, {
    withinMs: PROMPTLY_MS,
    isHalfClosed,
    ...(answers !== undefined && { answers }),
  });
  const statuses = result.answers.map(({ status }) => status);
  const shown = `${request.name}: ${statuses.join(", ") || "no answer"}, ${result.isClosed ? "closed" : "kept"}`;
  assert.equal(statuses.length, request.statuses.length, shown);
  for (const [i, allowed] of request.statuses.entries())
    assert.ok(allowed.includes(statuses[i] ?? 0), shown);
  if (request.mustClose) assert.ok(result.isClosed, shown);
  assert.ok(
    !result.received.includes(ECHO_CANARY),
    `${request.name}: the answer repeats what was sent`,
  );
  for (const answer of result.answers) {
    if (answer.status !== 100) assert.ok(isJsonWithRequestId(answer), `${shown}: ${answer.body}`);
  }
}

async function sendAll(requests: readonly HostileRequest[]): Promise<void> {
  const failures: string[] = [];
  for (const request of requests) {
    await sendHostile(request).catch((error: Error) => failures.push(error.message));
    await assertStillServing();
  }
  console.log(
    `${requests.length} hostile requests, ${failures.length} answered in a way that is not allowed`,
  );
  assert.deepEqual(failures, []);
}

test("requests that a proxy could read differently are refused and spend nothing, and the connection closes", async () => {
  const token = await mintToken();
  await sendAll(ambiguousRequests(service.secretKey, token));
  assert.equal((await redeem(service, token)).body.data.verified, true);
});

test("oversized, compressed and mistyped requests are refused (D11, errors)", async () => {
  await sendAll(oversizedRequests(service.secretKey));
});

test("odd methods, versions and addresses reach no endpoint and break nothing", async () => {
  await sendAll(oddRequests(service.secretKey));
});

test("pipelined redemptions are answered in order, and each token is spent once", async () => {
  const [first, second] = [await mintToken(), await mintToken()];
  const { answers } = await exchange(
    service.port,
    [first, first, second, first].map(redemption).join(""),
    {
      answers: 4,
      withinMs: PROMPTLY_MS,
    },
  );
  const verdicts = answers.map(
    ({ body }) => (JSON.parse(body) as { data: { verified: boolean } }).data.verified,
  );
  assert.deepEqual(verdicts, [true, false, true, false]);
});

test("a request behind a refused one on the same connection is not read", async () => {
  const token = await mintToken();
  const refused = redemption("x").replace("Host: localhost", "Host: localhost\r\nHost: localhost");
  const { answers, isClosed } = await exchange(service.port, refused + redemption(token), {
    withinMs: PROMPTLY_MS,
  });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400],
  );
  assert.ok(isClosed);
  assert.equal((await redeem(service, token)).body.data.verified, true);
});

test("a body that is announced or grows too large is refused before it has arrived (D11, errors)", async () => {
  const head = `POST /api/v1/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const chunk = `8000\r\n${" ".repeat(0x8000)}\r\n`;
  const [announced, growing] = await Promise.all(
    [
      `Content-Length: 1000000000\r\n\r\n{`,
      `Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}`,
    ].map((rest) => exchange(service.port, head + rest, { withinMs: PROMPTLY_MS })),
  );
  for (const refused of [announced, growing]) {
    assert.equal(refused?.answers[0]?.status, 413);
    assert.ok(refused.isClosed);
  }
});

/**
 * Sends half of an oversized redemption, and the rest if `isWhole`. Says whether the answer came
 * before the rest.
 */
async function redeemHugeToken(
  isWhole: boolean,
): Promise<{ cameEarly: boolean; isLate: boolean; status?: number }> {
  const [half, startMs] = ["x".repeat(100_000), performance.now()];
  const head = `POST /api/v1/token/verify HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.secretKey}\r\n`;
  const start = `${head}Content-Type: application/json\r\nContent-Length: ${2 * half.length}\r\n\r\n${half}`;
  let [cameEarly, isLate, isRestSent] = [false, false, false];
  const { answers } = await exchange(service.port, start, {
    ...{ withinMs: PROMPTLY_MS, answers: 1 },
    onConnected: async (socket) => {
      socket.once("data", () => {
        cameEarly = !isRestSent;
      });
      await delay(200);
      isLate = performance.now() - startMs > 800;
      isRestSent = isWhole;
      if (isWhole) socket.write(half);
    },
  });
  const [answer] = answers;
  return { cameEarly, isLate, ...(answer && { status: answer.status }) };
}

test("an answer to a huge token waits for its rest, but not forever, since a proxy may never send it (D1, status and body)", async () => {
  let whole = await redeemHugeToken(true);
  // If the machine stalled, the service may rightly have stopped waiting.
  while (whole.isLate) whole = await redeemHugeToken(true);
  assert.deepEqual([whole.cameEarly, whole.status], [false, 200]);
  assert.equal((await redeemHugeToken(false)).status, 200);
});

test("clients that vanish in the middle of a request leave nothing behind", async () => {
  const token = await mintToken();
  const whole = redemption(token);
  for (let cut = 1; cut < whole.length; cut += 16) {
    await exchange(service.port, whole.slice(0, cut), {
      withinMs: PROMPTLY_MS,
      onConnected: (socket) => socket.resetAndDestroy(),
    });
  }
  assert.equal((await redeem(service, token)).body.data.verified, true);
  assert.equal(service.log(), "", "an attacker must not be able to fill the log");
});

test("slow clients are cut off: headers after 5 s, bodies after 10 s", async () => {
  const partialHead = "POST /api/v1/verify HTTP/1.1\r\nHost: localhost\r\n";
  const partialBody = `${partialHead}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;
  const withinMs = 15_000;
  const [silent, dripping, bodiless] = await Promise.all([
    exchange(service.port, partialHead, { withinMs }),
    exchange(service.port, partialHead, {
      withinMs,
      onConnected: (socket) => {
        const drip = setInterval(() => socket.write("X-A: b\r\n"), 100);
        socket.once("close", () => clearInterval(drip));
      },
    }),
    exchange(service.port, partialBody, { withinMs }),
  ]);
  for (const [slow, limitMs] of [
    [silent, 5000],
    [dripping, 5000],
    [bodiless, 10_000],
  ] as const) {
    assert.equal(slow.answers[0]?.status, 408);
    assert.ok(slow.isClosed);
    assert.ok(
      slow.tookMs >= limitMs && slow.tookMs < limitMs + 2500,
      `cut off after ${slow.tookMs} ms`,
    );
  }
});
