import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { findFreePort } from "../free-port.ts";
import type { Program } from "../trials/debian-programs.ts";

/**
 * How the engine is started: when its append-only file reaches the disk (`off`: it has none), and further settings as
 * name and value.
 */
export type ValkeyPlan = {
  readonly appendFsync: "always" | "everysec" | "off";
  readonly settings?: readonly (readonly [name: string, value: string])[];
};

/** An engine of its own, on a loopback port; it ends with this process. */
export type ThrowAwayValkey = {
  /** Includes its password. */
  readonly url: string;
  readonly port: number;
  /** A client that neither waits nor retries, for what a test does to the engine itself; `stop` ends it. */
  readonly connect: () => Promise<Redis>;
  /** Kills the server process, as `kill -9` does; `start` starts it again on the same files. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Suspends the server process, or resumes it: it keeps its connections, and says nothing on them. */
  readonly signal: (signal: "SIGSTOP" | "SIGCONT") => void;
  /** Stops it and removes its files. */
  readonly stop: () => Promise<void>;
};

const PASSWORD = "throw-away p@ss:word/";
const START_MS = 60_000;

/** Valkey's program if it is installed, else that of Redis; or the one that VALKEY_SERVER names. */
export function valkeyProgram(): Program {
  const named = process.env.VALKEY_SERVER;
  const file = named ?? (existsSync("/usr/bin/valkey-server") ? "/usr/bin/valkey-server" : "/usr/bin/redis-server");
  return { file, debianPackage: "redis-server" };
}

function argumentsOf(port: number, folder: string, { appendFsync, settings = [] }: ValkeyPlan): string[] {
  const append =
    appendFsync === "off"
      ? [["appendonly", "no"]]
      : [
          ["appendonly", "yes"],
          ["appendfsync", appendFsync],
        ];
  const own = [
    ["bind", "127.0.0.1"],
    ["port", `${port}`],
    ["dir", folder],
    ["requirepass", PASSWORD],
    // For a replica, or for a primary, which otherwise waits for more replicas before it begins.
    ["masterauth", PASSWORD],
    ["repl-diskless-sync-delay", "0"],
    ["maxmemory-policy", "noeviction"],
  ];
  const chosen = [...own, ...append, ...settings].flatMap(([name = "", value = ""]) => [`--${name}`, value]);
  // An empty value must be on a line of its own in the configuration that it reads from its input.
  return [...chosen, "--save", ""];
}

/** Starts it in a folder of its own; its password is required, as in production. */
export async function startValkey(plan: ValkeyPlan): Promise<ThrowAwayValkey> {
  const { file, debianPackage } = valkeyProgram();
  if (!existsSync(file)) {
    throw new Error(`Missing ${file}, needed for tests of Valkey. Install the package "${debianPackage}".`);
  }
  const folder = mkdtempSync(join(tmpdir(), "stile-valkey-"));
  const port = await findFreePort();
  const url = `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
  const clients: Redis[] = [];
  let server: ReturnType<typeof spawn> | undefined;

  const connect = async (): Promise<Redis> => {
    // The readiness check would wait a second while the engine is still reading its file.
    const impatient = { retryStrategy: null, maxRetriesPerRequest: 0, enableReadyCheck: false };
    const client = new Redis(url, { lazyConnect: true, protocol: 2, ...impatient });
    client.on("error", () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  const isUp = async (): Promise<boolean> => {
    try {
      const client = await connect();
      const answer = await client.ping();
      client.disconnect();
      return answer === "PONG";
    } catch {
      return false;
    }
  };
  const start = async (): Promise<void> => {
    server = spawn(file, argumentsOf(port, folder, plan), { cwd: folder, stdio: "ignore" });
    for (const sinceMs = Date.now(); Date.now() - sinceMs < START_MS; await delay(20)) if (await isUp()) return;
    throw new Error("Valkey did not start in time");
  };
  const kill = async (): Promise<void> => {
    const ending = server;
    server = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    ending.kill("SIGKILL");
    await ended;
  };
  const onExit = (): void => {
    server?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  // However this process ends, the server does not outlive it.
  process.once("exit", onExit);
  await start();
  return {
    url,
    port,
    connect,
    kill,
    start,
    signal: (signal) => void server?.kill(signal),
    stop: async () => {
      for (const client of clients) client.disconnect();
      await kill();
      process.removeListener("exit", onExit);
      onExit();
    },
  };
}

/** Starts a replica of another engine, and waits until it follows. */
export async function startReplica(
  primary: ThrowAwayValkey,
  appendFsync: ValkeyPlan["appendFsync"] = "always",
): Promise<ThrowAwayValkey> {
  const replica = await startValkey({ appendFsync, settings: [["replicaof", `127.0.0.1 ${primary.port}`]] });
  const client = await primary.connect();
  const isFollowing = async (): Promise<boolean> =>
    new RegExp(`port=${replica.port},state=online`).test(await client.info("replication"));
  for (const sinceMs = Date.now(); Date.now() - sinceMs < START_MS; await delay(20)) {
    if (!(await isFollowing())) continue;
    client.disconnect();
    return replica;
  }
  throw new Error("the replica did not follow in time");
}
