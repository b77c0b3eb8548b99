import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../free-port.ts";
import { SERVICE_PROGRAM } from "./programs.ts";
import type { EnvironmentVariables } from "./run-command.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** Sets LISTEN_PID to the shell's own pid, and becomes the service, which keeps that pid. */
const BECOME = 'export LISTEN_PID=$$; exec "$0" "$@"';
const SERVICE = [process.execPath, SERVICE_PROGRAM];

/** One process of the service that got the socket. */
export type ServiceLife = {
  /** Its output so far, on both streams. */
  readonly printed: () => string;
  /** Resolves once its output matches; throws if it ends before. */
  readonly wrote: (pattern: RegExp) => Promise<void>;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Asks it to stop and returns its exit code. */
  readonly stop: () => Promise<number | null>;
};

/**
 * A bound socket and a data directory that outlive the processes that serve them, as a service
 * manager holds them.
 */
export type SocketHolder = {
  readonly port: number;
  readonly baseUrl: string;
  readonly dataDirectory: string;
  /** Keys of the demo site; known once a process has listened. */
  readonly keys: () => { readonly siteKey: string; readonly secretKey: string };
  /**
   * Starts a process with the socket as descriptor 3; `environment` adds to, or replaces, its usual
   * environment.
   */
  readonly start: (environment?: EnvironmentVariables) => ServiceLife;
  /** Ends every remaining process, closes the socket, and removes the data directory. */
  readonly dispose: () => Promise<void>;
};

type BoundHandle = { readonly fd: number; readonly close: () => void };
/**
 * Binds without accepting, as `node:cluster` does: listening in this process would take connections
 * away from the service.
 */
const { _createServerHandle: bind } = net as unknown as {
  readonly _createServerHandle: (address: string, port: number, family: 4) => BoundHandle | number;
};

function watchLife(child: ChildProcess): ServiceLife {
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      child.emit("wrote");
    });
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    printed: () => printed,
    ended,
    wrote: async (pattern) => {
      while (!pattern.test(printed)) {
        const wrote = once(child, "wrote").then(() => "wrote");
        if ((await Promise.race([wrote, ended])) === "wrote" || pattern.test(printed)) continue;
        throw new Error(`the service ended and never wrote ${pattern}:\n${printed}`);
      }
    },
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

function spawnHanded(
  descriptor: number,
  environment: EnvironmentVariables,
  command: readonly string[],
): ChildProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(STILE|LISTEN|npm)_/.test(name),
  );
  return spawn("sh", ["-c", BECOME, ...command], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe", descriptor],
    env: { ...Object.fromEntries(inherited), LISTEN_FDS: "1", ...environment },
  });
}

/** Starts a command with any descriptor as its descriptor 3: for starts that must fail. */
export function startHanded(
  descriptor: number,
  environment: EnvironmentVariables,
  command = SERVICE,
): ServiceLife {
  return watchLife(spawnHanded(descriptor, environment, command));
}

/** Binds a socket on a free port; nothing accepts on it until a process is started. */
export async function holdSocket(): Promise<SocketHolder> {
  const port = await findFreePort();
  const handle = bind("127.0.0.1", port, 4);
  if (typeof handle === "number") throw new Error(`port ${port} can't be bound (${handle})`);
  const dataDirectory = mkdtempSync(join(tmpdir(), "stile-handed-"));
  const children = new Set<ChildProcess>();
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    dataDirectory,
    keys: () => {
      const keys = JSON.parse(readFileSync(join(dataDirectory, "demo.json"), "utf8")) as Record<
        string,
        string
      >;
      return { siteKey: keys.site_key ?? "", secretKey: keys.secret_key ?? "" };
    },
    start: (environment = {}) => {
      const child = spawnHanded(
        handle.fd,
        { STILE_DATA_DIR: dataDirectory, ...environment },
        SERVICE,
      );
      children.add(child);
      child.once("exit", () => children.delete(child));
      return watchLife(child);
    },
    dispose: async () => {
      const gone = [...children].map((child) => once(child, "exit"));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(gone);
      handle.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
