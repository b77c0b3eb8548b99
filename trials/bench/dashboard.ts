import { Agent, request } from "node:http";
import { RANGES } from "@stile/protocol/dashboard-statistics";
import { startService } from "@stile/testkit/service/service";
import { DAYS, fillService } from "./filled-service.ts";
import { quantile } from "./pow/quantile.ts";

/**
 * One answer that a page waits for, and how long; `ratio` is its p50 relative to that of /healthz,
 * requested alternately.
 */
export type PageRow = {
  readonly page: string;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly ratio: number;
  readonly kb: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TIMES = 50;
/** How long a page of a site with 13 months of data may take at p95, ms. */
const BUDGET_MS = 100;
const ZONE = "Europe/Berlin";

/** The ranges that the pages offer, and custom ones with the most points in each resolution. */
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

type Target = { readonly page: string; readonly path: string };

/**
 * Every answer that a page of the dashboard waits for; an endpoint is asked only what it accepts.
 */
function targetsOf(siteKeys: Readonly<Record<string, string>>, nowMs: number): Target[] {
  const api = "/dashboard/api";
  const targets: Target[] = ["me", "sites", "members", "audit", "me/sessions", "system"].map(
    (path) => {
      return { page: path, path: `${api}/${path}` };
    },
  );
  for (const [name, siteKey] of Object.entries(siteKeys)) {
    const site = `${api}/sites/${siteKey}`;
    targets.push({ page: `${name}: site`, path: site });
    for (const [range, query] of Object.entries(rangesAt(nowMs))) {
      for (const view of ["outcome", "scores"]) {
        targets.push({
          page: `${name}: ${view} ${range}`,
          path: `${site}/${view}?${query}&timeZone=${ZONE}`,
        });
      }
    }
    targets.push({ page: `${name}: decisions`, path: `${site}/decisions` });
    targets.push({
      page: `${name}: decisions, one request`,
      path: `${site}/decisions?requestId=unknown`,
    });
    targets.push({ page: `${name}: install`, path: `${site}/install` });
  }
  return targets;
}

/** Milliseconds until the whole answer is there, and its size in bytes. */
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
  // Alternately, so that a drifting machine affects both alike; the first ones only warm up.
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

/**
 * Times every answer that the dashboard's pages wait for, on a service with 13 months of data;
 * returns whether all keep the budget.
 */
export async function benchDashboard(isJson: boolean): Promise<boolean> {
  const service = await startService({ STILE_LOG_LEVEL: "error" });
  try {
    const { cookie, siteKeys } = await fillService(service, ["usual", "busy"]);
    const rows: PageRow[] = [];
    for (const target of targetsOf(siteKeys, Date.now()))
      rows.push(await measure(service.baseUrl, target, cookie));
    const slowest = rows.reduce((worst, row) => (row.p95_ms > worst.p95_ms ? row : worst));
    const isWithin = slowest.p95_ms < BUDGET_MS;
    if (isJson) process.stdout.write(`${JSON.stringify(rows)}\n`);
    else {
      console.table(rows);
      const verdict = isWithin ? "within" : "beyond";
      console.log(
        `Slowest: ${slowest.page}, p95 ${slowest.p95_ms} ms, ${verdict} the ${BUDGET_MS} ms of a page`,
      );
    }
    return isWithin;
  } finally {
    await service.dispose();
  }
}
