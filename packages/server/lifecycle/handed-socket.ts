import { fstatSync } from "node:fs";

/** The first descriptor from a service manager, sd_listen_fds(3). */
const FIRST_DESCRIPTOR = 3;

/** Settings that a socket from systemd makes useless, because it already has an address. */
const ADDRESS_SETTINGS = ["STILE_HOST", "STILE_PORT"];

/**
 * Whether a service manager passed a socket to this process: its descriptor, or the problem and
 * what to do.
 */
export type HandedSocket =
  | { readonly kind: "none" }
  | { readonly kind: "socket"; readonly descriptor: number }
  | { readonly kind: "problem"; readonly problem: string };

type Process = { readonly pid: number; readonly ppid: number };

/**
 * Reads LISTEN_PID and LISTEN_FDS as sd_listen_fds(3) does. If they name another process, this one
 * ignores them.
 */
export function findHandedSocket(
  environment: NodeJS.ProcessEnv,
  { pid, ppid }: Process,
): HandedSocket {
  const { LISTEN_PID: addressee, LISTEN_FDS: count = "0" } = environment;
  if (count === "0") return { kind: "none" };
  if (addressee === String(ppid)) {
    const problem =
      "systemd passed its socket to the process that started this one, and npm does not pass it on. Let the unit start node directly, as docs/operations/restarts.md shows.";
    return { kind: "problem", problem };
  }
  if (addressee !== String(pid)) return { kind: "none" };
  if (count !== "1") {
    const problem = `systemd passed ${count} sockets (LISTEN_FDS), and the service takes one. Keep a single ListenStream= in its socket unit.`;
    return { kind: "problem", problem };
  }
  return { kind: "socket", descriptor: FIRST_DESCRIPTOR };
}

/** The settings that have no effect because systemd passed a socket. */
export function listUnusedSettings(environment: NodeJS.ProcessEnv): string[] {
  return ADDRESS_SETTINGS.filter((name) => environment[name] ?? environment[`${name}_FILE`]);
}

/** Throws the same errors as listening, unless the descriptor is a socket. */
export function assertSocket(descriptor: number): void {
  let code = "ENOTSOCK";
  try {
    if (fstatSync(descriptor).isSocket()) return;
  } catch (error) {
    code = (error as NodeJS.ErrnoException).code ?? code;
  }
  throw Object.assign(new Error(`descriptor ${descriptor}: ${code}`), { code, syscall: "listen" });
}
