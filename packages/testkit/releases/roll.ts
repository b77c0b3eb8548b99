import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { createKeyRing } from "@stile/server/cryptography/key-ring";
import { createNodeCryptography } from "@stile/server/cryptography/node-cryptography";
import { refreshKeyRing } from "@stile/server/cryptography/service-keys";
import { readConnectionOptions } from "@stile/stores/postgres/engine/connection-options";
import { createDatabase } from "@stile/stores/postgres/engine/database";
import { createPostgresServiceKeys } from "@stile/stores/postgres/postgres-service-keys";
import type { OperatorSite } from "../service/operator-site.ts";
import { type RunningService, startService } from "../service/service.ts";
import { openServiceStore } from "../service/service-store.ts";
import { endWithProcess } from "../torture/cluster.ts";
import { redeemOnce } from "../torture/redeem-call.ts";
import type { TortureReport } from "../torture/torture.ts";
import { type Across, type HeldChanges, tryChanges } from "./changes-across.ts";
import { becomeOwner, callAs } from "./owner.ts";
import { startRaces } from "./races.ts";
import { type EarnedToken, startVisits, type Used, type VisitTally } from "./visits.ts";

/** How operators run the service and the command line of a version: arguments of Node. */
type Release = { readonly service: readonly string[]; readonly commandLine: readonly string[] };

/** The version that runs first, or the one that replaces it. */
export type Version = "before" | "after";

/** Stops a node and starts it as this version. */
export type Turn = { readonly node: 0 | 1; readonly version: Version };

/**
 * Two nodes of one version on an empty database, and the versions they change to, one after
 * another, while in use.
 */
export type RollPlan = {
  readonly databaseUrl: string;
  readonly before: Release;
  readonly after: Pick<Release, "service">;
  readonly turns: readonly Turn[];
};

/** The results. */
export type RollReport = {
  readonly restarts: number;
  readonly races: TortureReport;
  readonly visits: VisitTally;
  /** Tokens earned by visits. */
  readonly earned: number;
  /** Number of tokens that had been redeemed and could be redeemed again at the end; must be 0. */
  readonly redeemedAgain: number;
  readonly changes: HeldChanges;
  /** The service's own statistics of the site, by metric. */
  readonly counted: ReadonlyMap<string, number>;
  /**
   * The output of the version before if it refused to start at the end, on the other version's
   * data; empty: it ran.
   */
  readonly refusedStart: string;
};

const SETTINGS = {
  STILE_LIMIT_VERIFY: "10000000",
  STILE_LIMIT_CHALLENGE: "1000000",
  STILE_LOG_LEVEL: "error",
};
/** Everybody gets a token, whatever the score: all visitors are alike. */
const SITE = {
  name: "Rolled",
  domains: ["localhost"],
  mode: "invisible",
  thresholds: { challenge: 1, block: 1 },
};

/** The keys of the service. Opening its store would upgrade the tables to this version. */
async function openKeys(databaseUrl: string, masterKey: string): Promise<Cryptography> {
  const database = await createDatabase(readConnectionOptions(databaseUrl));
  const ring = createKeyRing();
  const keys = createPostgresServiceKeys(database.calls);
  await refreshKeyRing(ring, keys, Buffer.from(masterKey, "base64"), Date.now());
  await database.close();
  return createNodeCryptography(ring, { nowMs: () => Date.now() });
}

const SWEEPERS = 4;

/**
 * Redeems each token once more at each node; returns how many were verified although they had been
 * before.
 */
async function countRedeemedAgain(
  nodes: readonly RunningService[],
  { secretKey }: OperatorSite,
  tokens: readonly EarnedToken[],
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: SWEEPERS });
  const waiting = tokens.values();
  let again = 0;
  const sweep = async (): Promise<void> => {
    for (const { token, isRedeemed } of waiting) {
      let isSpent = isRedeemed;
      for (const { baseUrl } of nodes) {
        const { outcome } = await redeemOnce(baseUrl, secretKey, agent, { token });
        if (outcome !== "verified" && outcome !== "used")
          throw new Error(`a token was answered: ${outcome}`);
        if (outcome === "verified" && isSpent) again += 1;
        isSpent = true;
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: SWEEPERS }, sweep));
  } finally {
    agent.destroy();
  }
  return again;
}

