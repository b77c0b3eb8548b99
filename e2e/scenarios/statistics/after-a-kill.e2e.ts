import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import {
  MAX_NAMES_PER_DAY,
  METRIC_KINDS,
  splitMetric,
} from "@stile/core/domain/statistics/metrics";
import { RESOLUTIONS } from "@stile/protocol/dashboard-statistics";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import {
  type Mix,
  type MixedRequest,
  makeMixedRequests,
} from "@stile/testkit/payloads/mixed-requests";
import { type RunningService, startService } from "@stile/testkit/service/service";

const ENVIRONMENT = {
  STILE_LIMIT_VERIFY: "10000000",
  STILE_LIMIT_SCORE: "10000000",
  STILE_LIMIT_CHALLENGE: "10000000",
  STILE_TRUSTED_PROXIES: "127.0.0.1",
  STILE_LOG_LEVEL: "error",
};
const SEED = 20_261_121;
/** 10,000 requests. */
const MIX: Mix = {
  right: 1_000,
  repeatedSolutions: 1_000,
  wrong: 1_000,
  challenges: 1_500,
  tokens: 2_000,
  repeatedTokens: 1_500,
  forged: 800,
  foreign: 600,
  scores: 600,
};
const CONNECTIONS = 32;
/** The service writes counts that are held in memory every second; a busy machine may be late. */
const HELD_MS = 1_500;

/** Metrics that the same write counts for which the answer waits. */
const EXACT = [
  "challenge_solved",
  "token_issued",
  "challenge_stepped_up",
  "challenge_priced",
  "challenge_blocked",
  "token_redeemed",
  "refused:token_already_used",
];
/** Metrics that the service first counts in memory. */
const HELD = [
  "challenge_issued",
  "challenge_failed",
  "score_requested",
  "refused:invalid_signature",
  "refused:invalid_site_key",
];

type Body = {
  readonly reasonCode?: string;
  readonly data: {
    readonly verified?: boolean;
    readonly next?: string;
    readonly reasonCode?: string;
  };
};

/** The metrics that an answer should have counted. */
function metricsOf({ path }: MixedRequest, body: Body): string[] {
  const { verified, next } = body.data;
  if (path.startsWith("/api/v1/pow/challenge")) return ["challenge_issued"];
  if (path === "/api/v1/score") return ["score_requested"];
  if (path === "/api/v1/token/verify")
    return [verified ? "token_redeemed" : `refused:${body.reasonCode}`];
  if (verified) return ["challenge_solved", "token_issued"];
  if (next === "interact") return ["challenge_solved", "challenge_stepped_up", "challenge_issued"];
  if (next === "work") return ["challenge_solved", "challenge_priced", "challenge_issued"];
  return next === "blocked" ? ["challenge_solved", "challenge_blocked"] : ["challenge_failed"];
}

/**
 * The body of the answer. If the connection broke (undefined) or a busy machine's disk was late
 * ("unavailable"; D15, outage), the request may have counted or not.
 */
function send(
  service: RunningService,
  agent: Agent,
  { method, path, headers, body }: MixedRequest,
) {
  return new Promise<Body | "unavailable" | undefined>((resolve, reject) => {
    const call = request(`${service.baseUrl}${path}`, { method, headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", () => resolve(undefined));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as Body);
        else if (response.statusCode === 503) resolve("unavailable");
        else reject(new Error(`${path} was answered with ${response.statusCode} ${text}`));
      });
    });
    call.on("error", () => resolve(undefined));
    call.end(body);
  });
}

type Seen = {
  readonly answered: Map<string, number>;
  /** The times of the answers that count towards a metric held in memory, by metric. */
  readonly heldAt: Map<string, number[]>;
  /** Number of requests whose connection broke. */
  lost: number;
  /** Number of requests that were answered with 503. */
  unavailable: number;
  killedAtMs: number;
  goneAtMs: number;
};

