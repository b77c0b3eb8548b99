import { closeSync, fchownSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const PRIVATE_FILE = 0o600;

/**
 * Gives an open file of the data directory to the directory's owner if root made it. The service
 * runs as that user, and could not read a file of root's. It uses the handle, because the owner of
 * the directory may have replaced the name by a link.
 */
export function giveToOwner(handle: number, directory: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  try {
    fchownSync(handle, uid, gid);
  } catch {
    // Disks without owners, or of other machines, may refuse this. The file then stays root's, like
    // any other there.
  }
}

/**
 * Makes an empty file for SQLite, readable by that owner only. An existing file is left unchanged.
 */
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
