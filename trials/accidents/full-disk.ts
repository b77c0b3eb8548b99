import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withFolder } from "./scene.ts";

/** A small separate disk, which can be filled and emptied. */
export type SmallDisk = {
  readonly path: string;
  readonly fill: () => void;
  readonly empty: () => void;
};

const FILLER = "filler";
const BLOCK = Buffer.alloc(64 * 1024);

function fill(path: string): void {
  for (const size of [BLOCK.length, 4096, 1]) {
    try {
      for (;;) appendFileSync(join(path, FILLER), BLOCK.subarray(0, size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}

/** Does the work with a disk of that many megabytes; returns undefined if none can be mounted. */
export async function withSmallDisk<Result>(
  megabytes: number,
  use: (disk: SmallDisk) => Promise<Result>,
): Promise<Result | undefined> {
  if (process.getuid?.() !== 0 || !existsSync("/proc/mounts")) return undefined;
  return await withFolder(async (path) => {
    const mount = spawnSync("mount", [
      "-t",
      "tmpfs",
      "-o",
      `size=${megabytes}m,mode=0700`,
      "stile-accident",
      path,
    ]);
    if (mount.status !== 0) return undefined;
    try {
      return await use({
        path,
        fill: () => fill(path),
        empty: () => rmSync(join(path, FILLER), { force: true }),
      });
    } finally {
      spawnSync("umount", ["-l", path]);
    }
  });
}

/** Why there is no disk. */
export const NO_MOUNT = "a small disk can't be mounted here; it takes root";
