import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Free bytes from which on tests keep their files in memory: a whole run has up to 0.6 GB at a time. */
const ROOM_BYTES = 4 * 2 ** 30;
const NAME = /^stile-tests-(\d+)-/;

/** Whether programs in that folder can be started, by the options it was mounted with: containers have `noexec` there. */
function mayExecute(folder: string): boolean {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const options = mounts.map((line) => line.split(" ")).findLast(([, place]) => place === folder)?.[3];
  return options !== undefined && !options.split(",").includes("noexec");
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Removes what runs left that were killed: it would take memory until the machine is restarted. */
function removeAbandoned(memory: string): void {
  for (const name of readdirSync(memory)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (!(pid > 0) || isRunning(pid)) continue;
    try {
      rmSync(join(memory, name), { recursive: true, force: true });
    } catch {
      // Somebody else's, who will remove it.
    }
  }
}

/**
 * A folder in memory for the temporary files of all tests, for whoever runs them; undefined where there is not enough room or none. On a disk,
 * tests that write wait for it: with an fsync per commit some take twice as long, though none of them loses power.
 */
export function makeTestFolder(memory = "/dev/shm"): string | undefined {
  if (process.platform !== "linux" || !existsSync(memory) || !mayExecute(memory)) return undefined;
  removeAbandoned(memory);
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < ROOM_BYTES) return undefined;
  const folder = mkdtempSync(join(memory, `stile-tests-${process.pid}-`));
  // As the usual folder is: engines of databases run as another user.
  chmodSync(folder, 0o1777);
  return folder;
}
