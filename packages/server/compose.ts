import type { Server } from "node:http";
import type { ServiceSettings } from "@stile/core/domain/service-settings";
import type { Clock } from "@stile/core/ports/clock";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import { createFailureCounter } from "@stile/pow/failure-counter";
import { RATE_LIMITS } from "@stile/protocol/limits";
import { createCachedDirectory } from "@stile/stores/cached-directory";
import { createChallengeTallies } from "@stile/stores/process/challenge-tallies";
import { createLocalLimiter } from "@stile/stores/process/local-limiter";
import { createSiteLoad } from "@stile/stores/process/site-load";
import { createTokenUsage } from "@stile/stores/process/token-usage";
import { createVisitMemory } from "@stile/stores/process/visit-memory";
import { createVisitorMemory } from "@stile/stores/process/visitor-memory";
import { openThreadedStore } from "@stile/stores/sqlite/threaded-store";
import { CLOCK_SENTENCES, startClock } from "./compose-clock.ts";
import { composeDashboardPorts } from "./compose-dashboard.ts";
import { composeDemo } from "./compose-demo.ts";
import { composeMetrics, countStore } from "./compose-metrics.ts";
import { type Address, addressesOf, composeRoutes } from "./compose-routes.ts";
import { composeVisitors } from "./compose-visitors.ts";
import type { Config } from "./config.ts";
import { createKeyRing } from "./cryptography/key-ring.ts";
import { createNodeCryptography } from "./cryptography/node-cryptography.ts";
import { refreshKeyRing } from "./cryptography/service-keys.ts";
import { type DataDirectory, openDataDirectory } from "./data-directory.ts";
import { type FirstStart, initialize, offerSetup } from "./first-start.ts";
import type { ApiPorts } from "./http/api-ports.ts";
import { drain } from "./http/drain.ts";
import { createListener } from "./http/listener.ts";
import { securityHeaders } from "./http/security-headers.ts";
import type { VisitorReader } from "./http/visitor.ts";
import { checkInstallation, checkMasterKey } from "./installation.ts";
import { startJobs } from "./jobs/jobs.ts";
import { createRetentionClock } from "./jobs/retention-clock.ts";
import { type Place, startListening } from "./listening.ts";
import { waitForPredecessor } from "./predecessor.ts";
import { createReadiness } from "./readiness.ts";
import { readFlagWeights } from "./risk/flag-weights-file.ts";
import { openNetworkLists } from "./risk/network-list-files.ts";
import { type BufferedSecurityEvents, createSecurityEvents } from "./security-events.ts";
import type { Logger } from "./telemetry/log.ts";
import { createRequestCounts } from "./telemetry/request-counts.ts";
import { createWriteWatch } from "./telemetry/write-watch.ts";

/** Bounds of what one process remembers; each entry takes about 100 bytes. */
const MEMORY_BOUNDS = { limitScopes: 100_000, visitors: 100_000, failures: 50_000, cachedSites: 10_000 } as const;
/** Who asked for challenges lately: at most 70 MB under a flood from everywhere, nothing after two quiet minutes. */
const TALLY_BOUNDS = { maxOwners: 20_000, maxNetworks: 50_000, maxInner: 75_000 } as const;
/** Networks and sites whose tokens are followed: at most 15 MB. */
const TOKEN_USAGE_BOUNDS = { maxNetworks: 50_000, maxSites: 10_000 } as const;
/** Paths remembered of one site, and of all, at most 20 MB; and behaviours, about 200 bytes each. */
const VISIT_BOUNDS = { pathsOfSite: 5_000, paths: 250_000, behaviours: 100_000 } as const;

/** The service, composed and initialized, not yet listening. */
export type Service = {
  readonly server: Server;
  readonly store: Store;
  readonly firstStart: FirstStart;
  /** Token of a link that makes the first member; undefined once there is one. */
  readonly setupToken: string | undefined;
  readonly sitePorts: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory">;
  readonly api: ApiPorts;
  readonly routes: readonly Address[];
  /** Resolves with where it listens, and where its metrics are if they are on. */
  listen(): Promise<Place & { readonly metricsUrl: string | undefined }>;
  /**
   * Refuses new work, finishes what is being answered, writes what is pending, lets go of the store and of the data directory.
   * Rejects, after all of it, if something could not be written.
   */
  stop(): Promise<void>;
};

/** What tests replace: the clock, the store by a throw-away one, the work before signing in; and what the operator insists on. */
export type ServiceParts = {
  readonly clock?: Clock;
  readonly store?: Store;
  readonly puzzleBase?: number;
  /** Begin a new installation even where traces of another are. */
  readonly mayBeginAnew?: boolean;
};

/** The puzzle's algorithms by the operator's names for them (proof of work). */
const ALGORITHM_NUMBERS = { hashwx: 1, sha256: 2 } as const;

function settingsOf(config: Config): ServiceSettings {
  return {
    algorithm: ALGORITHM_NUMBERS[config.powAlgorithm],
    overLimit: config.overLimit,
    limits: { ...config.limits, wrongSecret: RATE_LIMITS.wrongSecret.perMinute },
  };
}

/** By what the operator shapes the risk score; what lies damaged in the data directory stops the start. */
function readOperatorRisk(directory: DataDirectory, log: Logger) {
  const inForce = readFlagWeights(directory);
  if (inForce.kind === "outdated") log.warn("risk-weights.json was fitted around another table and is not used");
  return {
    networkLists: openNetworkLists(directory),
    flagWeights: inForce.kind === "own" ? inForce.weights : undefined,
  };
}
type OperatorRisk = ReturnType<typeof readOperatorRisk>;

