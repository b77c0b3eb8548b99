import { spawn } from "node:child_process";
import { once } from "node:events";
import { STRACE } from "./programs.ts";

/** A fault that lasts until it is lifted. */
export type Fault = { readonly lift: () => Promise<void> };

/** System calls by which SQLite writes; those that logs and sockets use are not included. */
export const WRITES = "pwrite64,fsync,fdatasync,ftruncate";
/** System calls that wait for the disk. */
export const SYNCS = "fsync,fdatasync";

/**
 * Injects a fault into system calls of a running process and all its threads, in strace(1)'s syntax
 * after `inject=calls:`. Without a fault strace only traces them, which costs the same time.
 * Rejects if processes may not be traced.
 */
export async function injectFault(
  pid: number,
  calls: string,
  fault: string | undefined,
): Promise<Fault> {
  const inject = fault === undefined ? [] : ["-e", `inject=${calls}:${fault}`];
  const args = ["-f", "-p", String(pid), "-e", `trace=${calls}`, ...inject, "-o", "/dev/null"];
  const child = spawn(STRACE.file, args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  while (!told.includes("attached")) {
    const event = await Promise.race([once(child.stderr, "data"), ended.then(() => undefined)]);
    if (event === undefined) throw new Error(`strace can't watch the service: ${told.trim()}`);
  }
  return {
    lift: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
