import type { ServiceSettings } from "@stile/core/domain/service-settings";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import type { NetworkLists } from "@stile/core/ports/visitor/network-lists";
import type { createSteadyClock, SteadyClock, TimeSources } from "@stile/server/clock/steady-clock";
import {
  composePorts,
  type ProcessBounds,
  type ProcessPorts,
} from "@stile/server/compose/compose-ports";
import { type Job, jobsOf } from "@stile/server/jobs/jobs";
import { createRetentionClock } from "@stile/server/jobs/retention-clock";
import { createLog } from "@stile/server/telemetry/log";

/** Everything that the use cases need. */
export type Ports = ProcessPorts & Pick<ServicePorts, "settings">;

/** A run of the service without its HTTP layer: its own memory, its own clock, the shared store. */
export type ServerProcess = {
  readonly ports: Ports;
  readonly clock: SteadyClock;
  readonly jobs: readonly Job[];
  /** The newest time that it found in the store. */
  readonly newestMs: number;
};

/** The parts of a process. */
export type ProcessParts = {
  readonly store: Store;
  readonly sources: TimeSources;
  readonly masterKey: Uint8Array;
  readonly createClock: typeof createSteadyClock;
};

/**
 * Limits small enough to be reached: of one network, of an account, of a site that has none of its
 * own.
 */
export const LIMITS = {
  verify: 60,
  score: 30,
  challenge: 30,
  challengeTotal: 90,
  wrongSecret: 20,
} as const;

const SETTINGS: ServiceSettings = { algorithm: 2, limits: LIMITS };
const LOG = createLog("silent");

const NETWORK_LISTS: NetworkLists = { find: () => ({ isDatacenter: false, isTor: false }) };

/** How much a process remembers: little, so that runs reach the bounds. */
const BOUNDS: ProcessBounds = {
  limitScopes: 1000,
  visitors: 1000,
  failures: 1000,
  scoredTokens: 1000,
  sites: 100,
  tallies: { maxOwners: 100, maxNetworks: 1000, maxInner: 1000 },
  tokenUsage: { maxNetworks: 1000, maxSites: 100 },
  visits: { pathsOfSite: 100, paths: 1000, behaviours: 1000 },
  collected: { pathsOfSite: 100, paths: 1000, behaviours: 1000 },
  waves: { maxSites: 10 },
};

/**
 * Starts the service as `composeService` does, in the same order. Rejects with StoreUnavailable.
 */
export async function startProcess({
  store,
  sources,
  masterKey,
  createClock,
}: ProcessParts): Promise<ServerProcess> {
  const newestMs = await store.housekeeping.newestMs();
  const clock = createClock(sources, { notBeforeMs: newestMs, onChange: () => {} });
  await store.begin();
  const parts = { store, clock, masterKey, networkLists: NETWORK_LISTS, log: LOG, bounds: BOUNDS };
  const { ports, refreshKeys } = await composePorts(parts);
  const jobs = jobsOf({
    store,
    clock,
    retention: createRetentionClock(clock, sources.steadyMs, newestMs),
    refreshKeys,
    exchange: undefined,
    followStore: undefined,
    // Idle, at the intervals of two optional parts, so that kept seeds lead to the same schedules.
    ofParts: [
      { name: "refresh the signed bots", everyMs: 30_000, run: async () => {} },
      { name: "refresh the country database", everyMs: 3_600_000, run: async () => {} },
    ],
    refreshNetworkLists: () => {},
    flushSecurityEvents: ports.securityEvents.flush,
  });
  return { ports: { ...ports, settings: SETTINGS }, clock, jobs, newestMs };
}
