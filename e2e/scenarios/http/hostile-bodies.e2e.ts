import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { after, before, test } from "node:test";
import {
  challengeAnswerSchema,
  errorSchema,
  scoreAnswerSchema,
  tokenVerifyAnswerSchema,
  verifyAnswerSchema,
} from "@stile/protocol/schemas/answers";
import { WRITE_DEADLINE_MS } from "@stile/stores/sqlite/engine/writer-thread/batch-sender";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import {
  type EndpointName,
  type HostileCall,
  hostileCalls,
} from "@stile/testkit/payloads/hostile-bodies";
import { sampleHostileValues } from "@stile/testkit/payloads/hostile-values";
import {
  type KeptConnection,
  keepConnection,
  type RawAnswer,
} from "@stile/testkit/payloads/raw-http";
import { createRandomBelow } from "@stile/testkit/random-below";
import { collectGarbage, INSPECTED, INSPECTOR_LINE } from "@stile/testkit/service/collect-garbage";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";

const SEED = 20_261_121;
/** The figure in the documents is for `CALLS=100000`. */
const CALLS = Number(process.env.CALLS ?? 20_000);
const WARM_UP_CALLS = 8_000;
const CONNECTIONS = 8;
const LIMIT = "10000000";

/**
 * Allowed growth of memory between warm-up and end. The marks of 60,000 calls are in the store, not
 * in memory.
 */
const GROWTH_LIMIT_MB = 16;
/**
 * CPU time that no call may cost the service, ms. A usual call costs about 1 ms; a parser that is
 * quadratic in hostile input would always exceed this. Other work of the service may count in, so
 * the test repeats an expensive call alone. Wall-clock time means nothing on a machine that stalls.
 */
const MOST_CPU_MS = 200;
/** How often a call that keeps getting a 503 is tried. */
const MAX_TRIES = 20;
/**
 * The log lines for a disk or a machine that stalled for longer than a write may take (D15,
 * outage).
 */
const STOOD_STILL = /"the disk did not answer in time, |"the store answers slowly"| \(repeated\)"/;
/**
 * The least time that the service waits for a write before it answers 503, ms. /score saves time
 * for a second write.
 */
const PATIENCE_MS = {
  "token/verify": WRITE_DEADLINE_MS,
  score: 600,
  verify: WRITE_DEADLINE_MS,
  "pow/challenge": WRITE_DEADLINE_MS,
  siteverify: WRITE_DEADLINE_MS,
  assessments: WRITE_DEADLINE_MS,
} as const satisfies Record<EndpointName, number>;

const SCHEMAS = {
  "token/verify": tokenVerifyAnswerSchema,
  score: scoreAnswerSchema,
  verify: verifyAnswerSchema,
  "pow/challenge": challengeAnswerSchema,
} as const;

let service: RunningService;

before(async () => {
  const limits = {
    STILE_LIMIT_VERIFY: LIMIT,
    STILE_LIMIT_SCORE: LIMIT,
    STILE_LIMIT_CHALLENGE: LIMIT,
  };
  service = await startService({ ...limits, ...INSPECTED, STILE_LOG_LEVEL: "error" });
});

after(async () => {
  await service?.dispose();
});

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/**
 * Memory of the process after a garbage collection: on a busy machine the uncollected rest is
 * random.
 */
async function residentAfterCollecting(): Promise<number> {
  await collectGarbage(service.log());
  return residentMb(service.pid());
}

/** CPU time that the process and its threads have used so far, ms, to a hundredth of a second. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/**
 * The cost of a call: its wall-clock time, and the service's CPU time meanwhile or an upper bound
 * of it.
 */
type Cost = { readonly cpuMs: number; readonly wallMs: number };

/**
 * Reading the CPU time costs a tenth of a call, so all calls that begin within this time share one
 * reading, ms.
 */
const LOOK_MS = 10;
/** Read once: Node reads the files of the process's groups each time. */
const CORES = availableParallelism();
let look = { atMs: Number.NEGATIVE_INFINITY, cpuMs: 0 };

function lastLook(): typeof look {
  const atMs = performance.now();
  if (atMs - look.atMs > LOOK_MS) look = { atMs, cpuMs: cpuMs(service.pid()) };
  return look;
}

async function costOf<Answer>(
  work: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly cost: Cost }> {
  const [since, startedAtMs] = [lastLook(), performance.now()];
  const answer = await work();
  const endedAtMs = performance.now();
  // No process can use more than all cores, so the CPU time is read only if even that bound is too
  // high.
  const mostMs = (endedAtMs - since.atMs) * CORES;
  const usedMs = mostMs < MOST_CPU_MS ? mostMs : cpuMs(service.pid()) - since.cpuMs;
  return { answer, cost: { cpuMs: usedMs, wallMs: endedAtMs - startedAtMs } };
}

/**
 * A 503 is not the call's fault if the service waited that long for its write: the machine or its
 * disk stalled (D15, outage).
 */
function isStandstill(endpoint: EndpointName, { status }: RawAnswer, { wallMs }: Cost): boolean {
  return status === 503 && wallMs >= PATIENCE_MS[endpoint];
}

/** The fault of an answer, or undefined. */
function findFault(endpoint: EndpointName, answer: RawAnswer, cost: Cost): string | undefined {
  const { status, body } = answer;
  if (status >= 500 && !isStandstill(endpoint, answer, cost))
    return `status ${status} after ${cost.wallMs.toFixed(0)} ms`;
  const parsed = JSON.parse(body) as {
    success?: unknown;
    error?: unknown;
    tokenProperties?: { valid?: unknown };
  };
  if (endpoint === "siteverify" || endpoint === "assessments") {
    const said = endpoint === "siteverify" ? parsed.success : parsed.tokenProperties?.valid;
    if (status === 200)
      return typeof said === "boolean" ? undefined : "another shape than a vendor's";
    const isCallers = endpoint === "assessments" && [403, 404].includes(status);
    const isLimited = status === 429 && parsed.success !== true;
    return isCallers || isLimited ? undefined : `status ${status} for what a visitor can cause`;
  }
  if (typeof parsed.success !== "boolean") return "no success";
  const isShaped =
    status === 200 ? SCHEMAS[endpoint].safeParse(parsed) : errorSchema.safeParse(parsed.error);
  return isShaped.success ? undefined : `status ${status} in another shape than published`;
}

