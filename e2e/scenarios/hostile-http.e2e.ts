import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  ambiguousRequests,
  ECHO_CANARY,
  type HostileRequest,
  oddRequests,
  oversizedRequests,
} from "../hostile-requests.ts";
import { mintTokens } from "../mint-tokens.ts";
import { type Exchange, exchange } from "../raw-http.ts";
import { redeem } from "../redeem.ts";
import { type RunningService, startService } from "../service.ts";

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

/** A whole redemption, to be followed by others on the same connection. */
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

function isJsonWithRequestId({ headers, body }: Exchange["answers"][number]): boolean {
  const parsed = JSON.parse(body) as { success?: unknown };
  return typeof parsed.success === "boolean" && /^[0-9a-f-]{36}$/.test(headers["x-request-id"] ?? "");
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
  for (const [i, allowed] of request.statuses.entries()) assert.ok(allowed.includes(statuses[i] ?? 0), shown);
  if (request.mustClose) assert.ok(result.isClosed, shown);
  assert.ok(!result.received.includes(ECHO_CANARY), `${request.name}: the answer repeats what was sent`);
  for (const answer of result.answers) {
    if (answer.status !== 100 && answer.status !== 417) assert.ok(isJsonWithRequestId(answer), `${shown}: ${answer.body}`);
  }
}

async function sendAll(requests: readonly HostileRequest[]): Promise<void> {
  const failures: string[] = [];
  for (const request of requests) {
    await sendHostile(request).catch((error: Error) => failures.push(error.message));
    await assertStillServing();
  }
  console.log(`${requests.length} hostile requests, ${failures.length} answered in a way that is not allowed`);
  assert.deepEqual(failures, []);
}

test("requests that a proxy could read differently are refused, closed, and spend nothing (T7)", async () => {
  const token = await mintToken();
  await sendAll(ambiguousRequests(service.secretKey, token));
  assert.equal((await redeem(service, token)).body.data.verified, true);
});

test("oversized, compressed and mistyped requests are refused (D11, T7)", async () => {
  await sendAll(oversizedRequests(service.secretKey));
});

test("odd methods, versions and addresses reach no endpoint and break nothing (T7)", async () => {
  await sendAll(oddRequests(service.secretKey));
});
