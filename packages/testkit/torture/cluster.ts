import { rmSync } from "node:fs";
import { mintToken } from "../minting/mint-tokens.ts";
import { addSite, type OperatorSite } from "../service/operator-site.ts";
import { type RunningService, startService } from "../service/service.ts";
import { openServiceCryptography } from "../service/service-cryptography.ts";
import { openServiceStore } from "../service/service-store.ts";
import { toTortured } from "./faults.ts";
import type { TortureTarget } from "./torture.ts";
import type { TorturedEngine } from "./tortured-engine.ts";

/** Servers over a store, each a process of its own, and what belongs to them. */
export type Cluster = {
  readonly target: TortureTarget;
  readonly site: OperatorSite;
  /** What the servers share; none on SQLite, and the one in which sites lie first. */
  readonly engines: readonly TorturedEngine[];
  /** Whether the write that spends a token counts it, too; else a server that dies may lose the counts of its last second. */
  readonly countsWithSpend: boolean;
  /** Makes tokens of a site, each issued when it is made and good for an hour. */
  readonly openMint: (site: OperatorSite) => Promise<() => string>;
  /** A further site, which lets so many redemptions a minute through. */
  readonly addLimitedSite: (verifyPerMinute: number) => Promise<OperatorSite>;
  /** Redemptions of the site that the service's own statistics counted. */
  readonly countRedeemed: (site: OperatorSite) => Promise<number>;
  readonly dispose: () => Promise<void>;
};

/** Settings (D17) of each server. */
export const ENVIRONMENT = { STILE_LIMIT_VERIFY: "10000000", STILE_LOG_LEVEL: "silent" };
const TOKEN_LIFE_SECONDS = 3600;

/** Where a cluster's data lies: an address is empty, and a master key undefined, where all of it is in the directory. */
export type ClusterPlace = {
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  readonly masterKey: string | undefined;
};

/** What is done to a cluster's data beside its servers. */
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
      return sums.reduce((sum, { metric, count }) => (metric === "token_redeemed" ? sum + count : sum), 0);
    },
  };
}

/** Lets services end with this process, however it ends, and their data go; answers what takes that back. */
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

/** One server on SQLite, as a newcomer gets it; `command` names another program in its place (see startService). */
export async function startSqliteCluster(command?: readonly string[]): Promise<Cluster & { service: RunningService }> {
  const service = await startService(ENVIRONMENT, command);
  const keep = endWithProcess([service]);
  const server = toTortured(service, "server");
  const killAll = async (): Promise<number> => {
    await server.kill.run(() => 0);
    return 1;
  };
  return {
    service,
    target: { servers: [server], secretKey: service.secretKey, faults: [server.kill], killAll, anewAtMs: () => [] },
    site: service,
    engines: [],
    countsWithSpend: true,
    ...dataOf({ dataDirectory: service.dataDirectory, databaseUrl: "", masterKey: undefined }),
    dispose: async () => {
      keep();
      await service.dispose();
    },
  };
}
