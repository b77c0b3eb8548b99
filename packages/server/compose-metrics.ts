import type { Store } from "@stile/core/ports/store";
import type { StartedClock } from "./compose-clock.ts";
import type { Config } from "./config.ts";
import type { Logger } from "./telemetry/log.ts";
import type { MetricsListener } from "./telemetry/metrics-listener.ts";
import type { RequestCounts } from "./telemetry/request-counts.ts";
import type { WriteWatch } from "./telemetry/write-watch.ts";
import { readVersion } from "./version.ts";

/** A store, and how much of its service's main job went through it. */
export type CountedStore = { readonly store: Store; readonly redeemed: () => number; readonly issued: () => number };

/** The same store, with what it answered counted. */
export function countStore(store: Store): CountedStore {
  let redeemed = 0;
  let issued = 0;
  const redeem: Store["tokens"]["redeem"] = async (redemption) => {
    const outcome = await store.tokens.redeem(redemption);
    if (outcome.kind === "spent") redeemed += 1;
    return outcome;
  };
  const count: Store["statistics"]["count"] = (event) => {
    if (event.metric === "challenge_issued") issued += 1;
    store.statistics.count(event);
  };
  return {
    store: { ...store, tokens: { ...store.tokens, redeem }, statistics: { ...store.statistics, count } },
    redeemed: () => redeemed,
    issued: () => issued,
  };
}

type MetricsParts = {
  readonly config: Config;
  readonly log: Logger;
  readonly requests: RequestCounts;
  readonly clock: StartedClock;
  readonly counted: CountedStore & { readonly writes: WriteWatch };
};

/** The listener for metrics, where the operator wants one; its library is loaded only then. */
export async function composeMetrics(parts: MetricsParts): Promise<MetricsListener | undefined> {
  const { config, log, requests, clock, counted } = parts;
  if (config.metrics === undefined) return undefined;
  const { createMetrics } = await import("./telemetry/metrics.ts");
  const { createMetricsListener } = await import("./telemetry/metrics-listener.ts");
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
