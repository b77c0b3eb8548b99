import { Agent, request } from "node:http";
import { createSeededRandom } from "../seeded-random.ts";
import type { RunningService } from "./service.ts";

/** The service under torture: reachable, killable, startable. */
export type TortureTarget = Pick<RunningService, "baseUrl" | "secretKey" | "kill" | "restart">;

/** How hard; the schedule of kills follows from the seed. */
export type TorturePlan = {
  readonly tokens: readonly string[];
  /** Connections that redeem one token at once. */
  readonly racers: number;
  /** Tokens that are raced for at once. */
  readonly groups: number;
  readonly kills: number;
  readonly seed: number;
};

/** What was seen; a call whose connection broke, or that was answered 503, is interrupted: its outcome is unknown. */
export type TortureReport = {
  readonly tokens: number;
  readonly kills: number;
  readonly calls: number;
  readonly interrupted: number;
  /** Tokens of which at least one caller heard "verified". */
  readonly successes: number;
  /** Tokens that were spent without anyone hearing of it, because the answer was lost with the connection. */
  readonly lost: number;
  /** Tokens that were spent of which nobody heard more than a 503: that the outcome is unknown as yet (D15). */
  readonly unknown: number;
  /** Tokens refused as used although nobody heard "verified" and no call was interrupted; must be 0. */
  readonly burned: number;
  /** Tokens that were redeemed more than once; must be 0. */
  readonly doubles: number;
  /** Tokens that were answered "verified" and counted as fresh after the last kill; must be 0. */
  readonly forgotten: number;
};

type Outcome = "verified" | "used" | "unavailable" | "interrupted";

/** A broken service restarts at most `kills` times, so no caller can honestly need more tries. */
const SPARE_TRIES = 5;

function readOutcome(status: number, text: string): Outcome {
  if (status === 503) return "unavailable";
  const body = JSON.parse(text) as { reasonCode?: string; data: { verified: boolean } };
  if (status === 200 && body.data.verified) return "verified";
  if (status === 200 && body.reasonCode === "token_already_used") return "used";
  throw new Error(`a redemption was answered with ${status} ${text}`);
}

function callOnce(target: TortureTarget, agent: Agent, token: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${target.secretKey}`, "Content-Type": "application/json" };
    const call = request(`${target.baseUrl}/api/v1/token/verify`, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", () => resolve("interrupted"));
      response.on("end", () => {
        try {
          resolve(readOutcome(response.statusCode ?? 0, text));
        } catch (error) {
          reject(error);
        }
      });
    });
    call.on("error", () => resolve("interrupted"));
    call.end(JSON.stringify({ token }));
  });
}

/** Kills and restarts the service after random numbers of events, until the plan's kills are done. */
function createReaper(target: TortureTarget, plan: TorturePlan) {
  const random = createSeededRandom(plan.seed);
  // Every call is two events, its sending and its outcome, so that kills fall before, within and after the write.
  const longest = Math.floor((1.4 * 2 * plan.tokens.length * plan.racers) / plan.kills);
  const reaper = { kills: 0, up: Promise.resolve(), onEvent: () => {} };
  let left = 1 + random(longest);
  let isDown = false;
  reaper.onEvent = () => {
    if (isDown || reaper.kills === plan.kills || --left > 0) return;
    left = 1 + random(longest);
    reaper.kills++;
    isDown = true;
    reaper.up = (async () => {
      await target.kill();
      await target.restart();
      isDown = false;
    })();
  };
  return reaper;
}

/**
 * Races for every token, each racer trying again until it is told something, while the service is killed with -9 and
 * started again; kills it once more; redeems every token a last time.
 */
export async function torture(target: TortureTarget, plan: TorturePlan): Promise<TortureReport> {
  const reaper = createReaper(target, plan);
  const agents = Array.from({ length: plan.racers * plan.groups }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const seen = new Map(plan.tokens.map((token) => [token, { verified: 0, interrupted: 0, unavailable: 0 }]));
  let calls = 0;

  const redeemUntilTold = async (agent: Agent, token: string): Promise<void> => {
    const record = seen.get(token) as { verified: number; interrupted: number; unavailable: number };
    for (let tries = 0; tries < plan.kills + SPARE_TRIES; tries++) {
      await reaper.up;
      calls++;
      const answer = callOnce(target, agent, token);
      reaper.onEvent();
      const outcome = await answer;
      reaper.onEvent();
      if (outcome === "verified") record.verified++;
      if (outcome === "used" || outcome === "verified") return;
      record.interrupted++;
      if (outcome === "unavailable") record.unavailable++;
    }
    throw new Error("a caller was never told an outcome");
  };

  const waiting = [...plan.tokens];
  const race = async (racers: readonly Agent[]): Promise<void> => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
      const raced = token;
      await Promise.all(racers.map((agent) => redeemUntilTold(agent, raced)));
    }
  };
  const groups = Array.from({ length: plan.groups }, (_, group) =>
    agents.slice(group * plan.racers, (group + 1) * plan.racers),
  );
  try {
    await Promise.all(groups.map(race));
    await reaper.up;
    const raced = [...seen.values()].map((record) => ({ ...record }));
    await target.kill();
    await target.restart();
    waiting.push(...plan.tokens);
    await Promise.all(agents.map((agent) => race([agent])));
    const isUnheard = (record: { verified: number }) => record.verified === 0;
    const records = [...seen.values()];
    return {
      tokens: plan.tokens.length,
      kills: reaper.kills + 1,
      calls,
      interrupted: records.reduce((sum, { interrupted }) => sum + interrupted, 0),
      successes: raced.filter((record) => !isUnheard(record)).length,
      lost: records.filter((record) => isUnheard(record) && record.unavailable === 0).length,
      unknown: records.filter((record) => isUnheard(record) && record.unavailable > 0).length,
      burned: records.filter((record) => isUnheard(record) && record.interrupted === 0).length,
      doubles: records.filter(({ verified }) => verified > 1).length,
      forgotten: records.filter(
        ({ verified }, at) => !isUnheard(raced[at] ?? { verified: 0 }) && verified > (raced[at]?.verified ?? 0),
      ).length,
    };
  } finally {
    for (const agent of agents) agent.destroy();
  }
}
