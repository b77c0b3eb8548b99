import { setTimeout as delay } from "node:timers/promises";
import type { ServiceSettings } from "@stile/core/domain/service-settings";
import { RATE_LIMITS } from "@stile/protocol/limits";
import type { Config } from "../config/config.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import type { ApiPorts } from "../http/v1/api-ports.ts";
import type { VisitorReader } from "../http/visitor/visitor.ts";
import { initialize } from "../lifecycle/first-start.ts";
import { composePorts, type ProcessParts } from "./compose-ports.ts";
import type { composeRisk } from "./compose-risk.ts";

/** The parts that the public endpoints are composed of. */
export type ApiParts = Pick<ProcessParts, "store" | "clock" | "log"> & {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly visitors: VisitorReader;
  readonly risk: ReturnType<typeof composeRisk>;
};

/** Numbers of the puzzle's algorithms by the operators' names for them (proof of work). */
const ALGORITHM_NUMBERS = { hashwx: 1, sha256: 2 } as const;

/** Longer than the 10 s that callers and widgets wait for an answer, ms. */
const OUTWAIT_MS = 12_000;

function settingsOf(config: Config): ServiceSettings {
  const { testHosts: hosts } = config;
  return {
    testPlace: hosts && { hosts, outwait: () => delay(OUTWAIT_MS, undefined, { ref: false }) },
    algorithm: ALGORITHM_NUMBERS[config.powAlgorithm],
    limits: { ...config.limits, wrongSecret: RATE_LIMITS.wrongSecret.perMinute },
  };
}

/**
 * The ports of the public endpoints under the operator's settings. Creates the first account and
 * site if there are none.
 */
export async function composeApi(parts: ApiParts) {
  const { config, directory, store, clock, log, visitors, risk } = parts;
  const masterKey = config.masterKey ?? directory.masterKey();
  const { networkLists, flagWeights } = risk;
  const { ports, ...others } = await composePorts({ store, clock, masterKey, networkLists, log });
  const firstStart = await store.alone(() => initialize(ports, directory, config.baseUrl));
  const settings = {
    ...settingsOf(config),
    flagWeights,
    demoSiteKey: firstStart.demoKeys?.siteKey,
  };
  const api: ApiPorts = { ...ports, settings, visitors };
  return { api, ports, masterKey, firstStart, ...others };
}
