import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../free-port.ts";
import type { Program } from "../trials/debian-programs.ts";

/** How the engine is started. */
export type PostgresPlan = {
  /**
   * Whether commits reach the disk: off for tests of rules, on for tests of what survives, and for
   * measurements.
   */
  readonly isDurable: boolean;
  /** Further settings, as `name=value`. */
  readonly settings?: readonly string[];
  /**
   * The engine that it follows as a standby, from a base backup on; the other identifies it by its
   * `cluster_name`.
   */
  readonly follows?: ThrowAwayPostgres;
} & PostgresAccess;

/** The access rules for connections. */
export type PostgresAccess = {
  /**
   * Files (PEM) for TLS, which it speaks only with them, and the authority for accepted client
   * certificates.
   */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authority: string };
  /**
   * Lines of pg_hba.conf for connections by TCP; by default everybody with the password is let in.
   */
  readonly access?: readonly string[];
};

/** An engine of its own, on a loopback port; it ends with this process. */
export type ThrowAwayPostgres = {
  /** Address of its database with that name. */
  readonly urlOf: (database: string) => string;
  readonly port: number;
  /** Creates a database, as a copy of another if one is named; returns its address. */
  readonly createDatabase: (name: string, template?: string) => string;
  /** Runs SQL in a database as the engine's superuser; returns what psql prints. */
  readonly runSql: (database: string, sql: string) => string;
  /** Process id of the server; its helpers and a process for each connection are its children. */
  readonly pid: () => number;
  /** Kills the server process, as `kill -9` does; `start` starts it again on the same files. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it and starts it on the same files with only this access. */
  readonly restartWith: (access: PostgresAccess) => Promise<void>;
  /** Stops it and removes its files. */
  readonly stop: () => Promise<void>;
};

const USER = "stile";
const PASSWORD = "throw-away p@ss:word/";
const DEBIAN_FOLDER = "/usr/lib/postgresql";
/** The version in Debian 12. */
const DEBIAN_VERSION = 15;
const START_MS = 60_000;

function newestDebianFolder(): string {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const newest = Math.max(DEBIAN_VERSION, ...versions.map(Number).filter(Number.isInteger));
  return join(DEBIAN_FOLDER, String(newest), "bin");
}

/**
 * The engine's program that creates a cluster, of the newest version installed; POSTGRES_BIN can
 * name its folder.
 */
export function postgresProgram(): Program {
  const folder = process.env.POSTGRES_BIN ?? newestDebianFolder();
  return { file: join(folder, "initdb"), debianPackage: "postgresql" };
}

/** A client of any version: some engines come without one. */
function clientProgram(bin: string, name: "psql" | "pg_isready"): string {
  const beside = join(bin, name);
  return existsSync(beside) ? beside : join(newestDebianFolder(), name);
}

/** The user that runs a program; undefined: the user of the tests. */
export type Runner = { readonly uid: number; readonly gid: number } | undefined;

