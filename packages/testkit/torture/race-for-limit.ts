import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { Cluster } from "./cluster.ts";
import { countOverLimit, roomUntil } from "./judge-limit.ts";
import { redeemOnce } from "./redeem-call.ts";

/** What a limit let through. */
export type LimitReport = {
  readonly perMinute: number;
  /** Redemptions that were asked for at once, and how many of them were verified. */
  readonly asked: number;
  readonly admitted: number;
  /** Admissions, there and over the minute's edge, that the window of D10 has no room for; must be 0. */
  readonly over: number;
  /** Beyond the edge: what was admitted, and what had to be at least, since more asked all the time. Undefined if no edge was crossed. */
  readonly beyond: { readonly admitted: number; readonly least: number } | undefined;
};

/** How much is asked for; over the minute's edge it waits for one, up to a minute. */
export type LimitPlan = { readonly perMinute: number; readonly crossesEdge: boolean };

const CONNECTIONS = 12;
const PRESSURE = 3;
/** Before the minute's edge the first rush must be over. */
const RUSH_MS = 20_000;
const WAVE = 24;
const WAVES_MS = { before: 1000, after: 6000, pause: 50 } as const;
/** By how much the clocks of nodes, and ours, may differ. */
const SLACK_MS = 250;

const untilEdge = (): number => MINUTE_MS - (Date.now() % MINUTE_MS);

/** Redeems fresh tokens of a site with a limit of its own at all servers at once: a rush, and then on and on over the minute's edge. */
export async function raceForLimit(
  { target, openMint, addLimitedSite }: Cluster,
  plan: LimitPlan,
): Promise<LimitReport> {
  const { perMinute, crossesEdge } = plan;
  const site = await addLimitedSite(perMinute);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  // A refused redemption burns nothing: its token is good for the next try.
  let tokens: readonly string[] = [];
  const redeemSome = async (count: number): Promise<number[]> => {
    const tried = tokens.slice(0, count);
    const heard = await Promise.all(
      tried.map((token) => {
        const server = target.servers[sent++ % target.servers.length];
        return redeemOnce(server?.baseUrl ?? "", site.secretKey, agent, { token });
      }),
    );
    tokens = [...tokens.slice(count), ...tried.filter((_, at) => heard[at]?.outcome === "limited")];
    return heard.flatMap(({ verifiedAtMs }) => verifiedAtMs ?? []);
  };

  try {
    const asked = PRESSURE * perMinute;
    tokens = Array.from({ length: asked }, await openMint(site));
    if (crossesEdge && untilEdge() < RUSH_MS) await delay(untilEdge() + SLACK_MS);
    const rush = await redeemSome(asked);
    const told = { perMinute, asked, admitted: rush.length };
    if (!crossesEdge) return { ...told, over: countOverLimit(rush, perMinute), beyond: undefined };
    await delay(Math.max(0, untilEdge() - WAVES_MS.before));
    const edgeMs = Date.now() + untilEdge();
    const waves: number[] = [];
    let lastSentMs = Date.now();
    while (lastSentMs < edgeMs + WAVES_MS.after) {
      lastSentMs = Date.now();
      waves.push(...(await redeemSome(WAVE)));
      await delay(WAVES_MS.pause);
    }
    const minute = minuteOf(edgeMs);
    const all = [...rush, ...waves];
    const countIn = (wanted: number): number => all.filter((atMs) => minuteOf(atMs) === wanted).length;
    return {
      ...told,
      over: countOverLimit(all, perMinute),
      beyond: { admitted: countIn(minute), least: roomUntil(lastSentMs - SLACK_MS, countIn(minute - 1), perMinute) },
    };
  } finally {
    agent.destroy();
  }
}
