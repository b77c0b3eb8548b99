import type { Account } from "@stile/core/domain/account/account";
import { OPERATOR } from "@stile/core/domain/account/audit";
import type { Site } from "@stile/core/domain/site/site";
import type { SiteSum } from "@stile/core/domain/statistics/metrics";
import { createSite } from "@stile/core/flows/site/create-site";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import type { Config } from "../config.ts";
import { openDataDirectory } from "../data-directory.ts";
import { initialize } from "../first-start.ts";
import { hasInstallation, openOperatorPorts, openOperatorStore } from "./operator-ports.ts";
import { createDecisions } from "./seed/decisions.ts";
import { DEMO_SITES, type DemoSite } from "./seed/demo-sites.ts";
import { createTraffic } from "./seed/traffic.ts";

const DAY_MS = 86_400_000;
const DEMO_DAYS = 60;
const DECISIONS_PER_SITE = 600;
/** Counts added, and decisions appended, in one transaction: a running server waits for it no longer than a few ms. */
const SUMS_PER_BATCH = 2000;
const DECISIONS_PER_BATCH = 100;

/** Adds a site's counts of the last `days` days, and says how far it is. */
export async function seedTraffic(
  store: Store,
  site: Pick<Site, "siteKey">,
  { traffic }: DemoSite,
  span: { nowMs: number; days: number },
  onDay: (day: number) => void = () => {},
): Promise<void> {
  const fromMs = span.nowMs - span.days * DAY_MS;
  let batch: SiteSum[] = [];
  for (const hour of createTraffic(site.siteKey, traffic, fromMs, span.nowMs)) {
    batch.push(...hour);
    if (batch.length < SUMS_PER_BATCH) continue;
    await store.statistics.add(batch);
    onDay(Math.ceil(((batch.at(-1)?.atMs ?? fromMs) - fromMs) / DAY_MS));
    batch = [];
  }
  await store.statistics.add(batch);
}

async function seedDecisions(store: Store, { siteKey }: Site, { traffic }: DemoSite, nowMs: number): Promise<void> {
  const decisions = createDecisions(siteKey, traffic, nowMs, DECISIONS_PER_SITE);
  for (let at = 0; at < decisions.length; at += DECISIONS_PER_BATCH) {
    for (const decision of decisions.slice(at, at + DECISIONS_PER_BATCH)) store.decisions.append(decision);
    await store.decisions.flush();
  }
}

async function seedSites(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory">,
  store: Store,
  account: Account,
): Promise<number> {
  const taken = new Set((await store.sites.listSites(account.accountId)).map(({ name }) => name));
  const missing = DEMO_SITES.filter(({ settings }) => !taken.has(settings.name));
  for (const demo of missing) {
    const created = await createSite(ports, { accountId: account.accountId, actor: OPERATOR }, demo.settings);
    if (created.kind !== "created")
      throw new Error(`the site ${demo.settings.name} could not be made: ${created.kind}`);
    const nowMs = ports.clock.nowMs();
    const showDay = (day: number): void => {
      if (process.stderr.isTTY) process.stderr.write(`\r  ${demo.settings.name}: day ${day} of ${DEMO_DAYS}`);
    };
    await seedTraffic(store, created.site, demo, { nowMs, days: DEMO_DAYS }, showDay);
    await seedDecisions(store, created.site, demo, nowMs);
    if (process.stderr.isTTY) process.stderr.write("\r");
    process.stdout.write(`  ${demo.settings.name}: ${DEMO_DAYS} days\n`);
  }
  return missing.length;
}

/** Fills the account with three sites and 60 days of made-up traffic, so that the dashboard has something to show. */
export async function seed(config: Config): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  hasInstallation(config, directory);
  const store = await openOperatorStore(config, directory);
  try {
    const ports = openOperatorPorts(store);
    await store.alone(() => initialize(ports, directory, config.baseUrl));
    const [account] = await store.sites.listAccounts();
    if (account === undefined) throw new Error("the store has no account after it was initialized");
    const made = await seedSites(ports, store, account);
    process.stdout.write(
      made === 0
        ? "The demonstration's sites are there already; nothing was changed.\n"
        : "Look at them in the dashboard.\n",
    );
    return 0;
  } finally {
    await store.close();
  }
}
