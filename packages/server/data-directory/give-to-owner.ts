import { closeSync, fchownSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const PRIVATE_FILE = 0o600;

/**
 * Gives a file of the data directory, held open, to that directory's owner, if root made it: the service runs as that user, and could
 * else not read what a command of root's wrote. By its handle, since whoever owns the directory may put a link in the place of its name.
 */
export function giveToOwner(handle: number, directory: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  try {
    fchownSync(handle, uid, gid);
  } catch {
    // Disks without owners, and those of other machines, may not take it; the file is then as any other of root's there.
  }
}

/** Makes an empty file that SQLite is to fill, for that owner alone; leaves what is there as it is. */
export function makeForOwner(file: string): void {
  let handle: number;
  try {
    handle = openSync(file, "wx", PRIVATE_FILE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  giveToOwner(handle, dirname(file));
  closeSync(handle);
}
