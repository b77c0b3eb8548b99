import { rmSync } from "node:fs";
import { mintToken } from "../minting/mint-tokens.ts";
import { addSite, type OperatorSite } from "../service/operator-site.ts";
import { type RunningService, startService } from "../service/service.ts";
import { openServiceCryptography } from "../service/service-cryptography.ts";
import { openServiceStore } from "../service/service-store.ts";
import { toTortured } from "./faults.ts";
import type { TortureTarget } from "./torture.ts";
import type { TorturedEngine } from "./tortured-engine.ts";

/** Servers over one store, each a separate process, with their data. */
export type Cluster = {
  readonly target: TortureTarget;
  readonly site: OperatorSite;
  /** The engines that the servers share; none on SQLite. The engine with the sites comes first. */
  readonly engines: readonly TorturedEngine[];
  /** Makes tokens of a site, each issued at the moment it is made and valid for an hour. */
  readonly openMint: (site: OperatorSite) => Promise<() => string>;
  /** Adds a site that allows that many redemptions per minute. */
  readonly addLimitedSite: (verifyPerMinute: number) => Promise<OperatorSite>;
  /** Redemptions of the site in the service's own statistics. */
  readonly countRedeemed: (site: OperatorSite) => Promise<number>;
  readonly dispose: () => Promise<void>;
};

/** Settings (D17, settings) of each server. */
export const ENVIRONMENT = { STILE_LIMIT_VERIFY: "10000000", STILE_LOG_LEVEL: "silent" };
const TOKEN_LIFE_SECONDS = 3600;

/**
 * The place of a cluster's data: if all of it is in the directory, the address is empty and the
 * master key undefined.
 */
export type ClusterPlace = {
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  readonly masterKey: string | undefined;
};

/** Operations on a cluster's data, outside its servers. */
export function dataOf({
  dataDirectory,
  databaseUrl,
  masterKey,
}: ClusterPlace): Pick<Cluster, "openMint" | "addLimitedSite" | "countRedeemed"> {
  let limited = 0;
  return {
    openMint: async ({ siteKey }) => {
      const cryptography = await openServiceCryptography(dataDirectory, databaseUrl, masterKey);
      return () => mintToken(cryptography, siteKey, { lifeSeconds: TOKEN_LIFE_SECONDS });
    },
    addLimitedSite: (verifyPerMinute) =>
      addSite(dataDirectory, { name: `Limited ${++limited}`, verifyPerMinute }, databaseUrl),
    countRedeemed: async ({ siteKey }) => {
      const store = await openServiceStore(dataDirectory, databaseUrl);
      const whole = { siteKey, resolution: "day", fromMs: 0, toMs: Date.now() } as const;
      const sums = await store.statistics.readSums({ ...whole, kinds: ["outcome"] });
      await store.close();
      return sums.reduce(
        (sum, { metric, count }) => (metric === "token_redeemed" ? sum + count : sum),
        0,
      );
    },
  };
}

/**
 * Makes services and their data end with this process, however it ends; returns a function that
 * undoes that.
 */
export function endWithProcess(services: readonly RunningService[]): () => void {
  const killAll = (): void => {
    for (const service of services) {
      void service.kill();
      rmSync(service.dataDirectory, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  process.once("exit", killAll);
  return () => void process.removeListener("exit", killAll);
}

/**
 * One server on SQLite, as a newcomer gets it; `command` names another program instead (see
 * startService).
 */
export async function startSqliteCluster(
  command?: readonly string[],
): Promise<Cluster & { service: RunningService }> {
  const service = await startService(ENVIRONMENT, command);
  const keep = endWithProcess([service]);
  const server = toTortured(service, "server");
  const killAll = async (): Promise<number> => {
    await server.kill.run(() => 0);
    return 1;
  };
  return {
    service,
    target: { servers: [server], secretKey: service.secretKey, faults: [server.kill], killAll },
    site: service,
    engines: [],
    ...dataOf({ dataDirectory: service.dataDirectory, databaseUrl: "", masterKey: undefined }),
    dispose: async () => {
      keep();
      await service.dispose();
    },
  };
}
