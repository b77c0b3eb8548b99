import { randomBytes } from "node:crypto";
import { closeSync, lstatSync, openSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const PRIVATE_FILE = 0o600;
const NAME = /\.[0-9a-f]{12}\.part(?:-journal|-wal|-shm)?$/;
/** What is written to is younger, as long as the disk takes anything at all. */
const ABANDONED_MS = 86_400_000;

/** Whether a killed process of this user left the file, a day ago or longer. */
function isAbandoned(file: string, nowMs: number): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.uid !== process.geteuid?.()) return false;
  return nowMs - found.mtimeMs >= ABANDONED_MS;
}

/** Removes what killed processes left in the folder of such drafts, as far as it may: each may be as large as the database. */
function removeAbandoned(folder: string, nowMs: number): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (NAME.test(name) && isAbandoned(file, nowMs)) rmSync(file, { force: true });
    }
  } catch {
    // A folder that may be written to and not read takes a backup all the same.
  }
}

/** Removes a draft of a database, or what is left of one, with what SQLite made beside it. */
export function removeDraft(draft: string): void {
  for (const suffix of ["", "-journal"]) rmSync(draft + suffix, { force: true });
}

/**
 * Makes an empty file beside `file`, for its owner alone and under a name that nobody can foresee, and answers its path. In a folder
 * that others write to, a file of a foreseen name may be theirs, or a link to somewhere else. Drafts of this user that were abandoned
 * in that folder go.
 */
export function makePrivateDraft(file: string): string {
  removeAbandoned(dirname(file), Date.now());
  const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
  closeSync(openSync(draft, "wx", PRIVATE_FILE));
  return draft;
}
