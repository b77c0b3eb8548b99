import type { LocalLimiter } from "@stile/core/ports/rate-limiter";
import type { Store } from "@stile/core/ports/store";
import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import { WRITE_DEADLINE_MS } from "@stile/stores/sqlite/engine/writer-thread/batch-sender";
import type { Config } from "../config/config.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { diagnoseSettings, diagnoseStore, diagnoseTime } from "../diagnosis/diagnosis.ts";
import type { DashboardPorts, ServiceFacts } from "../http/dashboard/dashboard-ports.ts";
import type { ApiPorts } from "../http/v1/api-ports.ts";
import type { FirstStart } from "../lifecycle/first-start.ts";
import { readVersion } from "../version.ts";
import { composeAccounts } from "./compose-accounts.ts";

/** The parts that the dashboard gets ready-made. */
export type DashboardParts = {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly store: Store;
  readonly api: ApiPorts;
  readonly masterKey: Uint8Array;
  readonly signInLimiter: LocalLimiter;
  readonly firstStart: FirstStart;
  /** Names of the bots whose signatures the operator trusts. */
  readonly agentNames: () => readonly string[];
  /** How long the present batch of writes has taken so far, in ms; 0 if there is none. */
  readonly pendingWriteMs: () => number;
  /** The system's clock, which the service's clock may not follow. */
  readonly wallMs: () => number;
  /**
   * The work before a stranger's password is checked; tests use less. Undefined: the algorithm's
   * own.
   */
  readonly puzzleBase: number | undefined;
};

function factsOf(parts: DashboardParts): ServiceFacts {
  const { config, directory, store, api, firstStart, agentNames, pendingWriteMs, wallMs } = parts;
  return {
    version: readVersion(),
    startedAtMs: api.clock.nowMs(),
    baseUrl: config.baseUrl,
    demoSiteKey: config.isDemoOn ? (firstStart.demoKeys?.siteKey ?? null) : null,
    signedAgents: agentNames,
    describeStore: () => store.describe(),
    listServiceKeys: async () => {
      const currentId = api.cryptography.currentKeyId();
      const serviceKeys = await store.serviceKeys.listServiceKeys();
      return serviceKeys.map(({ keyId, createdAtMs }) => ({
        keyId,
        createdAtMs,
        isCurrent: keyId === currentId,
      }));
    },
    diagnose: (description) => [
      ...diagnoseStore(description),
      ...diagnoseTime(api.clock.nowMs(), wallMs()),
      ...diagnoseSettings(config, directory, true),
    ],
    isStoreLate: () => pendingWriteMs() >= WRITE_DEADLINE_MS,
  };
}

/**
 * The ports of the private endpoints: those of the public ones, and those that only the dashboard
 * needs.
 */
export function composeDashboardPorts(parts: DashboardParts): DashboardPorts {
  const { store, api, masterKey, wallMs } = parts;
  return {
    ...composeAccounts(store, masterKey, wallMs),
    clock: api.clock,
    cryptography: api.cryptography,
    directory: api.directory,
    visitors: api.visitors,
    sites: store.sites,
    statistics: store.statistics,
    decisions: store.decisions,
    settings: api.settings,
    tokenUsage: api.tokenUsage,
    usualEarnings: api.usualEarnings,
    waveMemory: api.waveMemory,
    keyUsage: store.keyUsage,
    puzzleBase: parts.puzzleBase ?? BASE_DIFFICULTY[2],
    securityEvents: api.securityEvents,
    localLimiter: parts.signInLimiter,
    service: factsOf(parts),
  };
}
