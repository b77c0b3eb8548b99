import { randomBytes } from "node:crypto";
import { closeSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const PRIVATE_FILE = 0o600;
const NAME = /\.[0-9a-f]{12}\.part(?:-journal|-wal|-shm)?$/;
/**
 * A draft that is still being written is younger than this (ms), as long as the disk accepts
 * writes.
 */
const ABANDONED_MS = 86_400_000;

/** Whether a killed process of this user left the file at least a day ago. */
function isAbandoned(file: string, nowMs: number): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.uid !== process.geteuid?.()) return false;
  return nowMs - found.mtimeMs >= ABANDONED_MS;
}

/**
 * Removes drafts that killed processes left in the folder, where permissions allow. Each may be as
 * large as the database.
 */
function removeAbandoned(folder: string, nowMs: number): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (NAME.test(name) && isAbandoned(file, nowMs)) rmSync(file, { force: true });
    }
  } catch {
    // A folder that can be written but not read can still take a backup.
  }
}

/** Removes a draft of a database, or what is left of it, and SQLite's journal next to it. */
export function removeDraft(draft: string): void {
  for (const suffix of ["", "-journal"]) rmSync(draft + suffix, { force: true });
}

/**
 * Creates an empty file next to `file` and returns its path. Only the owner can read it. Its name
 * is unpredictable, because in a shared folder others could create a file or link under a
 * predictable name. Also removes abandoned drafts of this user in that folder.
 */
export function makePrivateDraft(file: string): string {
  removeAbandoned(dirname(file), Date.now());
  const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
  closeSync(openSync(draft, "wx", PRIVATE_FILE));
  return draft;
}

/** Whether the name is taken, even by a link that leads nowhere. */
export function isTaken(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Renames the draft to `file`. Returns false if something took that name meanwhile. */
export function keepDraft(draft: string, file: string): boolean {
  if (isTaken(file)) return false;
  renameSync(draft, file);
  return true;
}
