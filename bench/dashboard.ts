import { Agent, request } from "node:http";
import { join } from "node:path";
import { RANGES } from "@stile/protocol/dashboard-statistics";
import { seedTraffic } from "@stile/server/cli/seed";
import { createDecisions } from "@stile/server/cli/seed/decisions";
import { DEMO_SITES, type DemoSite } from "@stile/server/cli/seed/demo-sites";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { newMember, newSession } from "@stile/testkit/contract/dashboard";
import type { ServiceFixture } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import { quantile } from "./pow/quantile.ts";

/** What a page waits for, and how long; `ratio` is its p50 against that of /healthz, asked in turn with it. */
export type PageRow = {
  readonly page: string;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly ratio: number;
  readonly kb: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As far back as days are kept. */
const DAYS = 396;
const TIMES = 50;
/** What a page of a site with 13 months of data may take at p95. */
const BUDGET_MS = 100;
const ZONE = "Europe/Berlin";

/** The ranges that the pages offer, and chosen times that take the most points of each resolution. */
function rangesAt(nowMs: number): Readonly<Record<string, string>> {
  const chosen = (ms: number): string => `from=${nowMs - ms}&to=${nowMs}`;
  return {
    ...Object.fromEntries(Object.keys(RANGES).map((range) => [range, `range=${range}`])),
    "chosen 3 h": chosen(3 * HOUR_MS),
    "chosen 8 d": chosen(8 * DAY_MS),
    "chosen 90 d": chosen(90 * DAY_MS),
    "chosen 13 months": chosen(DAYS * DAY_MS),
  };
}

const [demo] = DEMO_SITES;
if (demo === undefined) throw new Error("the demonstration has no site");
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => [`${name}-${index}`, count - index] as const);
/** A usual site, and one with ten times its visitors and as many names as are told apart. */
const SITES: Readonly<Record<string, DemoSite>> = {
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

type Target = { readonly page: string; readonly path: string };

/** Every answer that a page of the dashboard waits for; only what the endpoint takes at all can be asked of it. */
function targetsOf(siteKeys: Readonly<Record<string, string>>, nowMs: number): Target[] {
  const api = "/dashboard/api";
  const targets: Target[] = ["me", "sites", "members", "audit", "me/sessions", "system"].map((path) => {
    return { page: path, path: `${api}/${path}` };
  });
  for (const [name, siteKey] of Object.entries(siteKeys)) {
    const site = `${api}/sites/${siteKey}`;
    targets.push({ page: `${name}: site`, path: site });
    for (const [range, query] of Object.entries(rangesAt(nowMs))) {
      for (const view of ["outcome", "scores"]) {
        targets.push({ page: `${name}: ${view} ${range}`, path: `${site}/${view}?${query}&timeZone=${ZONE}` });
      }
    }
    targets.push({ page: `${name}: decisions`, path: `${site}/decisions` });
    targets.push({ page: `${name}: decisions, one request`, path: `${site}/decisions?requestId=unknown` });
    targets.push({ page: `${name}: install`, path: `${site}/install` });
  }
  return targets;
}

/** Fills the service's store beside it, as `stile seed` does; answers a session and the sites' keys. */
async function fill({ baseUrl, dataDirectory }: RunningService) {
  const databaseFile = join(dataDirectory, "stile.sqlite");
  const store = await openSqliteStore({ file: databaseFile });
  const clock = { nowMs: () => Date.now() };
  const { sites } = store;
  const cryptography = await openServiceCryptography(dataDirectory);
  const directory = { ...sites, forget: () => {} };
  const ports = { clock, cryptography, sites, directory };
  const fixture: ServiceFixture = { name: "bench", baseUrl, ports, store, databaseFile, stop: store.close };
  const [account] = await sites.listAccounts();
  if (account === undefined) throw new Error("the service made no account");
  const { accountId } = account;
  const siteKeys: Record<string, string> = {};
  for (const [name, site] of Object.entries(SITES)) {
    process.stderr.write(`bench: ${DAYS} days of the ${name} site\n`);
    const { siteKey } = await newSite(fixture, site.settings, accountId);
    siteKeys[name] = siteKey;
    await seedTraffic(store, { siteKey }, site, { nowMs: clock.nowMs(), days: DAYS });
    const decisions = createDecisions(siteKey, site.traffic, clock.nowMs(), 10_000);
    for (let at = 0; at < decisions.length; at += 100) {
      for (const decision of decisions.slice(at, at + 100)) store.decisions.append(decision);
      await store.decisions.flush();
    }
  }
  const owner = await newMember(fixture, accountId, "owner");
  // Sessions of their own, since every one adds a line to the audit log.
  for (let count = 0; count < 100; count++) await newSession(fixture, await newMember(fixture, accountId, "viewer"));
  const { cookie } = await newSession(fixture, owner);
  await store.close();
  return { cookie, siteKeys };
}

/** Milliseconds until the whole answer is there, and its bytes. */
function time(agent: Agent, url: string, cookie: string): Promise<{ ms: number; bytes: number }> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { cookie } }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve({ ms: performance.now() - startMs, bytes });
        else reject(new Error(`${url} was answered with ${response.statusCode}`));
      });
    });
    call.on("error", reject).end();
  });
}

const round = (value: number): number => Number(value.toFixed(2));

async function measure(baseUrl: string, { page, path }: Target, cookie: string): Promise<PageRow> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const asked: number[] = [];
  const control: number[] = [];
  let size = 0;
  // In turn, so that a drifting machine meets both alike; the first ones only warm up.
  for (let count = -5; count < TIMES; count++) {
    const answer = await time(agent, baseUrl + path, cookie);
    const healthy = await time(agent, `${baseUrl}/healthz`, cookie);
    if (count < 0) continue;
    asked.push(answer.ms);
    control.push(healthy.ms);
    size = answer.bytes;
  }
  agent.destroy();
  const ratio = round(quantile(asked, 0.5) / quantile(control, 0.5));
  return {
    page,
    p50_ms: round(quantile(asked, 0.5)),
    p95_ms: round(quantile(asked, 0.95)),
    ratio,
    kb: round(size / 1024),
  };
}

/** Times what each page of the dashboard waits for, on a service with 13 months of data; says whether all keep the budget. */
export async function benchDashboard(isJson: boolean): Promise<boolean> {
  const service = await startService({ STILE_LOG_LEVEL: "error" });
  try {
    const { cookie, siteKeys } = await fill(service);
    const rows: PageRow[] = [];
    for (const target of targetsOf(siteKeys, Date.now())) rows.push(await measure(service.baseUrl, target, cookie));
    const slowest = rows.reduce((worst, row) => (row.p95_ms > worst.p95_ms ? row : worst));
    const isWithin = slowest.p95_ms < BUDGET_MS;
    if (isJson) process.stdout.write(`${JSON.stringify(rows)}\n`);
    else {
      console.table(rows);
      const verdict = isWithin ? "within" : "beyond";
      console.log(`Slowest: ${slowest.page}, p95 ${slowest.p95_ms} ms, ${verdict} the ${BUDGET_MS} ms of a page`);
    }
    return isWithin;
  } finally {
    await service.dispose();
  }
}
