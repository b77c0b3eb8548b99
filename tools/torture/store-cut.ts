import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "@stile/testkit/torture/cluster";
import { redeemOnce } from "@stile/testkit/torture/redeem-call";
import type { Figure, Say } from "@stile/testkit/trials/trial";
import { atMost, NONE } from "./bounds.ts";

const CALLERS = 8;
const OUTAGE_MS = 3000;
/** Of a caller between two calls, and of one that asks whether it is over. */
const [PAUSE_MS, ASK_MS] = [50, 10];
const WITHIN_MS = { unavailable: 2000, recovery: 1000, patience: 20_000 } as const;
const TOKENS = 6000;

type Cut = { readonly name: string; readonly begin: () => Promise<void>; readonly end: () => Promise<void> };

/** What can come between servers and engine, for all servers at once. */
function cutsOf({ proxies, engine }: Cluster): readonly Cut[] {
  const setAll = (mode: Parameters<(typeof proxies)[number]["setMode"]>[0]) => async (): Promise<void> => {
    for (const proxy of proxies) proxy.setMode(mode);
  };
  const network = (["cut", "torn", "deaf", "silent"] as const).map((mode) => {
    return { name: `network ${mode}`, begin: setAll(mode), end: setAll("pass") };
  });
  if (engine === undefined) return network;
  return [...network, { name: "engine killed", begin: engine.kill, end: engine.start }];
}

/** Redeems at all servers, and measures. */
function createCallers({ target }: Cluster, tokens: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const waiting = tokens.values();
  const redeemNext = async (server: number) => {
    const { baseUrl = "" } = target.servers[server % target.servers.length] ?? {};
    const token = waiting.next().value;
    if (token === undefined) throw new Error("there are too few tokens");
    const sentAtMs = performance.now();
    const { outcome } = await redeemOnce(baseUrl, target.secretKey, agent, { token });
    return { outcome, ms: performance.now() - sentAtMs };
  };
  return { redeemNext, close: () => agent.destroy() };
}

type Callers = ReturnType<typeof createCallers>;

async function callFor(callers: Callers, isOver: () => boolean) {
  const heard: Awaited<ReturnType<Callers["redeemNext"]>>[] = [];
  const one = async (_: unknown, caller: number): Promise<void> => {
    for (let at = caller; !isOver(); at++) {
      heard.push(await callers.redeemNext(at));
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, one));
  return heard;
}

async function untilVerified(callers: Callers, server: number): Promise<void> {
  for (const sinceMs = performance.now(); performance.now() - sinceMs < WITHIN_MS.patience; await delay(ASK_MS)) {
    if ((await callers.redeemNext(server)).outcome === "verified") return;
  }
}

async function through(cluster: Cluster, callers: Callers, { name, begin, end }: Cut): Promise<Figure[]> {
  const everyServer = cluster.target.servers.map((_, server) => server);
  await Promise.all(everyServer.map((server) => untilVerified(callers, server)));
  await begin();
  const untilMs = performance.now() + OUTAGE_MS;
  const heard = await callFor(callers, () => performance.now() > untilMs);
  await end();
  const backAtMs = performance.now();
  await Promise.all(everyServer.map((server) => untilVerified(callers, server)));
  const recoveryMs = performance.now() - backAtMs;
  const times = heard.map(({ ms }) => ms).sort((a, b) => a - b);
  const verified = heard.filter(({ outcome }) => outcome === "verified").length;
  const otherwise = heard.filter(({ outcome }) => outcome !== "unavailable").length;
  const [bound, unit] = [atMost(WITHIN_MS.unavailable), "ms"];
  const calls = `of ${heard.length}`;
  return [
    { name: `${name}: time to 503, p99`, value: times[Math.floor(times.length * 0.99)] ?? Number.NaN, unit, bound },
    { name: `${name}: time to 503, at worst`, value: times.at(-1) ?? Number.NaN, unit, bound },
    { name: `${name}: answered otherwise`, value: otherwise, unit: calls, bound: NONE },
    { name: `${name}: answered "verified"`, value: verified, unit: calls, bound: NONE },
    { name: `${name}: until every server verifies again`, value: recoveryMs, unit, bound: atMost(WITHIN_MS.recovery) },
  ];
}

/** Takes the store away from all servers at once, in five ways, and gives it back (D15). */
export async function storeCut(cluster: Cluster, say: Say): Promise<Figure[]> {
  const callers = createCallers(cluster, await cluster.mint(cluster.site, TOKENS));
  try {
    const figures: Figure[] = [];
    for (const cut of cutsOf(cluster)) {
      say(cut.name);
      figures.push(...(await through(cluster, callers, cut)));
    }
    return figures;
  } finally {
    callers.close();
  }
}