async function readCounts(
  databaseUrl: string,
  { siteKey }: OperatorSite,
): Promise<ReadonlyMap<string, number>> {
  const store = await openServiceStore("", databaseUrl);
  const whole = { siteKey, resolution: "day", fromMs: 0, toMs: Date.now() } as const;
  const sums = await store.statistics.readSums({ ...whole, kinds: ["outcome"] });
  await store.close();
  const counts = new Map<string, number>();
  for (const { metric, count } of sums) counts.set(metric, (counts.get(metric) ?? 0) + count);
  return counts;
}

async function stopWell(node: RunningService): Promise<void> {
  const code = await node.stop();
  if (code !== 0) throw new Error(`a stop ended with ${code}:\n${node.log()}`);
}

/** Starts a node as that program; returns its output if it refused. */
async function tryStart(node: RunningService, service: readonly string[]): Promise<string> {
  const known = node.log().length;
  try {
    await node.restart(service);
    return "";
  } catch {
    return node.log().slice(known).trim();
  }
}

async function makeSite(baseUrl: string, cookie: string): Promise<OperatorSite> {
  const { status, body } = await callAs(cookie)(baseUrl, "sites", SITE);
  if (status !== 200)
    throw new Error(`the site was not created: ${status} ${JSON.stringify(body)}`);
  const { site, secretKey } = body.data as { site: { siteKey: string }; secretKey: string };
  return { siteKey: site.siteKey, secretKey };
}

/** Tries an owner's changes from each node to the other. */
async function tryBothWays({
  baseUrls,
  ...owner
}: Used & Pick<Across, "cookie">): Promise<HeldChanges> {
  const [first = "", second = ""] = baseUrls;
  const there = await tryChanges({ ...owner, from: first, at: second });
  return [...there, ...(await tryChanges({ ...owner, from: second, at: first }))];
}

/** Stops a node cleanly and starts it as that version. */
async function turnInto(
  node: RunningService,
  { service }: Pick<Release, "service">,
): Promise<void> {
  await stopWell(node);
  await node.restart(service);
}

/**
 * Starts two nodes, lets visitors come and callers race for tokens at both, and meanwhile upgrades
 * one node after another. While the two have different versions, every change of an owner is tried
 * from each to the other.
 */
export async function roll(plan: RollPlan): Promise<RollReport> {
  const { databaseUrl, before, after, turns } = plan;
  const masterKey = randomBytes(32).toString("base64");
  const settings = { ...SETTINGS, STILE_DATABASE_URL: databaseUrl, STILE_MASTER_KEY: masterKey };
  const nodes: RunningService[] = [];
  const keep = endWithProcess(nodes);
  try {
    for (let at = 0; at < 2; at++) nodes.push(await startService(settings, before.service));
    const [first, second] = nodes as [RunningService, RunningService];
    const own = { ...settings, STILE_DATA_DIR: first.dataDirectory };
    const cookie = await becomeOwner(first.baseUrl, before.commandLine, own);
    const site = await makeSite(first.baseUrl, cookie);
    const cryptography = await openKeys(databaseUrl, masterKey);
    const used = { baseUrls: [first.baseUrl, second.baseUrl], site, cryptography };
    const visits = startVisits(used);
    const races = startRaces(used);
    const changes: HeldChanges[number][] = [];
    const versions: [Version, Version] = ["before", "before"];
    try {
      for (const { node, version } of turns) {
        await races.goOn();
        await turnInto(node === 0 ? first : second, version === "before" ? before : after);
        versions[node] = version;
        if (versions[0] !== versions[1]) changes.push(...(await tryBothWays({ ...used, cookie })));
      }
    } finally {
      races.letEnd();
      visits.letEnd();
      // While the nodes still run, even after a fault: callers keep asking until they get an
      // answer.
      await Promise.allSettled([races.ended(), visits.ended()]);
    }
    const { report, tokens: raced } = await races.ended();
    const { tally, tokens: earned } = await visits.ended();
    const redeemedAgain = await countRedeemedAgain(nodes, site, [...earned, ...raced]);
    await stopWell(first);
    await stopWell(second);
    const seen = {
      restarts: turns.length,
      races: report,
      visits: tally,
      earned: earned.length,
      redeemedAgain,
      changes,
    };
    const counted = await readCounts(databaseUrl, site);
    return { ...seen, counted, refusedStart: await tryStart(second, before.service) };
  } finally {
    keep();
    for (const node of nodes) await node.dispose();
  }
}
