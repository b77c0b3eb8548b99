import { checkAddress, checkTestHosts, checkTrust } from "../diagnosis/diagnosis.ts";
import { securityHeaders } from "../http/answer/security-headers.ts";
import type { Listener } from "../http/connection/drain.ts";
import type { HttpRoute } from "../http/http-route.ts";
import { createListener } from "../http/listener.ts";
import type { MetricsListener } from "../telemetry/metrics-listener.ts";
import { createRequestCounts } from "../telemetry/request-counts.ts";
import { composeMetrics, type MetricsParts } from "./compose-metrics.ts";

/** The parts of the listeners. */
export type ComposedListenerParts = Omit<MetricsParts, "requests"> & {
  readonly routes: readonly HttpRoute[];
  /** The service's time. */
  readonly nowMs: () => number;
};

/** The public listener, and the one for metrics if the operator wants it. Neither listens yet. */
export async function composeListeners(
  parts: ComposedListenerParts,
): Promise<{ server: Listener; metrics: MetricsListener | undefined }> {
  const { config, log, routes, nowMs } = parts;
  const requests = createRequestCounts(routes.map(({ path }) => path));
  const metrics = await composeMetrics({ ...parts, requests });
  const security = securityHeaders(config.baseUrl);
  const server = createListener({ routes, log, security, nowMs, onAnswered: requests.record });
  server.once("listening", () => {
    for (const finding of [checkAddress(config), checkTrust(config), checkTestHosts(config)])
      if (finding?.level === "warn") log.warn(`${finding.text} ${finding.fix}`);
  });
  return { server, metrics };
}
