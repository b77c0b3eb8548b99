import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { Cluster } from "./cluster.ts";
import { countOverLimit, roomUntil } from "./judge-limit.ts";
import { type Heard, redeemOnce } from "./redeem-call.ts";

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

/**
 * The limit, and how many times over it is asked for (three, where nothing is told). Over the minute's edge it waits for one, up to a minute;
 * `during` is done while it is asked for, which goes on until it is over.
 */
export type LimitPlan = {
  readonly perMinute: number;
  readonly crossesEdge: boolean;
  readonly pressure?: number;
  readonly during?: () => Promise<void>;
};

const CONNECTIONS = 12;
const PRESSURE = 3;
/** Before the minute's edge the first rush must be over, on a busy machine too. */
const RUSH_MS = 20_000;
const RUSH_MS_EACH = 4;
const WAVE = 24;
/** So many times as many at once where each answer waits for the disk, so that as many are asked a second. */
const BREADTH = 10;
const WAVES_MS = { before: 1000, after: 6000, pause: 50 } as const;
/** By how much the clocks of nodes, and ours, may differ. */
const SLACK_MS = 250;

const isUnspent = (heard: Heard | undefined): boolean => heard?.outcome === "limited" || heard?.outcome === "unsent";

/** Rushes once; where there is work meanwhile, until that is over, and then once more. */
async function rushDuring(rush: () => Promise<number[]>, during?: () => Promise<void>): Promise<number[]> {
  if (during === undefined) return await rush();
  let isOver = false;
  const work = during().finally(() => {
    isOver = true;
  });
  const admitted: number[] = [];
  while (!isOver) admitted.push(...(await rush()));
  await work;
  return [...admitted, ...(await rush())];
}

const untilEdge = (): number => MINUTE_MS - (Date.now() % MINUTE_MS);

/** Redeems fresh tokens of a site with a limit of its own at all servers at once: a rush, and then on and on over the minute's edge. */
export async function raceForLimit(
  { target, engines, openMint, addLimitedSite }: Cluster,
  plan: LimitPlan,
): Promise<LimitReport> {
  const { perMinute, crossesEdge, pressure = PRESSURE, during } = plan;
  const site = await addLimitedSite(perMinute);
  const breadth = engines.some(({ answersAfterMs }) => answersAfterMs > 0) ? BREADTH : 1;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS * breadth });
  let sent = 0;
  // What was refused, or heard by nobody, burns nothing: its token is good for the next try.
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
    const asked = Math.round(pressure * perMinute);
    tokens = Array.from({ length: asked }, await openMint(site));
    const rushMs = Math.max(RUSH_MS, RUSH_MS_EACH * asked);
    if (crossesEdge && untilEdge() < rushMs) await delay(untilEdge() + SLACK_MS);
    const rush = await rushDuring(() => redeemSome(asked), during);
    const told = { perMinute, asked, admitted: rush.length };
    if (!crossesEdge) return { ...told, over: countOverLimit(rush, perMinute), beyond: undefined };
    await delay(Math.max(0, untilEdge() - WAVES_MS.before));
    const edgeMs = Date.now() + untilEdge();
    const waves: number[] = [];
    let lastSentMs = Date.now();
    while (lastSentMs < edgeMs + WAVES_MS.after) {
      lastSentMs = Date.now();
      waves.push(...(await redeemSome(WAVE * breadth)));
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
