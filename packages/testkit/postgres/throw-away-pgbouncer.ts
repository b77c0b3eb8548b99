import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../free-port.ts";
import type { Program } from "../trials/debian-programs.ts";
import { findRunner, type ThrowAwayPostgres } from "./throw-away-postgres.ts";

/** The pooler that most people have in front of their PostgreSQL. */
export const PGBOUNCER = {
  file: "/usr/sbin/pgbouncer",
  debianPackage: "pgbouncer",
} as const satisfies Program;

/** How it assigns sessions. */
export type PgBouncerMode = "session" | "transaction";
/** Its mode, and further lines of its settings. */
export type PgBouncerPlan = { readonly mode: PgBouncerMode; readonly settings?: readonly string[] };

/** A pooler of its own in front of an engine, on a loopback port; it ends with this process. */
export type ThrowAwayPgBouncer = {
  /** Address of the engine's database through the pooler. */
  readonly urlOf: (database: string) => string;
  /** Changes it while it runs. */
  readonly setMode: (mode: PgBouncerMode) => void;
  readonly stop: () => Promise<void>;
};

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Starts it with its default settings except for its mode; it asks for the engine's password. */
export async function startPgBouncer(
  engine: ThrowAwayPostgres,
  { mode, settings = [] }: PgBouncerPlan,
): Promise<ThrowAwayPgBouncer> {
  const runner = findRunner();
  const folder = mkdtempSync(join(tmpdir(), "stile-pgbouncer-"));
  const port = await findFreePort();
  const { username, password } = new URL(engine.urlOf("postgres"));
  const [users, config] = [join(folder, "users"), join(folder, "pgbouncer.ini")];
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const linesOf = (poolMode: PgBouncerMode) => [
    "[databases]",
    `* = host=127.0.0.1 port=${engine.port}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = scram-sha-256",
    `auth_file = ${users}`,
    `pool_mode = ${poolMode}`,
    ...settings,
  ];
  const configure = (poolMode: PgBouncerMode): void =>
    writeFileSync(config, `${linesOf(poolMode).join("\n")}\n`);
  configure(mode);
  if (runner !== undefined)
    for (const path of [folder, users, config]) chownSync(path, runner.uid, runner.gid);
  const child = spawn(PGBOUNCER.file, ["-q", config], { ...runner, cwd: folder, stdio: "ignore" });
  const ended = once(child, "exit");
  const onExit = (): void => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", onExit);
  while (!(await isListening(port))) {
    if (child.exitCode !== null || !existsSync(config))
      throw new Error(`PgBouncer ended with ${child.exitCode}`);
    await delay(20);
  }
  return {
    urlOf: (database) => {
      const url = new URL(engine.urlOf(database));
      url.port = `${port}`;
      return url.href;
    },
    setMode: (poolMode) => {
      configure(poolMode);
      child.kill("SIGHUP");
    },
    stop: async () => {
      process.removeListener("exit", onExit);
      onExit();
      await ended;
    },
  };
}
