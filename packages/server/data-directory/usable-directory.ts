import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { explainFile } from "../faults/file-reasons.ts";
import { DataDirectoryProblem } from "./data-directory-problem.ts";

const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
/**
 * The bytes that a first start writes, and a little more. With less room, the service could not run
 * for long.
 */
const ROOM_BYTES = 1_048_576;

/** Creates the directory and its parents. Node's own recursion never ends below /proc. */
function make(path: string): void {
  const makeOne = (): void => {
    try {
      mkdirSync(path, { mode: PRIVATE_DIRECTORY });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  };
  try {
    makeOne();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    make(dirname(path));
    makeOne();
  }
}

/**
 * Creates the directory (0700) if it does not exist. Throws DataDirectoryProblem if that fails or
 * the path is something else.
 */
export function makeDirectory(path: string): void {
  try {
    make(path);
  } catch (cause) {
    const reason = explainFile(cause)?.reason ?? (cause as Error).message;
    const message = `The data directory ${path} can't be made (${reason}). Check STILE_DATA_DIR and its permissions.`;
    throw new DataDirectoryProblem(message, { cause });
  }
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const kind = found === undefined ? "a link that leads nowhere" : "no directory";
  throw new DataDirectoryProblem(`The data directory ${path} is ${kind}. Check STILE_DATA_DIR.`);
}

/** Throws DataDirectoryProblem if something other than a file has this name. Changes nothing. */
export function checkFile(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const target = found.isSymbolicLink() ? statSync(file, { throwIfNoEntry: false }) : found;
  if (target?.isFile()) return;
  const kind =
    target === undefined
      ? "a link that leads nowhere"
      : target.isDirectory()
        ? "a directory"
        : "no file";
  throw new DataDirectoryProblem(
    `${file} is ${kind}, but Stile keeps a file there. Move it away, and restore the file if you have a backup of it.`,
  );
}

/**
 * Checks that the directory has room for a start's files, and leaves nothing. Throws
 * DataDirectoryProblem if not.
 */
export function checkRoom(path: string): void {
  const probe = join(path, `.room-${randomBytes(6).toString("hex")}`);
  try {
    writeFileSync(probe, Buffer.alloc(ROOM_BYTES), { mode: PRIVATE_FILE, flag: "wx" });
  } catch (cause) {
    const { reason, cure } = explainFile(cause) ?? {
      reason: (cause as Error).message,
      cure: "Check STILE_DATA_DIR.",
    };
    throw new DataDirectoryProblem(
      `The data directory ${path} can't be written to (${reason}). ${cure}`,
      { cause },
    );
  } finally {
    // If the probe was not made, there is nothing to remove, and a read-only file system would
    // refuse even that.
    if (statSync(probe, { throwIfNoEntry: false }) !== undefined) rmSync(probe);
  }
}
