import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Store } from "@stile/core/ports/store";
import { createDecisions } from "@stile/demo/seed/decisions";
import { DEMO_SITES, type DemoSite } from "@stile/demo/seed/demo-sites";
import { seedTraffic } from "@stile/demo/seed/seed";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { FULL_COST_HASH, newMember, newSession } from "@stile/testkit/contract/dashboard";
import type { ServiceFixture } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import type { RunningService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";

/** As far back as days are kept. */
export const DAYS = 396;

const [demo] = DEMO_SITES;
if (demo === undefined) throw new Error("the demonstration has no site");
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => [`${name}-${index}`, count - index] as const);
/**
 * A usual site, and one with ten times its visitors and as many names as are counted separately.
 */
const SITES: Readonly<Record<"usual" | "busy", DemoSite>> = {
  usual: demo,
  busy: {
    settings: { name: "Busy", domains: ["busy.example"] },
    traffic: {
      ...demo.traffic,
      seed: 5,
      peoplePerHour: 640,
      actions: numbered("action", 20),
      hosts: numbered("host.example", 20),
    },
  },
};

/**
 * Opens the store of a running service alongside it, as the command line does; `store.close` closes
 * it.
 */
export async function openBeside({
  baseUrl,
  dataDirectory,
}: Pick<RunningService, "baseUrl" | "dataDirectory">) {
  const databaseFile = join(dataDirectory, "stile.sqlite");
  const store = await openSqliteStore({ file: databaseFile });
  const clock = { nowMs: () => Date.now() };
  const { sites } = store;
  const cryptography = await openServiceCryptography(dataDirectory);
  const directory = { ...sites, forget: () => {} };
  const ports = { clock, cryptography, sites, directory };
  const fixture: ServiceFixture = {
    name: "bench",
    baseUrl,
    ports,
    store,
    databaseFile,
    stop: store.close,
  };
  const [account] = await sites.listAccounts();
  if (account === undefined) throw new Error("the service made no account");
  return { fixture, store, accountId: account.accountId };
}

/** Fills a site with DAYS of statistics that end at `nowMs`, and with its latest decisions. */
export async function fillSite(
  store: Store,
  siteKey: string,
  name: keyof typeof SITES,
  nowMs: number,
): Promise<void> {
  process.stderr.write(`bench: ${DAYS} days of the ${name} site\n`);
  await seedTraffic(store, { siteKey }, SITES[name], { nowMs, days: DAYS });
  const decisions = createDecisions(siteKey, SITES[name].traffic, nowMs, 10_000);
  for (let at = 0; at < decisions.length; at += 100) {
    for (const decision of decisions.slice(at, at + 100)) store.decisions.append(decision);
    await store.decisions.flush();
  }
  // Otherwise the service would remove minutes and hours of months ago during the measurement.
  await store.statistics.prune(nowMs);
}

/**
 * Fills the service's store alongside it with these sites, as `stile seed` does; returns the
 * owner's session, those of the viewers, and the sites' keys.
 */
export async function fillService(service: RunningService, names: readonly (keyof typeof SITES)[]) {
  const { fixture, store, accountId } = await openBeside(service);
  const siteKeys: Record<string, string> = {};
  for (const name of names) {
    const { siteKey } = await newSite(fixture, SITES[name].settings, accountId);
    siteKeys[name] = siteKey;
    await fillSite(store, siteKey, name, Date.now());
  }
  const owner = await newMember(fixture, accountId, "owner");
  const viewers: string[] = [];
  // They get sessions of their own, since each use adds a line to the audit log.
  for (let count = 0; count < 100; count++) {
    const viewer = await newMember(fixture, accountId, "viewer", { passwordHash: FULL_COST_HASH });
    viewers.push((await newSession(fixture, viewer)).cookie);
  }
  const { cookie } = await newSession(fixture, owner);
  await store.close();
  // Writes everything to the disk before the measurement.
  spawnSync("sync");
  return { cookie, viewers, siteKeys };
}
