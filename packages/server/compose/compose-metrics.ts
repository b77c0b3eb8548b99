import type { Config } from "../config/config.ts";
import type { Logger } from "../telemetry/log.ts";
import type { MetricsListener } from "../telemetry/metrics-listener.ts";
import type { RequestCounts } from "../telemetry/request-counts.ts";
import type { WriteWatch } from "../telemetry/write-watch.ts";
import { readVersion } from "../version.ts";
import type { StartedClock } from "./compose-clock.ts";
import type { CountedStore } from "./compose-store.ts";

/** The sources of the metrics. */
export type MetricsParts = {
  readonly config: Config;
  readonly log: Logger;
  readonly requests: RequestCounts;
  readonly clock: StartedClock;
  readonly counted: CountedStore & { readonly writes: WriteWatch };
};

/** The listener for metrics, if the operator wants it. Otherwise its library is not loaded. */
export async function composeMetrics(parts: MetricsParts): Promise<MetricsListener | undefined> {
  const { config, log, requests, clock, counted } = parts;
  if (config.metrics === undefined) return undefined;
  const { createMetrics } = await import("../telemetry/metrics.ts");
  const { createMetricsListener } = await import("../telemetry/metrics-listener.ts");
  const metrics = createMetrics({
    version: readVersion(),
    requests,
    writes: counted.writes,
    clock: { apartMs: () => clock.state().apartMs, jumps: clock.jumps },
    redeemed: counted.redeemed,
    issued: counted.issued,
  });
  return createMetricsListener(metrics, config.metrics, log);
}
