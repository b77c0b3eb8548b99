/** Why the system refuses a file, and what to do, by Node's error code (errno). */
const REASONS: Readonly<Record<string, readonly [reason: string, cure: string]>> = {
  EACCES: [
    "this user has no permission",
    "Give it the right to read and write there, or choose another STILE_DATA_DIR.",
  ],
  EPERM: [
    "this user has no permission",
    "Give it the right to read and write there, or choose another STILE_DATA_DIR.",
  ],
  EROFS: ["it is read-only", "Make it writable, or choose another STILE_DATA_DIR."],
  ENOSPC: ["the disk is full", "Make room and try again."],
  EDQUOT: ["the disk quota is used up", "Make room and try again."],
  EIO: [
    "the disk reports an error",
    "Look into the system's log, and restore a backup on another disk.",
  ],
  EISDIR: ["it is a directory", "Move it away and start again."],
  ENOTDIR: ["a part of the path is not a directory", "Check STILE_DATA_DIR."],
  ENOENT: ["nothing can be made there", "Check STILE_DATA_DIR."],
  ELOOP: ["the links in the path go in a circle", "Check STILE_DATA_DIR."],
  ENAMETOOLONG: ["the path is too long", "Check STILE_DATA_DIR."],
  EMFILE: [
    "too many files are open",
    "Raise this user's limit of open files (ulimit -n) to 1024 or more.",
  ],
  // SQLite does not say which error of the system it met.
  SQLITE_CANTOPEN: [
    "a file of the database can't be opened",
    "Check that this user may read and write there, and has not reached its limit of open files (ulimit -n).",
  ],
  ENFILE: [
    "too many files are open on this machine",
    "Raise the system's limit (sysctl fs.file-max).",
  ],
};

/** The file error that a primary result code of SQLite corresponds to. */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  3: "EACCES",
  8: "EROFS",
  10: "EIO",
  13: "ENOSPC",
  14: "SQLITE_CANTOPEN",
};

/** Why a file or database can't be used, and what to do; undefined for other faults. */
export function explainFile(
  fault: unknown,
): { readonly reason: string; readonly cure: string } | undefined {
  const { errcode, code = "" } = fault as NodeJS.ErrnoException & { readonly errcode?: number };
  const known = REASONS[errcode === undefined ? code : (SQLITE_CODES[errcode & 0xff] ?? "")];
  return known && { reason: known[0], cure: known[1] };
}
