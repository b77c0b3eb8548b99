import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../free-port.ts";
import { SERVICE_PROGRAM } from "./programs.ts";

/** A running service in a process of its own, with a throw-away data directory. */
export type RunningService = {
  readonly baseUrl: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** Keys of the demo site; empty on a node that did not create it. */
  readonly siteKey: string;
  readonly secretKey: string;
  /** Process id of the running service. */
  pid(): number;
  /** Its output on standard error (its log) so far. */
  log(): string;
  /** Kills the process, like a crash, and waits until it is gone. */
  kill(): Promise<void>;
  /**
   * Starts it again on the same port and data directory; if a command is given, as that program
   * until the next start.
   */
  restart(command?: readonly string[]): Promise<void>;
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends it if it runs and removes its data directory, unless STILE_DATA_DIR named one. */
  dispose(): Promise<void>;
};

async function waitUntilListening(child: ChildProcess, log: () => string): Promise<void> {
  let printed = "";
  child.stdout?.setEncoding("utf8");
  for (;;) {
    const [event] = (await Promise.race([
      once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data"),
      once(child, "exit").then(() => [undefined]),
    ])) as [string | undefined];
    if (event === undefined) throw new Error(`the service ended before it listened:\n${log()}`);
    printed += event;
    if (printed.includes("Stile listens on")) return;
  }
}

/**
 * Starts the service as a newcomer would get it, on a free port; `environment` adds settings (D17,
 * settings). `command` names another program that takes the same settings and prints the same line.
 */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
  command: readonly string[] = [SERVICE_PROGRAM],
): Promise<RunningService> {
  const port = await findFreePort();
  const given = environment.STILE_DATA_DIR;
  const dataDirectory = given ?? mkdtempSync(join(tmpdir(), "stile-e2e-"));
  let log = "";
  let child: ChildProcess;

  const start = async (program = command): Promise<void> => {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("STILE_"));
    child = spawn(process.execPath, program, {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...Object.fromEntries(inherited),
        STILE_DATA_DIR: dataDirectory,
        STILE_PORT: String(port),
        ...environment,
      },
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    await waitUntilListening(child, () => log);
  };

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, "exit");
    child.kill(signal);
    const [code] = (await gone) as [number | null];
    return code;
  };

  await start();
  const keysFile = join(dataDirectory, "demo.json");
  const keys = (existsSync(keysFile) ? JSON.parse(readFileSync(keysFile, "utf8")) : {}) as Record<
    string,
    string
  >;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    dataDirectory,
    siteKey: keys.site_key ?? "",
    secretKey: keys.secret_key ?? "",
    pid: () => child.pid ?? 0,
    log: () => log,
    kill: async () => void (await end("SIGKILL")),
    restart: start,
    stop: () => end("SIGTERM"),
    dispose: async () => {
      await end("SIGKILL");
      if (given === undefined) rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
