import type { Account } from "@stile/core/domain/account/account";
import { OPERATOR } from "@stile/core/domain/account/audit";
import type { Site } from "@stile/core/domain/site/site";
import type { SiteSum } from "@stile/core/domain/statistics/metrics";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { deleteSite } from "@stile/core/use-cases/site/delete-site";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import {
  hasInstallation,
  openOperatorPorts,
  openOperatorStore,
} from "@stile/server/cli/operator-ports";
import type { Config } from "@stile/server/config/config";
import { openDataDirectory } from "@stile/server/data-directory/data-directory";
import { initialize } from "@stile/server/lifecycle/first-start";
import { createDecisions } from "./decisions.ts";
import { DEMO_SITES, type DemoSite } from "./demo-sites.ts";
import { createTraffic } from "./traffic.ts";

const DAY_MS = 86_400_000;
const DEMO_DAYS = 60;
const DECISIONS_PER_SITE = 600;
/**
 * Counts and decisions written per transaction. At this size a running server waits only a few ms
 * for each.
 */
const SUMS_PER_BATCH = 2000;
const DECISIONS_PER_BATCH = 100;

type Span = {
  readonly nowMs: number;
  readonly days: number;
  /** Called after each batch with the number of the day it ends in. */
  readonly onDay?: (day: number) => void;
};

/** Adds a site's counts of the last `days` days, and reports its progress. */
export async function seedTraffic(
  store: Store,
  { siteKey }: Pick<Site, "siteKey">,
  { traffic }: DemoSite,
  { nowMs, days, onDay }: Span,
): Promise<void> {
  const fromMs = nowMs - days * DAY_MS;
  let batch: SiteSum[] = [];
  for (const hour of createTraffic(siteKey, traffic, fromMs, nowMs)) {
    batch.push(...hour);
    if (batch.length < SUMS_PER_BATCH) continue;
    await store.statistics.add(batch);
    onDay?.(Math.ceil(((batch.at(-1)?.atMs ?? fromMs) - fromMs) / DAY_MS));
    batch = [];
  }
  await store.statistics.add(batch);
}

async function seedDecisions(
  store: Store,
  { siteKey }: Site,
  { traffic }: DemoSite,
  nowMs: number,
): Promise<void> {
  const decisions = createDecisions(siteKey, traffic, nowMs, DECISIONS_PER_SITE);
  for (let at = 0; at < decisions.length; at += DECISIONS_PER_BATCH) {
    for (const decision of decisions.slice(at, at + DECISIONS_PER_BATCH))
      store.decisions.append(decision);
    await store.decisions.flush();
  }
}

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory">;

/** The name of a demonstration site until it is complete. */
const whileFilled = (name: string): string => `${name} (being filled)`;

/**
 * Deletes the unfinished site of an interrupted run, because its old counts could not be told from
 * new ones.
 */
async function deleteUnfinished(ports: Ports, sites: readonly Site[], name: string): Promise<void> {
  const unfinished = sites.find(
    (site) => site.deletedAtMs === null && site.name === whileFilled(name),
  );
  if (unfinished === undefined) return;
  await deleteSite(ports, { ...unfinished, actor: OPERATOR });
  process.stdout.write(
    `  ${name}: an earlier run was interrupted; the site it began is among the deleted sites for 7 days\n`,
  );
}

/**
 * Creates a site, fills it, and only then gives it its name. Throws if somebody changes the site in
 * the meantime.
 */
async function seedSite(
  { ports, store }: { readonly ports: Ports; readonly store: Store },
  account: Account,
  demo: DemoSite,
  onDay: (day: number) => void,
): Promise<void> {
  const { name } = demo.settings;
  const owner = { accountId: account.accountId, actor: OPERATOR };
  const created = await createSite(ports, owner, { ...demo.settings, name: whileFilled(name) });
  if (created.kind !== "created")
    throw new Error(`the site ${name} could not be made: ${created.kind}`);
  const nowMs = ports.clock.nowMs();
  await seedTraffic(store, created.site, demo, { nowMs, days: DEMO_DAYS, onDay });
  await seedDecisions(store, created.site, demo, nowMs);
  const named = await updateSite(ports, { ...created.site, actor: OPERATOR }, { name });
  if (named.kind !== "updated")
    throw new Error(`the site ${name} was changed while it was filled: ${named.kind}`);
}

/**
 * Creates the demonstration sites that are missing or unfinished, and returns how many. Rejects as
 * the store does.
 */
export async function seedSites(
  ports: Ports,
  store: Store,
  account: Account,
  demos: readonly DemoSite[] = DEMO_SITES,
): Promise<number> {
  const sites = await store.sites.listSites(account.accountId);
  const missing = demos.filter(({ settings }) => !sites.some(({ name }) => name === settings.name));
  for (const demo of missing) {
    const { name } = demo.settings;
    await deleteUnfinished(ports, sites, name);
    await seedSite({ ports, store }, account, demo, (day) => {
      if (process.stderr.isTTY) process.stderr.write(`\r  ${name}: day ${day} of ${DEMO_DAYS}`);
    });
    if (process.stderr.isTTY) process.stderr.write("\r");
    process.stdout.write(`  ${name}: ${DEMO_DAYS} days\n`);
  }
  return missing.length;
}

/**
 * Fills the account with three sites and 60 days of synthetic traffic, so that the dashboard has
 * something to show.
 */
export async function seed(config: Config): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  hasInstallation(config, directory);
  const store = await openOperatorStore(config, directory);
  try {
    const ports = await openOperatorPorts(store);
    await store.alone(() => initialize(ports, directory, config.baseUrl));
    const [account] = await store.sites.listAccounts();
    if (account === undefined) throw new Error("the store has no account after its first start");
    const made = await seedSites(ports, store, account);
    process.stdout.write(
      made === 0
        ? "The demo sites are there already; nothing was changed.\n"
        : "Look at them in the dashboard.\n",
    );
    return 0;
  } finally {
    await store.close();
  }
}
