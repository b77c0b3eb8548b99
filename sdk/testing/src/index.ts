import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_KEYS } from "./keys.ts";

export { TEST_KEYS, type TestKeys } from "./keys.ts";
export { REASON_CODES, type ReasonCode, tokenFor } from "./token-for.ts";

/** A running throw-away service. */
export type Stile = {
  /** Its address, for `stile.js` and for your server. */
  readonly url: string;
  /** The keys that always pass. */
  readonly siteKey: string;
  readonly secretKey: string;
  /** Ends it and removes its data. */
  readonly stop: () => Promise<void>;
};

/** The built service in this package. */
const PROGRAM = join(import.meta.dirname, "..", "service", "packages", "server", "dist", "main.js");
/** The oldest Node that has all that the service uses. */
const LEAST_NODE = [24, 7] as const;
/** How long a service may take to listen, ms: many start at once in a CI. */
const START_MS = 30_000;

/** The address that the service prints. Rejects with its output if it ends or is late. */
async function addressOf(child: ChildProcess): Promise<string> {
  let output = "";
  const listening = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const address = /Stile listens on (http\S+)/.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      });
    const fail = (): void => reject(new Error(`startStile: the service did not start.\n${output}`));
    child.once("exit", fail);
    child.once("error", fail);
    setTimeout(fail, START_MS).unref();
  });
  return await listening;
}

/**
 * Starts the service of this package on a free port of this machine, with its data in a temporary
 * folder. It accepts test keys for pages on localhost and private hosts.
 */
export async function startStile(): Promise<Stile> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]))
    throw new Error(`startStile: needs Node ${LEAST_NODE.join(".")}; this is ${process.version}`);
  const dataDirectory = mkdtempSync(join(tmpdir(), "stile-testing-"));
  // The settings of another service in this environment would count here too.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^stile_/i.test(name)),
  );
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...env, STILE_DATA_DIR: dataDirectory, STILE_PORT: "0", STILE_LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = (): void => {
    child.kill("SIGKILL");
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  process.once("exit", kill);
  const stop = async (): Promise<void> => {
    process.off("exit", kill);
    const gone = child.exitCode === null && child.signalCode === null && once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  try {
    return { url: await addressOf(child), ...TEST_KEYS.pass, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}
