import { randomBytes } from "node:crypto";
import { type RunningService, startService } from "../service/service.ts";
import { type Cluster, type ClusterPlace, dataOf, ENVIRONMENT, endWithProcess } from "./cluster.ts";
import { type TorturedServer, toTortured } from "./faults.ts";
import type { TortureTarget } from "./torture.ts";
import type { TorturedEngine } from "./tortured-engine.ts";
import { startTorturedPostgres } from "./tortured-postgres.ts";

function targetOf(
  servers: readonly TorturedServer[],
  engines: readonly TorturedEngine[],
  secretKey: string,
): TortureTarget {
  const serverKills = servers.map(({ kill }) => kill);
  return {
    servers,
    secretKey,
    faults: [...engines.flatMap(({ kills, ways }) => [...kills, ...ways.faults()]), ...serverKills],
    killAll: async () => {
      const kills = [...engines.map(({ kills: [all] }) => all), ...serverKills];
      await Promise.all(kills.map((kill) => kill.run(() => 0)));
      return kills.length;
    },
  };
}

/** The place of the servers' data, apart from the directory of the first. */
type SharedClusterPlace = Omit<ClusterPlace, "dataDirectory"> & { readonly masterKey: string };

/**
 * Servers on the same engines, each with its own data directory and its own connection to each
 * engine.
 */
async function startServers(
  count: number,
  engines: readonly TorturedEngine[],
  place: SharedClusterPlace,
): Promise<Cluster> {
  const services: RunningService[] = [];
  const keep = endWithProcess(services);
  const dispose = async (): Promise<void> => {
    keep();
    for (const service of services) await service.dispose();
    for (const engine of engines) await engine.stop();
  };
  try {
    for (let at = 0; at < count; at++) {
      const settings: Record<string, string> = {
        ...ENVIRONMENT,
        STILE_MASTER_KEY: place.masterKey,
      };
      for (const { ways, settingsAt } of engines)
        Object.assign(settings, settingsAt(await ways.open()));
      services.push(await startService(settings));
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  const [first] = services;
  if (first === undefined) throw new Error("a cluster needs a server");
  const tortured = services.map((service, at) => toTortured(service, `server ${at + 1}`));
  return {
    target: targetOf(tortured, engines, first.secretKey),
    site: first,
    engines,
    ...dataOf({ dataDirectory: first.dataDirectory, ...place }),
    dispose,
  };
}

const makeMasterKey = (): string => randomBytes(32).toString("base64");

/**
 * The number of servers, and settings of the engine, as `name=value`, which is durable unless they
 * say otherwise.
 */
export type PostgresClusterPlan = {
  readonly servers: number;
  readonly engineSettings?: readonly string[];
};

/** Servers on one PostgreSQL of their own. */
export async function startPostgresCluster(plan: PostgresClusterPlan): Promise<Cluster> {
  const { servers, engineSettings = [] } = plan;
  const postgres = await startTorturedPostgres({ settings: engineSettings });
  const place = { databaseUrl: postgres.databaseUrl, masterKey: makeMasterKey() };
  const cluster = await startServers(servers, [postgres], place);
  // Without durable commits, the first kill might also lose the site of the tokens.
  postgres.keep();
  return cluster;
}
