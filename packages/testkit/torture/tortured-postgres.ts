import { startPostgres, type ThrowAwayPostgres } from "../postgres/throw-away-postgres.ts";
import type { RandomBelow } from "../random-below.ts";
import { treeOf } from "../service/process-tree.ts";
import { type ClusterFault, inTurn } from "./faults.ts";
import type { TorturedEngine } from "./tortured-engine.ts";
import { createWays } from "./ways.ts";

/**
 * A tortured PostgreSQL, and the direct address of the servers' database in it, which no fault
 * breaks. `keep` makes the present data durable, even where commits are not.
 */
export type TorturedPostgres = TorturedEngine & {
  readonly databaseUrl: string;
  readonly keep: () => void;
};

/** Settings of the engine, as `name=value`, which is durable unless they say otherwise. */
export type TorturedPostgresPlan = { readonly settings?: readonly string[] };

const DATABASE = "torture";

function killOnes(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}

/** Killing only the server process would let its children answer for a moment longer. */
async function killWhole(engine: ThrowAwayPostgres): Promise<void> {
  killOnes(treeOf(engine.pid()));
  await engine.kill();
}

/**
 * kill -9 of all its processes at once, of its server process, or of one of its children, after
 * which it restarts automatically.
 */
function killsOf(engine: ThrowAwayPostgres): TorturedEngine["kills"] {
  const killAll = async (): Promise<void> => {
    await killWhole(engine);
    await engine.start();
  };
  const killServer = async (): Promise<void> => {
    await engine.kill();
    await engine.start();
  };
  const killOne = async (random: RandomBelow): Promise<void> => {
    const [, ...below] = treeOf(engine.pid());
    const chosen = random(Math.max(1, below.length));
    killOnes(below.slice(chosen, chosen + 1));
    await engine.start();
  };
  const [first, ...others] = inTurn([
    { name: "PostgreSQL killed, all of it", isKill: true, run: killAll },
    { name: "PostgreSQL killed, the server process", isKill: true, run: killServer },
    { name: "PostgreSQL killed, one process", isKill: true, run: killOne },
  ]);
  return [first as ClusterFault, ...others];
}

/** Starts a PostgreSQL with a real fsync for each commit, and an empty database in it. */
export async function startTorturedPostgres({
  settings = [],
}: TorturedPostgresPlan): Promise<TorturedPostgres> {
  const engine = await startPostgres({ isDurable: true, settings });
  const databaseUrl = engine.createDatabase(DATABASE);
  const ways = createWays("PostgreSQL", engine.port);
  return {
    name: "PostgreSQL",
    databaseUrl,
    keep: () => void engine.runSql(DATABASE, "CHECKPOINT"),
    ways,
    settingsAt: (wayPort) => {
      const url = new URL(databaseUrl);
      url.port = String(wayPort);
      return { STILE_DATABASE_URL: url.href };
    },
    kills: killsOf(engine),
    kill: () => killWhole(engine),
    start: engine.start,
    stop: async () => {
      await ways.stop();
      await engine.stop();
    },
  };
}
