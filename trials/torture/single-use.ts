import type { Cluster } from "@stile/testkit/torture/cluster";
import { REDEEM_WAYS } from "@stile/testkit/torture/redeem-call";
import { type TorturePlan, type TortureReport, torture } from "@stile/testkit/torture/torture";
import type { Figure, Say } from "@stile/testkit/trials/trial";
import { atLeast, NONE } from "./bounds.ts";

/** How many tokens, and how many kills. */
export type SingleUsePlan = { readonly tokens: number; readonly kills: number };

const RACERS = 4;
const GROUPS = 4;
const PROGRESS_EVERY = 1000;

function sayProgress(say: Say): NonNullable<TorturePlan["onProgress"]> {
  return (pass, done) => {
    if (done % PROGRESS_EVERY === 0)
      say(`${pass === "races" ? "raced for" : "swept"} ${done} tokens`);
  };
}

/** Races for the tokens of a cluster, while that much is killed and broken. */
export async function raceOn(
  cluster: Cluster,
  plan: SingleUsePlan & { readonly breaks: number },
  say: Say,
): Promise<TortureReport> {
  const mint = await cluster.openMint(cluster.site);
  const how = {
    racers: RACERS,
    ways: REDEEM_WAYS,
    groups: GROUPS,
    seed: Date.now(),
    onProgress: sayProgress(say),
  };
  return await torture(cluster.target, { ...plan, ...how, mint });
}

/** The figures from the calls of callers, each with its bound. */
export function toFigures(report: TortureReport): Figure[] {
  const unit = `of ${report.tokens}`;
  return [
    { name: "calls", value: report.calls, unit: "" },
    { name: "calls that were cut off", value: report.cut, unit: "" },
    { name: "calls that were answered 503", value: report.unavailable, unit: "" },
    { name: 'tokens that a caller heard "verified" for', value: report.successes, unit },
    { name: "tokens spent in a call that was cut off, never told", value: report.lost, unit },
    {
      name: "tokens spent in a call that was answered 503, never told",
      value: report.unknown,
      unit,
    },
    { name: "tokens that expired", value: report.expired, unit, bound: NONE },
    { name: "tokens redeemed twice", value: report.doubles, unit, bound: NONE },
    {
      name: "tokens answered, and verified for a call that began later",
      value: report.forgotten,
      unit,
      bound: NONE,
    },
    {
      name: "tokens refused as used that nobody can have spent",
      value: report.burned,
      unit,
      bound: NONE,
    },
    {
      name: "tokens of which an exact repeat was refused in its time",
      value: report.repeatsRefused,
      unit,
      bound: NONE,
    },
  ];
}

/** The figures from the service's own statistics. */
async function countFigures(cluster: Cluster, report: TortureReport): Promise<Figure[]> {
  const redeemed = await cluster.countRedeemed(cluster.site);
  const unit = `of ${report.tokens}`;
  const missing = Math.max(0, report.tokens - redeemed);
  const tooMany = Math.max(0, redeemed - report.tokens);
  return [
    {
      name: "tokens that the service's statistics did not count",
      value: missing,
      unit,
      bound: NONE,
    },
    {
      name: "tokens that the service's statistics counted too often",
      value: tooMany,
      unit,
      bound: NONE,
    },
  ];
}

/**
 * Races for tokens while processes are killed and, if there is one, the network to the engines
 * breaks as often.
 */
export async function singleUse(
  cluster: Cluster,
  plan: SingleUsePlan,
  say: Say,
): Promise<Figure[]> {
  const { engines, target } = cluster;
  const report = await raceOn(
    cluster,
    { ...plan, breaks: engines.length === 0 ? 0 : plan.kills },
    say,
  );
  const network =
    engines.length === 0 ? [] : [{ name: "breaks of the network", value: report.breaks, unit: "" }];
  // At the end each server is killed once more, and all of each engine.
  const atTheEnd = target.servers.length + engines.length;
  return [
    { name: "kills", value: report.kills, unit: "", bound: atLeast(plan.kills + atTheEnd) },
    ...network,
    ...toFigures(report),
    ...(await countFigures(cluster, report)),
  ];
}
