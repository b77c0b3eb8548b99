import { join } from "node:path";
import { type Cluster, startPostgresCluster, startSqliteCluster } from "@stile/testkit/torture/cluster";
import { type TorturePlan, type TortureReport, torture } from "@stile/testkit/torture/torture";
import type { Figure, Say } from "@stile/testkit/trials/trial";
import { atLeast, NONE, withCluster } from "./bounds.ts";

/** How much of it. */
export type SingleUsePlan = { readonly tokens: number; readonly kills: number };

const RACERS = 4;
const GROUPS = 4;
const PROGRESS_EVERY = 1000;

const KNOWN_WRONG = join(import.meta.dirname, "..", "..", "packages", "testkit", "service", "known-wrong-service.ts");
/** Enough to see doubles by chance of a few kills; tried again so often if chance would have it otherwise. */
const CONTROL = { tokens: 300, kills: 4, tries: 3 } as const;

function sayProgress(say: Say): NonNullable<TorturePlan["onProgress"]> {
  return (pass, done) => {
    if (done % PROGRESS_EVERY === 0) say(`${pass === "races" ? "raced for" : "swept"} ${done} tokens`);
  };
}

async function runOn(cluster: Cluster, plan: SingleUsePlan & { readonly breaks: number }, say: Say) {
  const tokens = await cluster.mint(cluster.site, plan.tokens);
  const how = { racers: RACERS, groups: GROUPS, seed: Date.now(), onProgress: sayProgress(say) };
  return await torture(cluster.target, { ...plan, ...how, tokens });
}

/** What the calls of callers show, each with what it must come to. */
export function toFigures(report: TortureReport): Figure[] {
  const unit = `of ${report.tokens}`;
  return [
    { name: "calls", value: report.calls, unit: "" },
    { name: "calls that were cut off", value: report.cut, unit: "" },
    { name: "calls that were answered 503", value: report.unavailable, unit: "" },
    { name: 'tokens that a caller heard "verified" for', value: report.successes, unit },
    { name: "tokens spent in a call that was cut off, never told", value: report.lost, unit },
    { name: "tokens spent in a call that was answered 503, never told", value: report.unknown, unit },
    { name: "tokens redeemed twice", value: report.doubles, unit, bound: NONE },
    { name: "tokens answered, and verified for a call that began later", value: report.forgotten, unit, bound: NONE },
    { name: "tokens refused as used that nobody can have spent", value: report.burned, unit, bound: NONE },
    {
      name: "tokens of which an exact repeat was refused in its time",
      value: report.repeatsRefused,
      unit,
      bound: NONE,
    },
  ];
}

/** Races for tokens while processes are killed and, where there is one, the network to the engine breaks as often. */
export async function singleUse(cluster: Cluster, plan: SingleUsePlan, say: Say): Promise<Figure[]> {
  const breaks = cluster.proxies.length === 0 ? 0 : plan.kills;
  const report = await runOn(cluster, { ...plan, breaks }, say);
  const redeemed = await cluster.countRedeemed(cluster.site);
  const network =
    cluster.proxies.length === 0 ? [] : [{ name: "breaks of the network", value: report.breaks, unit: "" }];
  // At the end each server is killed once more, and all of the engine.
  const atTheEnd = cluster.target.servers.length + (cluster.engine === undefined ? 0 : 1);
  return [
    { name: "kills", value: report.kills, unit: "", bound: atLeast(plan.kills + atTheEnd) },
    ...network,
    ...toFigures(report),
    {
      name: "tokens that the service's statistics did not count once",
      value: Math.abs(redeemed - report.tokens),
      unit: `of ${report.tokens}`,
      bound: NONE,
    },
  ];
}

type Control = { readonly name: string; readonly start: () => Promise<Cluster> };

/** A service that looks first and spends then; an engine that answers before it is durable. */
const CONTROLS: Readonly<Record<"wrongStore" | "looseEngine", Control>> = {
  wrongStore: {
    name: "a store that reads, and then writes",
    start: () => startSqliteCluster([KNOWN_WRONG, "readsThenWrites"]),
  },
  looseEngine: {
    name: "PostgreSQL with synchronous_commit=off, killed",
    start: async () => {
      const cluster = await startPostgresCluster({ servers: 1, engineSettings: ["synchronous_commit=off"] });
      const { target, engineKills } = cluster;
      return { ...cluster, target: { ...target, faults: engineKills.slice(0, 1) } };
    },
  },
};

async function doublesIn({ name, start }: Control, say: Say): Promise<Figure> {
  let [doubles, tokens] = [0, 0];
  for (let tries = 0; tries < CONTROL.tries && doubles === 0; tries++) {
    const report = await withCluster(start, (cluster) => runOn(cluster, { ...CONTROL, breaks: 0 }, say));
    doubles += report.doubles;
    tokens += report.tokens;
  }
  return { name: `tokens redeemed twice: ${name}`, value: doubles, unit: `of ${tokens}`, bound: atLeast(1) };
}

/** Tortures what is known to be wrong: without doubles there, the torture would be blind. */
export async function controls(isOnPostgres: boolean, say: Say): Promise<Figure[]> {
  const figures = [await doublesIn(CONTROLS.wrongStore, say)];
  if (isOnPostgres) figures.push(await doublesIn(CONTROLS.looseEngine, say));
  return figures;
}
