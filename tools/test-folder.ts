import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { join } from "node:path";

/**
 * With at least this many bytes free, tests keep their files in memory: a whole run has up to 0.6
 * GB at a time.
 */
const ROOM_BYTES = 4 * 2 ** 30;
const NAME = /^stile-tests-(\d+)-/;

/**
 * Whether programs in that folder can be executed, by its mount options: containers have `noexec`
 * there.
 */
function mayExecute(folder: string): boolean {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const options = mounts
    .map((line) => line.split(" "))
    .findLast(([, place]) => place === folder)?.[3];
  return options !== undefined && !options.split(",").includes("noexec");
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Removes what killed runs left: it would use memory until the machine is restarted. */
function removeAbandoned(memory: string): void {
  for (const name of readdirSync(memory)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (!(pid > 0) || isRunning(pid)) continue;
    try {
      rmSync(join(memory, name), { recursive: true, force: true });
    } catch {
      // Another user's, who will remove it.
    }
  }
}

/**
 * A folder in memory for the temporary files of all tests, whoever runs them; undefined if there is
 * none or too little room. On a disk, tests that write wait for it: with an fsync per commit some
 * take twice as long, though none of them is about loss of power.
 */
export function makeTestFolder(memory = "/dev/shm"): string | undefined {
  if (process.platform !== "linux" || !existsSync(memory) || !mayExecute(memory)) return undefined;
  removeAbandoned(memory);
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < ROOM_BYTES) return undefined;
  const folder = mkdtempSync(join(memory, `stile-tests-${process.pid}-`));
  // Like the usual temporary folder: database engines run as another user.
  chmodSync(folder, 0o1777);
  return folder;
}