async function composeApi(
  config: Config,
  directory: DataDirectory,
  store: Store,
  clock: Clock,
  visitors: VisitorReader,
  { networkLists, flagWeights }: OperatorRisk,
  securityEvents: BufferedSecurityEvents,
) {
  const ring = createKeyRing();
  const masterKey = config.masterKey ?? directory.masterKey();
  const refreshKeys = (): Promise<void> => refreshKeyRing(ring, store.serviceKeys, masterKey, clock.nowMs());
  await refreshKeys();
  const cryptography = createNodeCryptography(ring, clock);
  const sites = createCachedDirectory({ sites: store.sites, clock, maxEntries: MEMORY_BOUNDS.cachedSites });
  const sitePorts: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory"> = {
    clock,
    cryptography,
    sites: store.sites,
    directory: sites,
  };
  const firstStart = await initialize(sitePorts, directory, config.baseUrl);
  const api: ApiPorts = {
    clock,
    cryptography,
    directory: sites,
    localLimiter: createLocalLimiter({ maxScopes: MEMORY_BOUNDS.limitScopes }),
    challengeTallies: createChallengeTallies(TALLY_BOUNDS),
    siteLoad: createSiteLoad({ maxSites: MEMORY_BOUNDS.cachedSites }),
    visitorMemory: createVisitorMemory({ maxEntries: MEMORY_BOUNDS.visitors }),
    visitMemory: createVisitMemory(VISIT_BOUNDS),
    failures: createFailureCounter(MEMORY_BOUNDS.failures),
    tokenUsage: createTokenUsage(TOKEN_USAGE_BOUNDS),
    networkLists,
    settings: { ...settingsOf(config), flagWeights, demoSiteKey: firstStart.demoKeys?.siteKey },
    statistics: store.statistics,
    decisions: store.decisions,
    keyUsage: store.keyUsage,
    tokens: store.tokens,
    challenges: store.challenges,
    limiter: store.limiter,
    securityEvents,
    visitors,
  };
  return { api, masterKey, refreshKeys, sitePorts, firstStart };
}

/** Said when the store may have forgotten what was spent (decision 0018). */
const RETIRED =
  "the data directory is a copy, was restored, or was not closed before the machine stopped: tokens and challenges issued " +
  "before this start are refused, so that none counts twice; visitors who hold one get another";

const UPGRADED = "the database was upgraded to this version; as it was, it lies in the copy named";

/** The service's store, or the given one, watched and counted. */
async function openStore(directory: DataDirectory, given: Store | undefined, log: Logger) {
  const writes = createWriteWatch(() => performance.now());
  const onUpgrade = (copy: string): void => log.warn({ copy }, UPGRADED);
  const { observer } = writes;
  const store = given ?? (await openThreadedStore({ file: directory.databaseFile, observer, onUpgrade }));
  return { ...countStore(store), writes };
}

/** Builds the service from its configuration: the only place that knows every implementation. */
export async function composeService(config: Config, log: Logger, parts: ServiceParts = {}): Promise<Service> {
  const directory = openDataDirectory(config.dataDirectory);
  if (config.descriptor !== undefined) await waitForPredecessor(directory, log);
  directory.checkRoom();
  directory.lock();
  const risk = readOperatorRisk(directory, log);
  if (parts.store === undefined) {
    checkMasterKey(directory, config.masterKey, checkInstallation(directory, parts.mayBeginAnew ?? false));
  }
  directory.forgetRecords();
  const counted = await openStore(directory, parts.store, log);
  const { store } = counted;
  const newestMs = await store.housekeeping.newestMs();
  const systemClock = startClock(newestMs, log);
  const clock = parts.clock ?? systemClock;
  const { visitors, refreshCountries } = await composeVisitors({ config, directory, clock, log });
  if ((await store.begin()) === "retired") log.warn(RETIRED);
  const securityEvents = createSecurityEvents({ clock, auditLog: store.auditLog, log });
  const composed = await composeApi(config, directory, store, clock, visitors, risk, securityEvents);
  const { api, masterKey, refreshKeys, sitePorts, firstStart } = composed;
  const dashboardPorts = composeDashboardPorts({
    config,
    directory,
    store,
    api,
    masterKey,
    firstStart,
    pendingWriteMs: counted.writes.pendingMs,
    puzzleBase: parts.puzzleBase,
  });
  const setupToken = await offerSetup(dashboardPorts);
  const findStoreFault = createReadiness(() => store.ping(), clock);
  let isStopping = false;
  let listeningUrl = "";
  const demo = composeDemo({ config, firstStart, ports: dashboardPorts, listeningUrl: () => listeningUrl });
  const routes = composeRoutes({
    api,
    dashboardPorts,
    demo,
    findObstacle: async () => (isStopping ? "the service is stopping" : await findStoreFault()),
    findRemark: () => CLOCK_SENTENCES[systemClock.state().kind],
  });
  const requests = createRequestCounts(routes.map(({ path }) => path));
  const metrics = await composeMetrics({ config, log, requests, clock: systemClock, counted });
  const server = createListener({
    routes,
    log,
    security: securityHeaders(config.baseUrl),
    onAnswered: requests.record,
  });
  const stopJobs = startJobs({
    store,
    clock,
    retention: createRetentionClock(clock, () => performance.now(), newestMs),
    log,
    refreshKeys,
    refreshCountries,
    refreshNetworkLists: risk.networkLists.refresh,
    flushSecurityEvents: securityEvents.flush,
  });
  return {
    server,
    store,
    firstStart,
    setupToken,
    sitePorts,
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
      const ends = [() => drain(server), stopJobs, securityEvents.close, () => store.close()];
      const faults: unknown[] = [];
      for (const end of ends) await end().catch((fault: unknown) => faults.push(fault));
      await metrics?.close();
      directory.unlock();
      if (faults.length > 0) throw faults[0];
    },
  };
}
