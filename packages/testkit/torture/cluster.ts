import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { mintToken } from "../minting/mint-tokens.ts";
import { type ProxyMode, startTcpProxy, type TcpProxy } from "../postgres/tcp-proxy.ts";
import { startPostgres, type ThrowAwayPostgres } from "../postgres/throw-away-postgres.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { addSite, type OperatorSite } from "../service/operator-site.ts";
import { treeOf } from "../service/process-tree.ts";
import { type RunningService, startService } from "../service/service.ts";
import { openServiceCryptography } from "../service/service-cryptography.ts";
import { openServiceStore } from "../service/service-store.ts";
import { type Fault, toTortured } from "./faults.ts";
import type { TortureTarget } from "./torture.ts";

/** Servers over a store, each a process of its own, and what belongs to them. */
export type Cluster = {
  readonly target: TortureTarget;
  readonly site: OperatorSite;
  /** Ways between the servers and their engine, one for each; none where there is no engine. */
  readonly proxies: readonly TcpProxy[];
  /** Kills of the engine's processes, first of all of them at once; none where there is no engine. */
  readonly engineKills: readonly Fault[];
  /** Kills all of the engine at once, and starts it again; undefined where there is none. */
  readonly engine: Pick<ThrowAwayPostgres, "kill" | "start"> | undefined;
  /** Tokens of a site that are good for an hour. */
  readonly mint: (site: OperatorSite, count: number) => Promise<string[]>;
  /** A further site, which lets so many redemptions a minute through. */
  readonly addLimitedSite: (verifyPerMinute: number) => Promise<OperatorSite>;
  /** Redemptions of the site that the service's own statistics counted. */
  readonly countRedeemed: (site: OperatorSite) => Promise<number>;
  readonly dispose: () => Promise<void>;
};

const ENVIRONMENT = { STILE_LIMIT_VERIFY: "10000000", STILE_LOG_LEVEL: "silent" };
const TOKEN_LIFE_SECONDS = 3600;
const DATABASE = "torture";

/** Where a cluster's data lies. */
type Place = {
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  readonly masterKey: string | undefined;
};

function dataOf({
  dataDirectory,
  databaseUrl,
  masterKey,
}: Place): Pick<Cluster, "mint" | "addLimitedSite" | "countRedeemed"> {
  return {
    mint: async ({ siteKey }, count) => {
      const cryptography = await openServiceCryptography(dataDirectory, databaseUrl, masterKey);
      return Array.from({ length: count }, () => mintToken(cryptography, siteKey, { lifeSeconds: TOKEN_LIFE_SECONDS }));
    },
    addLimitedSite: (verifyPerMinute) => addSite(dataDirectory, { name: "Limited", verifyPerMinute }, databaseUrl),
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
function endWithProcess(services: readonly RunningService[]): () => void {
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
    target: { servers: [server], secretKey: service.secretKey, faults: [server.kill], killAll },
    site: service,
    proxies: [],
    engineKills: [],
    engine: undefined,
    ...dataOf({ dataDirectory: service.dataDirectory, databaseUrl: "", masterKey: undefined }),
    dispose: async () => {
      keep();
      await service.dispose();
    },
  };
}

function killOnes(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended since we looked.
    }
  }
}

/** The server process alone would leave those below it to answer for a moment. */
async function killWhole(engine: ThrowAwayPostgres): Promise<void> {
  killOnes(treeOf(engine.pid()));
  await engine.kill();
}

/** kill -9 of the engine's server process, of all its processes at once, or of one below it, after which it restarts by itself. */
function engineFaults(engine: ThrowAwayPostgres): readonly [Fault, Fault, Fault] {
  const tree = (): number[] => treeOf(engine.pid());
  const killAll = async (): Promise<void> => {
    await killWhole(engine);
    await engine.start();
  };
  const killServer = async (): Promise<void> => {
    await engine.kill();
    await engine.start();
  };
  const killOne = async (random: SeededRandom): Promise<void> => {
    const [, ...below] = tree();
    const chosen = random(Math.max(1, below.length));
    killOnes(below.slice(chosen, chosen + 1));
    await engine.start();
  };
  // One at a time: they share the engine.
  let last = Promise.resolve();
  const inTurn = (name: string, run: Fault["run"]): Fault => ({
    name,
    isKill: true,
    run: (random) => {
      last = last.then(() => run(random));
      return last;
    },
  });
  return [
    inTurn("engine killed, all of it", killAll),
    inTurn("engine killed, the server process", killServer),
    inTurn("engine killed, one process", killOne),
  ];
}

const BREAKS: readonly ProxyMode[] = ["cut", "torn", "deaf", "silent", "slow"];
const BREAK_MS = { least: 200, more: 1500 } as const;

/** Breaks of the way between one server and the engine. */
function networkFaults(proxy: TcpProxy, name: string): readonly Fault[] {
  let last = Promise.resolve();
  return BREAKS.map((mode) => ({
    name: `${name} ${mode}`,
    isKill: false,
    run: (random) => {
      last = last.then(async () => {
        proxy.setMode(mode);
        await delay(BREAK_MS.least + random(BREAK_MS.more));
        proxy.setMode("pass");
      });
      return last;
    },
  }));
}

/** How the engine of a cluster is set up. */
export type PostgresClusterPlan = {
  readonly servers: number;
  /** Settings of the engine, as `name=value`; it is durable unless they say otherwise. */
  readonly engineSettings?: readonly string[];
};

/** Servers on one PostgreSQL of their own, each with a data directory of its own and reaching the engine through a proxy. */
export async function startPostgresCluster({ servers, engineSettings = [] }: PostgresClusterPlan): Promise<Cluster> {
  const engine = await startPostgres({ isDurable: true, settings: engineSettings });
  const masterKey = randomBytes(32).toString("base64");
  const databaseUrl = engine.createDatabase(DATABASE);
  const proxies: TcpProxy[] = [];
  const services: RunningService[] = [];
  const keep = endWithProcess(services);
  const dispose = async (): Promise<void> => {
    keep();
    for (const service of services) await service.dispose();
    for (const proxy of proxies) await proxy.stop();
    await engine.stop();
  };
  try {
    for (let at = 0; at < servers; at++) {
      const proxy = await startTcpProxy(engine.port);
      proxies.push(proxy);
      const url = new URL(databaseUrl);
      url.port = String(proxy.port);
      const node = { STILE_DATABASE_URL: url.href, STILE_MASTER_KEY: masterKey };
      services.push(await startService({ ...ENVIRONMENT, ...node }));
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  const [first] = services;
  if (first === undefined) throw new Error("a cluster needs a server");
  const tortured = services.map((service, at) => toTortured(service, `server ${at + 1}`));
  const engineKills = engineFaults(engine);
  const killAll = async (): Promise<number> => {
    const kills = [engineKills[0], ...tortured.map(({ kill }) => kill)];
    await Promise.all(kills.map((kill) => kill.run(() => 0)));
    return kills.length;
  };
  const faults = [
    ...engineKills,
    ...tortured.map(({ kill }) => kill),
    ...proxies.flatMap((proxy, at) => networkFaults(proxy, `way of server ${at + 1}`)),
  ];
  return {
    target: { servers: tortured, secretKey: first.secretKey, faults, killAll },
    site: first,
    proxies,
    engineKills,
    engine: { kill: () => killWhole(engine), start: engine.start },
    ...dataOf({ dataDirectory: first.dataDirectory, databaseUrl, masterKey }),
    dispose,
  };
}
