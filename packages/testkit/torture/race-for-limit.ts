import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import { countOverLimit, roomUntil } from "./check-limit.ts";
import type { Cluster } from "./cluster.ts";
import { type Heard, redeemOnce } from "./redeem-call.ts";

/** How many redemptions a limit admitted. */
export type LimitReport = {
  readonly perMinute: number;
  /** Redemptions requested at once, and how many of them were verified. */
  readonly asked: number;
  readonly admitted: number;
  /**
   * Admissions, in the rush and after the turn of the minute, that exceed the window of D10
   * (limits); must be 0.
   */
  readonly over: number;
  /**
   * After the turn of the minute: the number admitted, and the least it had to be under constant
   * excess. Undefined without a turn.
   */
  readonly beyond: { readonly admitted: number; readonly least: number } | undefined;
};

/**
 * The limit; callers request three times as much. To cross the turn of a minute, the race waits for
 * one.
 */
export type LimitPlan = { readonly perMinute: number; readonly crossesEdge: boolean };

const CONNECTIONS = 12;
const PRESSURE = 3;
/** Before the turn of the minute the first rush must be over, even on a busy machine, ms. */
const RUSH_MS = 20_000;
const RUSH_MS_EACH = 4;
const WAVE = 24;
const WAVES_MS = { before: 1000, after: 6000, pause: 50 } as const;
/** By how much the clocks of the nodes, and ours, may differ, ms. */
const SLACK_MS = 250;

const isUnspent = (heard: Heard | undefined): boolean =>
  heard?.outcome === "limited" || heard?.outcome === "unsent";

const untilEdge = (): number => MINUTE_MS - (Date.now() % MINUTE_MS);

/**
 * Redeems fresh tokens of a site with its own limit at all servers at once, in a rush and then
 * across the turn of the minute.
 */
export async function raceForLimit(
  { target, openMint, addLimitedSite }: Cluster,
  plan: LimitPlan,
): Promise<LimitReport> {
  const { perMinute, crossesEdge } = plan;
  const site = await addLimitedSite(perMinute);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  // A call that was refused, or that nobody received, uses up nothing: its token is valid for the
  // next try.
  let tokens: readonly string[] = [];
  const redeemSome = async (count: number): Promise<number[]> => {
    const tried = tokens.slice(0, count);
    const heard = await Promise.all(
      tried.map((token) => {
        const server = target.servers[sent++ % target.servers.length];
        return redeemOnce(server?.baseUrl ?? "", site.secretKey, agent, { token });
      }),
    );
    tokens = [...tokens.slice(count), ...tried.filter((_, at) => isUnspent(heard[at]))];
    return heard.flatMap(({ verifiedAtMs }) => verifiedAtMs ?? []);
  };

  try {
    const asked = PRESSURE * perMinute;
    tokens = Array.from({ length: asked }, await openMint(site));
    const rushMs = Math.max(RUSH_MS, RUSH_MS_EACH * asked);
    if (crossesEdge && untilEdge() < rushMs) await delay(untilEdge() + SLACK_MS);
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
    const countIn = (wanted: number): number =>
      all.filter((atMs) => minuteOf(atMs) === wanted).length;
    return {
      ...told,
      over: countOverLimit(all, perMinute),
      beyond: {
        admitted: countIn(minute),
        least: roomUntil(lastSentMs - SLACK_MS, countIn(minute - 1), perMinute),
      },
    };
  } finally {
    agent.destroy();
  }
}