/** The engine refuses to be run by root; then it is run by a user that owns nothing else. */
export function findRunner(): Runner {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user =
    users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (user === undefined)
    throw new Error("There is no user to run PostgreSQL as: neither postgres nor nobody.");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/**
 * With at least this many free bytes a cluster may be in memory: it has 40 MB, and at most 1 GB of
 * log.
 */
const ROOM_BYTES = 4 * 2 ** 30;
const IN_MEMORY = "/dev/shm";

/**
 * Where to store a cluster: in memory if it need not be durable and there is room; its tables are
 * thousands of files.
 */
function placeFor(isDurable: boolean): string {
  if (isDurable || !existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < ROOM_BYTES ? tmpdir() : IN_MEMORY;
}

function makeFolder(runner: Runner, isDurable: boolean): string {
  const folder = mkdtempSync(join(placeFor(isDurable), "stile-postgres-"));
  if (runner !== undefined) chownSync(folder, runner.uid, runner.gid);
  return folder;
}

/** Runs a program to its end; throws with its output if it failed. */
function runToEnd(
  file: string,
  args: readonly string[],
  options: Parameters<typeof spawnSync>[2],
): string {
  const { status, stdout, stderr, error } = spawnSync(file, [...args], {
    ...options,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${file} failed: ${error?.message ?? ""}${stderr}${stdout}`);
  return String(stdout);
}

/** Whether this process has made a cluster. */
let hasCluster = false;

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache");

/**
 * Makes an empty cluster as `data` below the folder. Making one takes ten times as long as copying
 * it, so the first of a version is kept as it was before its first start. Copies share one system
 * identifier, by which the service distinguishes engines: only the first engine of a process is a
 * copy.
 */
function makeCluster(
  initdb: string,
  folder: string,
  asRunner: Parameters<typeof spawnSync>[2],
): void {
  const data = join(folder, "data");
  const { mtimeMs, size } = statSync(initdb);
  const made = [initdb, mtimeMs, size, USER, PASSWORD].join("\n");
  const kept = join(
    CACHE,
    `postgres-${createHash("sha256").update(made).digest("hex").slice(0, 16)}`,
  );
  const isFirst = !hasCluster;
  hasCluster = true;
  if (isFirst && existsSync(kept)) {
    runToEnd("cp", ["-a", kept, data], {});
    return;
  }
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  const whose = ["-U", USER, `--pwfile=${passwordFile}`, "-A", "scram-sha-256"];
  runToEnd(initdb, ["-D", data, ...whose, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"], asRunner);
  if (!isFirst) return;
  mkdirSync(CACHE, { recursive: true });
  const copy = mkdtempSync(join(CACHE, "postgres-"));
  runToEnd("cp", ["-a", data, join(copy, "data")], {});
  try {
    renameSync(join(copy, "data"), kept);
  } catch {
    // Another process was faster.
  }
  rmSync(copy, { recursive: true, force: true });
}

/** Makes `data` below the folder a standby of that engine, as an operator does. */
function copyCluster(
  bin: string,
  { port }: ThrowAwayPostgres,
  folder: string,
  asRunner: Parameters<typeof spawnSync>[2],
): void {
  const place = ["-h", "127.0.0.1", "-p", `${port}`, "-U", USER, "-D", join(folder, "data")];
  runToEnd(join(bin, "pg_basebackup"), [...place, "-R", "-c", "fast", "--no-sync"], asRunner);
}

/** Admits everybody who knows the password. */
const EVERYBODY = ["host all all all scram-sha-256", "host replication all all scram-sha-256"];

/**
 * Writes pg_hba.conf, and copies the TLS files into the engine's folder, since it accepts no key of
 * another user; returns the settings that name them.
 */
function writeAccess(
  { tls, access = EVERYBODY }: PostgresAccess,
  folder: string,
  runner: Runner,
): readonly string[] {
  const lines = ["local all all scram-sha-256", ...access];
  writeFileSync(join(folder, "data", "pg_hba.conf"), `${lines.join("\n")}\n`);
  if (tls === undefined) return [];
  const files = {
    ssl_cert_file: tls.certificate,
    ssl_key_file: tls.key,
    ssl_ca_file: tls.authority,
  };
  const settings = Object.entries(files).map(([setting, file]) => {
    const copy = join(folder, setting);
    writeFileSync(copy, readFileSync(file), { mode: 0o600 });
    if (runner !== undefined) chownSync(copy, runner.uid, runner.gid);
    return `${setting}=${copy}`;
  });
  return ["ssl=on", ...settings];
}

/** Makes a cluster in its own folder and starts it; passwords are required, as in production. */
export async function startPostgres(plan: PostgresPlan): Promise<ThrowAwayPostgres> {
  const { isDurable, settings = [], follows } = plan;
  const { file: initdb, debianPackage } = postgresProgram();
  if (!existsSync(initdb)) {
    throw new Error(
      `Missing ${initdb}, needed for tests of PostgreSQL. Install the package "${debianPackage}".`,
    );
  }
  const bin = dirname(initdb);
  const runner = findRunner();
  const folder = makeFolder(runner, isDurable);
  const data = join(folder, "data");
  const asRunner = {
    ...runner,
    cwd: folder,
    env: { PATH: bin, LC_ALL: "C.UTF-8", PGPASSWORD: PASSWORD },
  };
  let server: ReturnType<typeof spawn> | undefined;
  // However this process ends, the server does not outlive it.
  const onExit = (): void => {
    server?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", onExit);
  if (follows === undefined) makeCluster(initdb, folder, asRunner);
  else copyCluster(bin, follows, folder, asRunner);
  const port = await findFreePort();
  const durable = isDurable ? "on" : "off";
  const chosen = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    "max_connections=200",
  ];
  const speed = [
    `fsync=${durable}`,
    `full_page_writes=${durable}`,
    `synchronous_commit=on`,
    "shared_buffers=64MB",
  ];
  const flagsOf = (access: PostgresAccess): readonly string[] =>
    [...chosen, ...speed, ...writeAccess(access, folder, runner), ...settings].flatMap(
      (setting) => ["-c", setting],
    );
  let flags = flagsOf(plan);

  const psql = (database: string, sql: string): string => {
    const args = [
      "-X",
      "-q",
      "-A",
      "-t",
      "-v",
      "ON_ERROR_STOP=1",
      "-h",
      folder,
      "-p",
      `${port}`,
      "-U",
      USER,
    ];
    return runToEnd(
      clientProgram(bin, "psql"),
      [...args, "-d", database, "-c", sql],
      asRunner,
    ).trim();
  };
  const start = async (): Promise<void> => {
    for (const sinceMs = Date.now(); Date.now() - sinceMs < START_MS; await delay(50)) {
      // After a kill, the remaining processes of the former server end first, and until then a
      // start is refused.
      if (server === undefined || server.exitCode !== null) {
        server = spawn(join(bin, "postgres"), ["-D", data, ...flags], {
          ...asRunner,
          stdio: "ignore",
        });
      }
      if (
        spawnSync(clientProgram(bin, "pg_isready"), ["-q", "-h", folder, "-p", `${port}`])
          .status === 0
      )
        return;
    }
    throw new Error("PostgreSQL did not start in time");
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = server;
    server = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = once(ending, "exit");
    ending.kill(signal);
    await ended;
  };
  const urlOf = (database: string): string =>
    `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
  await start();
  return {
    port,
    urlOf,
    pid: () => server?.pid ?? 0,
    createDatabase: (name, template = "template1") => {
      psql("postgres", `CREATE DATABASE ${name} TEMPLATE ${template}`);
      return urlOf(name);
    },
    runSql: psql,
    kill: () => end("SIGKILL"),
    start,
    restartWith: async (access) => {
      await end("SIGINT");
      flags = flagsOf(access);
      await start();
    },
    stop: async () => {
      await end("SIGQUIT");
      process.removeListener("exit", onExit);
      onExit();
    },
  };
}
