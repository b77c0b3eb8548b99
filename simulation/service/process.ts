import type { ServiceSettings } from "@stile/core/domain/service-settings";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import { createFailureCounter } from "@stile/pow/failure-counter";
import { createKeyRing } from "@stile/server/cryptography/key-ring";
import { createNodeCryptography } from "@stile/server/cryptography/node-cryptography";
import { refreshKeyRing } from "@stile/server/cryptography/service-keys";
import { type Job, jobsOf } from "@stile/server/jobs/jobs";
import { createRetentionClock } from "@stile/server/jobs/retention-clock";
import { createSecurityEvents } from "@stile/server/security-events";
import type { createSteadyClock, SteadyClock, TimeSources } from "@stile/server/steady-clock";
import { createLog } from "@stile/server/telemetry/log";
import { createCachedDirectory } from "@stile/stores/cached-directory";
import { createChallengeTallies } from "@stile/stores/process/challenge-tallies";
import { createLocalLimiter } from "@stile/stores/process/local-limiter";
import { createSiteLoad } from "@stile/stores/process/site-load";
import { createTokenUsage } from "@stile/stores/process/token-usage";
import { createVisitMemory } from "@stile/stores/process/visit-memory";
import { createVisitorMemory } from "@stile/stores/process/visitor-memory";

/** Everything the flows ask for. */
export type Ports = Omit<
  ServicePorts,
  | "auditLog"
  | "members"
  | "sessions"
  | "links"
  | "passwords"
  | "vault"
  | "devices"
  | "totpCodes"
  | "passkeyCeremonies"
  | "puzzleBase"
>;

/** A run of the service without its door: its own memory, its own clock, the shared store. */
export type ServerProcess = {
  readonly ports: Ports;
  readonly clock: SteadyClock;
  readonly jobs: readonly Job[];
  /** What it found to be the newest time in the store. */
  readonly newestMs: number;
};

/** What a process is made of. */
export type ProcessParts = {
  readonly store: Store;
  readonly sources: TimeSources;
  readonly masterKey: Uint8Array;
  readonly createClock: typeof createSteadyClock;
};

/** Limits small enough to be reached: of one network, of an account, of a site that has none of its own. */
export const LIMITS = { verify: 60, score: 30, challenge: 30, challengeTotal: 90, wrongSecret: 20 } as const;

const SETTINGS: ServiceSettings = { algorithm: 2, overLimit: "refuse", limits: LIMITS };
const LOG = createLog("silent");

/** The memory of a process that is empty at its start. */
function emptyMemory() {
  return {
    localLimiter: createLocalLimiter({ maxScopes: 1000 }),
    challengeTallies: createChallengeTallies({ maxOwners: 100, maxNetworks: 1000, maxInner: 1000 }),
    siteLoad: createSiteLoad({ maxSites: 100 }),
    visitorMemory: createVisitorMemory({ maxEntries: 1000 }),
    tokenUsage: createTokenUsage({ maxNetworks: 1000, maxSites: 100 }),
    visitMemory: createVisitMemory({ pathsOfSite: 100, paths: 1000, behaviours: 1000 }),
    failures: createFailureCounter(1000),
    networkLists: { find: () => ({ isDatacenter: false, isTor: false }) },
  };
}

/** Starts the service as `composeService` does, in its order. Rejects with StoreUnavailable. */
export async function startProcess({ store, sources, masterKey, createClock }: ProcessParts): Promise<ServerProcess> {
  const newestMs = await store.housekeeping.newestMs();
  const clock = createClock(sources, { notBeforeMs: newestMs, onChange: () => {} });
  await store.begin();
  const securityEvents = createSecurityEvents({ clock, auditLog: store.auditLog, log: LOG });
  const ring = createKeyRing();
  const refreshKeys = (): Promise<void> => refreshKeyRing(ring, store.serviceKeys, masterKey, clock.nowMs());
  await refreshKeys();
  const { sites, statistics, decisions, keyUsage, tokens, challenges, limiter } = store;
  const ports: Ports = {
    ...emptyMemory(),
    ...{ clock, sites, statistics, decisions, keyUsage, tokens, challenges, limiter, securityEvents },
    cryptography: createNodeCryptography(ring, clock),
    directory: createCachedDirectory({ sites, clock, maxEntries: 100 }),
    settings: SETTINGS,
  };
  const jobs = jobsOf({
    store,
    clock,
    retention: createRetentionClock(clock, sources.steadyMs, newestMs),
    refreshKeys,
    refreshCountries: async () => {},
    refreshNetworkLists: () => {},
    flushSecurityEvents: securityEvents.flush,
  });
  return { ports, clock, jobs, newestMs };
}