/** Sends everything over CONNECTIONS connections, and kills the service halfway. */
async function sendAll(service: RunningService, requests: readonly MixedRequest[]): Promise<Seen> {
  const seen: Seen = {
    answered: new Map(),
    heldAt: new Map(),
    lost: 0,
    unavailable: 0,
    killedAtMs: 0,
    goneAtMs: 0,
  };
  let next = 0;
  let up = Promise.resolve();
  const connection = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (next < requests.length) {
      await up;
      const mixed = requests[next++];
      if (mixed === undefined) break;
      if (next === requests.length / 2) {
        seen.killedAtMs = performance.now();
        up = service.kill().then(() => {
          seen.goneAtMs = performance.now();
          return service.restart();
        });
      }
      const body = await send(service, agent, mixed);
      if (body === undefined) seen.lost++;
      if (body === "unavailable") seen.unavailable++;
      if (body === undefined || body === "unavailable") continue;
      for (const metric of metricsOf(mixed, body)) {
        seen.answered.set(metric, (seen.answered.get(metric) ?? 0) + 1);
        seen.heldAt.set(metric, [...(seen.heldAt.get(metric) ?? []), performance.now()]);
      }
    }
    agent.destroy();
  };
  // All of them end before a fault ends the test: one may be starting the service again.
  const ended = await Promise.allSettled(Array.from({ length: CONNECTIONS }, connection));
  await up;
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return seen;
}

/** Totals by metric, from minutes, hours and days. */
async function readTotals({ dataDirectory, siteKey }: RunningService) {
  const store = await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
  const totals = RESOLUTIONS.map(async (resolution) => {
    const whole = {
      siteKey,
      resolution,
      kinds: METRIC_KINDS,
      fromMs: 0,
      toMs: Number.MAX_SAFE_INTEGER,
    };
    const sums = await store.statistics.readSums(whole);
    return new Map(sums.map(({ metric, count }) => [metric as string, count] as const).sort());
  });
  const read = await Promise.all(totals);
  const decisions = await store.decisions.list({ siteKey, limit: 100_000 });
  await store.close();
  return { totals: read, decisions };
}

function sumOfKind(totals: ReadonlyMap<string, number>, kind: string): number {
  const counts = [...totals].filter(
    ([metric]) => splitMetric(metric as "token_issued").kind === kind,
  );
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

test("after 10,000 mixed requests and a kill -9 the statistics match the answers (spec 1; D3, single use)", async () => {
  const service = await startService(ENVIRONMENT);
  try {
    const requests = await makeMixedRequests(service, MIX, SEED);
    assert.equal(requests.length, 10_000);
    const seen = await sendAll(service, requests);
    assert.equal(await service.stop(), 0);
    const { totals, decisions } = await readTotals(service);
    const [minutes = new Map<string, number>(), hours, days] = totals;
    assert.deepEqual(hours, minutes);
    assert.deepEqual(days, minutes);

    const counted = (metric: string): number => minutes.get(metric) ?? 0;
    const answered = (metric: string): number => seen.answered.get(metric) ?? 0;
    assert.ok(seen.lost > 0 && seen.lost <= CONNECTIONS, `${seen.lost} requests in flight`);
    assert.ok(seen.unavailable < requests.length / 100, `${seen.unavailable} answers with 503`);
    const uncertain = seen.lost + seen.unavailable;
    for (const metric of EXACT) {
      const unheard = counted(metric) - answered(metric);
      console.log(`${metric}: answered ${answered(metric)}, counted ${counted(metric)}`);
      assert.ok(answered(metric) > 50, `${metric} was hardly tried`);
      assert.ok(
        unheard >= 0 && unheard <= uncertain,
        `${metric}: ${unheard} counted that nobody heard of`,
      );
    }
    for (const metric of HELD) {
      const fromMs = seen.killedAtMs - HELD_MS;
      const held = (seen.heldAt.get(metric) ?? []).filter(
        (atMs) => atMs >= fromMs && atMs <= seen.goneAtMs,
      );
      const missing = answered(metric) - counted(metric);
      console.log(
        `${metric}: answered ${answered(metric)}, counted ${counted(metric)}, held ${held.length} at most`,
      );
      assert.ok(answered(metric) > 50, `${metric} was hardly tried`);
      assert.ok(
        missing <= held.length && missing >= -uncertain,
        `${metric}: ${missing} are missing`,
      );
      assert.ok(held.length < answered(metric), "everything may be missing: this proves nothing");
    }
    for (const kind of ["score", "solve", "device", "host"]) {
      assert.equal(sumOfKind(minutes, kind), counted("challenge_solved"), kind);
    }
    assert.equal(sumOfKind(minutes, "verified_score"), counted("token_redeemed"));
    const hosts = [...minutes.keys()].filter((metric) => metric.startsWith("host:"));
    assert.equal(hosts.length, MAX_NAMES_PER_DAY + 1);
    assert.ok(hosts.includes("host:other"));
    const ids = new Set(decisions.map(({ requestId }) => requestId));
    assert.ok(ids.size === decisions.length && ids.size > 0, "each decision names its own request");
  } finally {
    await service.dispose();
  }
});
