import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RequestCounts } from "./request-counts.ts";
import type { WriteWatch } from "./write-watch.ts";

/** The sources of the metrics' values, read at each scrape. */
export type MetricSources = {
  readonly version: string;
  readonly requests: RequestCounts;
  readonly writes: WriteWatch;
  /**
   * The system's clock minus the service's, in ms; and how often a jump of the system's clock was
   * not followed.
   */
  readonly clock: { readonly apartMs: () => number; readonly jumps: () => number };
  readonly redeemed: () => number;
  readonly issued: () => number;
};

/** Metrics in Prometheus's text format. */
export type Metrics = { readonly contentType: string; readonly render: () => Promise<string> };

/** Buckets in seconds, from a good disk to one that is too slow to wait for. */
const WRITE_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10,
];

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: () => gauge.set(read()),
  });
}

function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = (): void => {
    counter.reset();
    counter.inc(read());
  };
  const counter: Counter = new Counter({ name, help, registers: [registry], collect });
}

function addRequests(registry: Registry, requests: RequestCounts): void {
  const counter: Counter<"route" | "status"> = new Counter({
    name: "stile_http_requests_total",
    help: "Requests answered at the public address, by row of the route table and status code.",
    labelNames: ["route", "status"],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const { route, status, count } of requests.read()) counter.inc({ route, status }, count);
    },
  });
}

function addWrites(registry: Registry, writes: WriteWatch): void {
  const histogram = new Histogram({
    name: "stile_store_write_seconds",
    help: "Time the store took to make a batch of writes durable.",
    buckets: WRITE_SECONDS,
    registers: [registry],
  });
  writes.listen((ms) => histogram.observe(ms / 1000));
  const pending =
    "Time the batch of writes that is under way has taken so far; 0 while there is none.";
  addGauge(registry, "stile_store_pending_write_seconds", pending, () => writes.pendingMs() / 1000);
  const unanswered = "Writes that were answered with 503 because the store did not answer in time.";
  addCounter(registry, "stile_store_unanswered_writes_total", unanswered, writes.unanswered);
}

/**
 * The metrics for operators. Strangers choose no label's value, and no label names a site or a
 * visitor (D14, client address).
 */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const build = {
    name: "stile_build_info",
    help: "The running version; always 1.",
    labelNames: ["version"],
  };
  new Gauge({ ...build, registers: [registry] }).set({ version: sources.version }, 1);
  addRequests(registry, sources.requests);
  addWrites(registry, sources.writes);
  const offset = "The system's clock less the clock of the service, which follows no jumps.";
  addGauge(registry, "stile_clock_offset_seconds", offset, () => sources.clock.apartMs() / 1000);
  const jumps = "Jumps of the system's clock that the service did not follow.";
  addCounter(registry, "stile_clock_jumps_total", jumps, sources.clock.jumps);
  addCounter(
    registry,
    "stile_tokens_redeemed_total",
    "Tokens redeemed, exact repeats not counted.",
    sources.redeemed,
  );
  addCounter(
    registry,
    "stile_challenges_issued_total",
    "Challenges issued, step-ups included.",
    sources.issued,
  );
  return { contentType: registry.contentType, render: () => registry.metrics() };
}
