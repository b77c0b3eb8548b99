import type { Server } from "node:http";
import type { Clock } from "@stile/core/ports/clock";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import type { Config } from "../config/config.ts";
import { drain } from "../http/connection/drain.ts";
import type { ApiPorts } from "../http/v1/api-ports.ts";
import { startJobs } from "../jobs/jobs.ts";
import { createRetentionClock } from "../jobs/retention-clock.ts";
import { type FirstStart, offerSetup } from "../lifecycle/first-start.ts";
import { type ListeningUrls, startListening } from "../lifecycle/listening.ts";
import { createReadiness } from "../lifecycle/readiness.ts";
import type { Logger } from "../telemetry/log.ts";
import { composeApi } from "./compose-api.ts";
import { CLOCK_SENTENCES, startClock } from "./compose-clock.ts";
import { composeDashboardPorts } from "./compose-dashboard.ts";
import { checkDirectory, takeDirectory } from "./compose-directory.ts";
import { composeListeners } from "./compose-listener.ts";
import { composeRisk } from "./compose-risk.ts";
import { addressesOf, composeRoutes, loadBuilds, type RouteAddress } from "./compose-routes.ts";
import { composeStore, RETIRED } from "./compose-store.ts";
import { composeVisitors } from "./compose-visitors.ts";

/** The service, composed and initialized, but not listening yet. */
export type Service = {
  readonly server: Server;
  readonly store: Store;
  readonly firstStart: FirstStart;
  /** Token of a link that makes the first member; undefined once there is one. */
  readonly setupToken: string | undefined;
  readonly sitePorts: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory">;
  readonly api: ApiPorts;
  readonly routes: readonly RouteAddress[];
  /** Resolves with the address it listens on, and that of the metrics if they are on. */
  listen(): Promise<ListeningUrls & { readonly metricsUrl: string | undefined }>;
  /**
   * Refuses new work, finishes pending answers, writes pending data, and releases the store and the
   * data directory. Rejects at the end if something could not be written.
   */
  stop(): Promise<void>;
};

/**
 * Parts that tests replace: the clock, the store, and the work before signing in. Also the
 * operator's explicit requests.
 */
export type ServiceParts = {
  readonly clock?: Clock;
  readonly store?: Store;
  readonly puzzleBase?: number;
  /** Begin a new installation even if there are traces of another. */
  readonly mayCreateNew?: boolean;
};

/**
 * The longest that a stop waits for a shared store, in ms (decision 0009, PostgreSQL). Docker kills
 * after 10 s by default.
 */
const MOST_STOP_MS = 8_000;

/**
 * Takes the data directory, opens the store, and starts the clock, which does not go behind the
 * newest time in the store.
 */
async function openPlace(config: Config, log: Logger, parts: ServiceParts) {
  const directory = await takeDirectory(config, log);
  const risk = composeRisk(directory, log);
  const { mayCreateNew = false } = parts;
  if (parts.store === undefined) checkDirectory(directory, config, mayCreateNew);
  directory.forgetRecords();
  const counted = await composeStore({ config, directory, mayCreateNew }, parts.store, log);
  const newestMs = await counted.store.housekeeping.newestMs();
  const systemClock = startClock(newestMs, log);
  const clock = parts.clock ?? systemClock;
  return { directory, risk, counted, newestMs, systemClock, clock };
}

/**
 * Builds the service from its configuration. This is the only place that knows every
 * implementation.
 */
export async function composeService(
  config: Config,
  log: Logger,
  parts: ServiceParts = {},
): Promise<Service> {
  // First, because if the builds are missing, nothing must be opened that would have to be closed
  // again.
  const builds = loadBuilds();
  const { directory, risk, counted, newestMs, systemClock, clock } = await openPlace(
    config,
    log,
    parts,
  );
  const { store } = counted;
  const { visitors, steps } = await composeVisitors({
    config,
    directory,
    clock,
    log,
  });
  if ((await store.begin()) === "retired") log.warn(RETIRED);
  const composed = await composeApi({ config, directory, store, clock, log, visitors, risk });
  const { api, ports, masterKey, firstStart } = composed;
  const { securityEvents } = ports;
  const dashboardPorts = composeDashboardPorts({
    config,
    directory,
    store,
    api,
    masterKey,
    signInLimiter: composed.signInLimiter,
    firstStart,
    agentNames: () => steps.flatMap((step) => step.agentNames?.() ?? []),
    pendingWriteMs: counted.writes.pendingMs,
    wallMs: parts.clock?.nowMs ?? Date.now,
    puzzleBase: parts.puzzleBase,
  });
  const setupToken = await offerSetup(dashboardPorts);
  const findStoreFault = createReadiness(() => store.ping(), clock);
  let isStopping = false;
  let listeningUrl = "";
  const routes = composeRoutes({
    api,
    dashboardPorts,
    builds,
    config,
    demoKeys: firstStart.demoKeys,
    listeningUrl: () => listeningUrl,
    findObstacle: async () => (isStopping ? "the service is stopping" : await findStoreFault()),
    findRemark: () => CLOCK_SENTENCES[systemClock.state().kind],
  });
  const { server, metrics } = await composeListeners({
    config,
    log,
    routes,
    clock: systemClock,
    nowMs: clock.nowMs,
    counted,
  });
  const stopJobs = startJobs({
    store,
    clock,
    retention: createRetentionClock(clock, () => performance.now(), newestMs),
    log,
    refreshKeys: composed.refreshKeys,
    exchange: composed.exchange,
    followStore: composed.followStore,
    refreshNetworkLists: risk.networkLists.refresh,
    ofParts: steps.map((step) => step.refresh),
    flushSecurityEvents: securityEvents.flush,
  });
  return {
    server,
    store,
    firstStart,
    setupToken,
    sitePorts: ports,
    api,
    routes: addressesOf(routes),
    listen: async () => {
      const metricsUrl = await metrics?.listen();
      const place = { ...(await startListening(server, config)), metricsUrl };
      listeningUrl = place.url;
      directory.recordAddress(place.operatorUrl);
      return place;
    },
    stop: async () => {
      isStopping = true;
      const late = setTimeout(() => store.nodes?.giveUp(), MOST_STOP_MS).unref();
      const ends = [() => drain(server), stopJobs, securityEvents.close, () => store.close()];
      const faults: unknown[] = [];
      for (const end of ends) await end().catch((fault: unknown) => faults.push(fault));
      await metrics?.close();
      clearTimeout(late);
      directory.unlock();
      if (faults.length > 0) throw faults[0];
    },
  };
}