/** The answer's status and, where 200 can mean several things, which of them. */
function outcomeOf(endpoint: EndpointName, { status, body }: RawAnswer): string {
  const {
    data = {},
    reasonCode,
    success,
    stile,
  } = JSON.parse(body) as {
    data?: Record<string, unknown>;
    reasonCode?: string;
    success?: boolean;
    stile?: { reason_code?: string };
  };
  if (stile) return `${endpoint} ${status} ${success ? "verified" : stile.reason_code}`;
  const said =
    reasonCode ?? data.next ?? (data.verified === true ? "verified" : (data.action ?? ""));
  return `${endpoint} ${status} ${status === 200 ? said : ""}`.trim();
}

/** `doubtful`: calls that may have been expensive, or got a 503. */
type Run = {
  readonly counts: Map<string, number>;
  readonly faults: string[];
  readonly doubtful: HostileCall[];
};

async function sendCalls(calls: Iterator<HostileCall>, count: number, run: Run): Promise<void> {
  let left = count;
  const work = async (): Promise<void> => {
    const connection = keepConnection(service.port);
    while (left-- > 0 && run.faults.length < 5) {
      const call = calls.next().value as HostileCall;
      const { endpoint, bytes } = call;
      const fault = await costOf(() => connection.send(bytes)).then(
        ({ answer, cost }) => {
          if (answer.status === 503 || cost.cpuMs >= MOST_CPU_MS) run.doubtful.push(call);
          const outcome = outcomeOf(endpoint, answer);
          run.counts.set(outcome, (run.counts.get(outcome) ?? 0) + 1);
          return findFault(endpoint, answer, cost);
        },
        (error: Error) => error.message,
      );
      if (fault !== undefined)
        run.faults.push(`${fault} for ${bytes.toString("latin1").slice(0, 3000)}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/** Sends a call alone until its status is below 500, and returns the CPU time of that answer. */
async function cpuAlone(
  connection: KeptConnection,
  { endpoint, bytes }: HostileCall,
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const { answer, cost } = await costOf(() => connection.send(bytes));
    if (answer.status < 500) return cost.cpuMs;
    assert.ok(
      isStandstill(endpoint, answer, cost),
      `alone, a call is answered ${answer.status} after ${cost.wallMs} ms`,
    );
    assert.ok(attempt < MAX_TRIES, `alone, a call is answered 503 each of ${MAX_TRIES} times`);
  }
}

/**
 * CPU time of the most expensive call, when the calls run one after another. The cheaper of two
 * tries counts for each.
 */
async function mostAlone(calls: readonly HostileCall[]): Promise<number> {
  const connection = keepConnection(service.port);
  let mostCpuMs = 0;
  for (const call of calls) {
    const tries = [await cpuAlone(connection, call), await cpuAlone(connection, call)];
    mostCpuMs = Math.max(mostCpuMs, Math.min(...tries));
  }
  connection.close();
  return mostCpuMs;
}

test(`${CALLS} hostile bodies cause no fault, no crash and no growth, and get the published answers (D11, errors)`, async () => {
  const values = sampleHostileValues(SEED);
  const cryptography = await openServiceCryptography(service.dataDirectory);
  const tokens = await mintTokens({ ...service, count: 2000 });
  const calls = hostileCalls({
    ...service,
    random: createRandomBelow(SEED),
    values,
    cryptography,
    tokens,
  });
  const run: Run = { counts: new Map(), faults: [], doubtful: [] };
  const startedAt = performance.now();
  await sendCalls(calls, WARM_UP_CALLS, run);
  const warmMb = await residentAfterCollecting();
  await sendCalls(calls, CALLS - WARM_UP_CALLS, run);
  const endMb = await residentAfterCollecting();
  const total = [...run.counts.values()].reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const [outcome, count] of [...run.counts].sort())
    console.log(`${String(count).padStart(7)} ${outcome}`);
  console.log(
    `${total} answers in ${seconds.toFixed(1)} s, ${run.doubtful.length} doubtful, seed ${SEED}`,
  );
  console.log(`resident: ${warmMb.toFixed(0)} MB after warm-up, ${endMb.toFixed(0)} MB at the end`);
  assert.deepEqual(run.faults, []);
  assert.equal(total, CALLS);
  const logged = service.log().split("\n");
  const faults = logged.filter(
    (line) => line !== "" && !STOOD_STILL.test(line) && !INSPECTOR_LINE.test(line),
  );
  assert.deepEqual(faults, [], "nothing a visitor sends is a fault");
  assert.ok(endMb - warmMb < GROWTH_LIMIT_MB);
  assert.ok((await mostAlone(run.doubtful)) < MOST_CPU_MS);
  const deep = [
    "token/verify 200 verified",
    "token/verify 200 token_already_used",
    "score 200 block",
    "pow/challenge 200",
    "siteverify 200 verified",
    "siteverify 200 token_already_used",
    "siteverify 200 bad_request",
    "assessments 200",
  ];
  deep.push("verify 200 retry", "verify 200 interact", "verify 200 blocked");
  for (const outcome of deep)
    assert.ok(run.counts.has(outcome), `no call got as far as "${outcome}"`);
});
