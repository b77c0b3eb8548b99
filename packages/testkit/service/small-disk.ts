import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own, in memory. */
export type SmallDisk = {
  readonly path: string;
  /** Uses up all free space except `leaveBytes`. */
  readonly fill: (leaveBytes?: number) => void;
  readonly free: () => void;
  readonly makeReadOnly: () => void;
  readonly remove: () => void;
};

const FILLER = "filler";
const PAGE_BYTES = 4096;

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

/** Mounts a disk of that many bytes, or returns a sentence that says why it cannot. */
export function mountSmallDisk(bytes: number): SmallDisk | string {
  const path = mkdtempSync(join(tmpdir(), "stile-disk-"));
  const { status, error } = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${bytes},mode=700`,
    "none",
    path,
  ]);
  if (status !== 0) {
    rmSync(path, { recursive: true });
    return `mounting a tmpfs is not permitted here (${error?.message ?? `mount ended with ${status}`})`;
  }
  const filler = join(path, FILLER);
  return {
    path,
    fill: (leaveBytes = 0) => {
      const pages = Buffer.alloc(PAGE_BYTES);
      try {
        for (;;) writeFileSync(filler, pages, { flag: "a" });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
      if (leaveBytes > 0) run("truncate", "-s", `-${leaveBytes}`, filler);
    },
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => run("mount", "-o", "remount,ro", path),
    remove: () => {
      run("umount", path);
      rmSync(path, { recursive: true });
    },
  };
}
