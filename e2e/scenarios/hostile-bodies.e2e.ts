import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  challengeAnswerSchema,
  errorSchema,
  scoreAnswerSchema,
  tokenVerifyAnswerSchema,
  verifyAnswerSchema,
} from "@stile/protocol/schemas/answers";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { type EndpointName, type HostileCall, hostileCalls } from "@stile/testkit/payloads/hostile-bodies";
import { sampleHostileValues } from "@stile/testkit/payloads/hostile-values";
import { keepConnection, type RawAnswer } from "@stile/testkit/payloads/raw-http";
import { createSeededRandom } from "@stile/testkit/seeded-random";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";

const SEED = 20_261_121;
const CALLS = 100_000;
const WARM_UP_CALLS = 40_000;
const CONNECTIONS = 8;
const LIMIT = "10000000";

/** What the service may grow by between warm-up and end; the marks of 60,000 calls are in the store, not in memory. */
const GROWTH_LIMIT_MB = 48;
/**
 * Eight calls wait at most for each other; a reader that is quadratic in hostile input takes longer, each time. A machine
 * whose time was taken away for a second does so once: what was slow is sent again, alone.
 */
const SLOWEST_MS = 1000;

const SCHEMAS = {
  "token/verify": tokenVerifyAnswerSchema,
  score: scoreAnswerSchema,
  verify: verifyAnswerSchema,
  "pow/challenge": challengeAnswerSchema,
} as const;

let service: RunningService;

before(async () => {
  const limits = { STILE_LIMIT_VERIFY: LIMIT, STILE_LIMIT_SCORE: LIMIT, STILE_LIMIT_CHALLENGE: LIMIT };
  service = await startService({ ...limits, STILE_LOG_LEVEL: "error" });
});

after(async () => {
  await service?.dispose();
});

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/** What is wrong with an answer, or undefined. A machine that stands still for a second makes a 503, as published (D15). */
function findFault(endpoint: EndpointName, { status, body }: RawAnswer): string | undefined {
  if (status === 503) return undefined;
  if (status >= 500) return `status ${status}`;
  const parsed = JSON.parse(body) as { success?: unknown; error?: unknown };
  if (typeof parsed.success !== "boolean") return "no success";
  const isShaped = status === 200 ? SCHEMAS[endpoint].safeParse(parsed) : errorSchema.safeParse(parsed.error);
  return isShaped.success ? undefined : `status ${status} in another shape than published`;
}

/** The answer's status and, where 200 says many things, which of them. */
function outcomeOf(endpoint: EndpointName, { status, body }: RawAnswer): string {
  const { data = {}, reasonCode } = JSON.parse(body) as { data?: Record<string, unknown>; reasonCode?: string };
  const said = reasonCode ?? data.next ?? (data.verified === true ? "verified" : (data.action ?? ""));
  return `${endpoint} ${status} ${status === 200 ? said : ""}`.trim();
}

type Run = { readonly counts: Map<string, number>; readonly faults: string[]; readonly slow: HostileCall[] };

async function sendCalls(calls: Iterator<HostileCall>, count: number, run: Run): Promise<void> {
  let left = count;
  const work = async (): Promise<void> => {
    const connection = keepConnection(service.port);
    while (left-- > 0 && run.faults.length < 5) {
      const call = calls.next().value as HostileCall;
      const { endpoint, bytes } = call;
      const startedAt = performance.now();
      const fault = await connection.send(bytes).then(
        (answer) => {
          if (answer.status === 503) run.slow.push(call);
          const outcome = outcomeOf(endpoint, answer);
          run.counts.set(outcome, (run.counts.get(outcome) ?? 0) + 1);
          return findFault(endpoint, answer);
        },
        (error: Error) => error.message,
      );
      if (performance.now() - startedAt >= SLOWEST_MS) run.slow.push(call);
      if (fault !== undefined) run.faults.push(`${fault} for ${bytes.toString("latin1").slice(0, 3000)}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/** More than a machine's bad seconds, each of which holds up CONNECTIONS calls. */
const MANY_SLOW = 100;

/** Milliseconds of the slowest of the calls, sent one after another; each counts by the quicker of two tries. */
async function slowestAlone(calls: readonly HostileCall[]): Promise<number> {
  const connection = keepConnection(service.port);
  let slowestMs = 0;
  for (const { bytes } of calls) {
    const tries: number[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const startedAt = performance.now();
      const { status } = await connection.send(bytes);
      assert.ok(status < 500, `alone, a call that was slow answers ${status}`);
      tries.push(performance.now() - startedAt);
    }
    slowestMs = Math.max(slowestMs, Math.min(...tries));
  }
  connection.close();
  return slowestMs;
}

test("100,000 hostile bodies: no fault, no crash, no growth, every answer as published (D11, T9)", async () => {
  const values = sampleHostileValues(SEED);
  const cryptography = await openServiceCryptography(service.dataDirectory);
  const tokens = await mintTokens({ ...service, count: 2000 });
  const calls = hostileCalls({ ...service, random: createSeededRandom(SEED), values, cryptography, tokens });
  const run: Run = { counts: new Map(), faults: [], slow: [] };
  const startedAt = performance.now();
  await sendCalls(calls, WARM_UP_CALLS, run);
  const warmMb = residentMb(service.pid());
  await sendCalls(calls, CALLS - WARM_UP_CALLS, run);
  const endMb = residentMb(service.pid());
  const total = [...run.counts.values()].reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const [outcome, count] of [...run.counts].sort()) console.log(`${String(count).padStart(7)} ${outcome}`);
  console.log(`${total} answers in ${seconds.toFixed(1)} s, ${run.slow.length} slow, seed ${SEED}`);
  console.log(`resident: ${warmMb.toFixed(0)} MB after warm-up, ${endMb.toFixed(0)} MB at the end`);
  assert.deepEqual(run.faults, []);
  assert.equal(total, CALLS);
  const logged = service.log().split("\n");
  const faults = logged.filter((line) => line !== "" && !line.includes("StoreUnavailable"));
  assert.deepEqual(faults, [], "nothing a visitor sends is a fault");
  assert.ok(endMb - warmMb < GROWTH_LIMIT_MB);
  assert.ok(run.slow.length < MANY_SLOW);
  assert.ok((await slowestAlone(run.slow)) < SLOWEST_MS);
  const deep = [
    "token/verify 200 verified",
    "token/verify 200 token_already_used",
    "score 200 block",
    "pow/challenge 200",
  ];
  deep.push("verify 200 retry", "verify 200 interact", "verify 200 blocked");
  for (const outcome of deep) assert.ok(run.counts.has(outcome), `no call got as far as "${outcome}"`);
});
