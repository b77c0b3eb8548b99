import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ProxyMode } from "@stile/testkit/postgres/tcp-proxy";
import type { Cluster } from "@stile/testkit/torture/cluster";
import { type HeardOutcome, redeemOnce } from "@stile/testkit/torture/redeem-call";
import type { TorturedEngine } from "@stile/testkit/torture/tortured-engine";
import type { Figure, Say } from "@stile/testkit/trials/trial";
import { atMost, NONE } from "./bounds.ts";

const CALLERS = 8;
const OUTAGE_MS = 3000;
/** Pause of a caller between two calls, and between two checks whether it is over, ms. */
const [PAUSE_MS, ASK_MS] = [50, 10];
const WITHIN_MS = { unavailable: 2000, recovery: 1000, patience: 20_000 } as const;

type Cut = {
  readonly name: string;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/** The obstacles between servers and an engine, for all servers at once. */
function cutsOf({ name: engine, ways, kill, start }: TorturedEngine): readonly Cut[] {
  const setAll = (mode: ProxyMode) => async (): Promise<void> => ways.setAll(mode);
  const network = (["cut", "torn", "deaf", "silent"] as const).map(
    (mode): Cut => ({ name: `${engine} ${mode}`, begin: setAll(mode), end: setAll("pass") }),
  );
  return [...network, { name: `${engine} killed`, begin: kill, end: start }];
}

type Answer = { readonly token: string; readonly outcome: HeardOutcome; readonly ms: number };

/** Redeems at all servers, and measures. */
function createCallers({ target }: Cluster, mint: () => string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const redeem = async (server: number, token: string): Promise<Answer> => {
    const { baseUrl = "" } = target.servers[server % target.servers.length] ?? {};
    const sentAtMs = performance.now();
    const { outcome } = await redeemOnce(baseUrl, target.secretKey, agent, { token });
    return { token, outcome, ms: performance.now() - sentAtMs };
  };
  return {
    redeem,
    redeemFresh: (server: number) => redeem(server, mint()),
    close: () => agent.destroy(),
  };
}

type Callers = ReturnType<typeof createCallers>;

async function callFor(callers: Callers, isOver: () => boolean): Promise<readonly Answer[]> {
  const heard: Answer[] = [];
  const one = async (_: unknown, caller: number): Promise<void> => {
    for (let at = caller; !isOver(); at++) {
      heard.push(await callers.redeemFresh(at));
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, one));
  return heard;
}

/** Asks every server until each has given such an answer; returns how long that took, ms. */
async function untilAll(
  { target }: Cluster,
  callers: Callers,
  isWanted: (outcome: HeardOutcome) => boolean,
): Promise<number> {
  const sinceMs = performance.now();
  const ask = async (_: unknown, server: number): Promise<void> => {
    while (performance.now() - sinceMs < WITHIN_MS.patience) {
      if (isWanted((await callers.redeemFresh(server)).outcome)) return;
      await delay(ASK_MS);
    }
  };
  await Promise.all(target.servers.map(ask));
  return performance.now() - sinceMs;
}

const isVerified = (outcome: HeardOutcome): boolean => outcome === "verified";

async function countVerifiedAgain(callers: Callers, answers: readonly Answer[]): Promise<number> {
  let again = 0;
  for (const [at, { token }] of answers.entries())
    if (isVerified((await callers.redeem(at, token)).outcome)) again++;
  return again;
}

async function through(cluster: Cluster, callers: Callers, cut: Cut): Promise<Figure[]> {
  const { name } = cut;
  await untilAll(cluster, callers, isVerified);
  await cut.begin();
  const untilMs = performance.now() + OUTAGE_MS;
  const heard = await callFor(callers, () => performance.now() > untilMs);
  await cut.end();
  const backMs = await untilAll(cluster, callers, isVerified);
  const times = heard.map(({ ms }) => ms).sort((a, b) => a - b);
  const verified = heard.filter(({ outcome }) => isVerified(outcome));
  const otherwise = heard.filter(
    ({ outcome }) => !isVerified(outcome) && outcome !== "unavailable",
  );
  const [bound, unit] = [atMost(WITHIN_MS.unavailable), "ms"];
  const calls = `of ${heard.length}`;
  return [
    {
      name: `${name}: time to 503, p99`,
      value: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
      unit,
      bound,
    },
    { name: `${name}: time to 503, at worst`, value: times.at(-1) ?? Number.NaN, unit, bound },
    {
      name: `${name}: answered "verified"`,
      value: verified.length,
      unit: calls,
      bound: NONE,
    },
    {
      name: `${name}: answered neither that nor 503`,
      value: otherwise.length,
      unit: calls,
      bound: NONE,
    },
    {
      name: `${name}: answered "verified", and again later`,
      value: await countVerifiedAgain(callers, verified),
      unit: `of ${verified.length}`,
      bound: NONE,
    },
    {
      name: `${name}: until every server verifies again`,
      value: backMs,
      unit,
      bound: atMost(WITHIN_MS.recovery),
    },
  ];
}

/** Takes each engine away from all servers at once, in five ways, and restores it (D15, outage). */
export async function storeCut(cluster: Cluster, say: Say): Promise<Figure[]> {
  const callers = createCallers(cluster, await cluster.openMint(cluster.site));
  try {
    const figures: Figure[] = [];
    for (const cut of cluster.engines.flatMap(cutsOf)) {
      say(cut.name);
      figures.push(...(await through(cluster, callers, cut)));
    }
    return figures;
  } finally {
    callers.close();
  }
}
