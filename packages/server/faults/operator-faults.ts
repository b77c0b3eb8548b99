import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { MOVE_UNFINISHED, MOVED_AWAY } from "@stile/stores/move/move-mark";
import { DatabaseProblem } from "@stile/stores/postgres/engine/database-problem";
import { NewerDatabase } from "@stile/stores/sqlite/engine/migrate";
import { UpgradeRefused } from "@stile/stores/sqlite/engine/upgrade-copy";
import { COMMAND_LINE } from "../command-line.ts";
import { ServiceKeysLost } from "../cryptography/service-keys.ts";
import { WrongMasterKey } from "../cryptography/wrapped-key.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { BuildMissing } from "../http/pages/static-file.ts";
import { explainFile } from "./file-reasons.ts";
import { OperatorProblem } from "./operator-problem.ts";

/** Faults whose message tells the operator what to do. */
const OPERATOR_FAULTS = [
  DataDirectoryProblem,
  DatabaseProblem,
  OperatorProblem,
  WrongMasterKey,
  ServiceKeysLost,
  NewerDatabase,
  UpgradeRefused,
  BuildMissing,
];

/**
 * Result codes of SQLite that are not file errors: another process holds the database; it is
 * damaged or not a database.
 */
const [BUSY, LOCKED, CORRUPT, NO_DATABASE] = [5, 6, 11, 26];

function explainSqlite(errcode: number, path: string): string | undefined {
  const code = errcode & 0xff;
  if (code === BUSY || code === LOCKED)
    return `Another process holds a database of the data directory ${path}. Stop it and start again.`;
  if (code === CORRUPT || code === NO_DATABASE)
    return `A database of the data directory ${path} is damaged or something else. Check STILE_DATA_DIR, or restore a backup: ${COMMAND_LINE} restore FILE`;
  return undefined;
}

/**
 * Where an installation has its data: in PostgreSQL with a `databaseUrl`, else in a file of the
 * data directory.
 */
type InstallationPlace = {
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
};

function explainUnavailable(
  reason: string,
  { dataDirectory, databaseUrl }: InstallationPlace,
): string {
  if (reason === MOVED_AWAY || reason === MOVE_UNFINISHED)
    return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return databaseUrl === undefined
    ? `The database in ${dataDirectory} can't be used (${reason}). Check that nothing else holds it.`
    : `The database of STILE_DATABASE_URL can't be used (${reason}). Check it with: ${COMMAND_LINE} doctor`;
}

type FileFault = {
  readonly code: string | undefined;
  readonly errcode?: number;
  readonly path: string | undefined;
};

/**
 * A file error with its code and path. If the fault comes from a thread, both are only in the
 * message.
 */
function toFileFault(fault: unknown): FileFault {
  const { code, errcode, path, message = "" } = fault as FileFault & { readonly message?: string };
  if (path !== undefined || errcode !== undefined) return fault as FileFault;
  const [, namedCode, namedPath] = /^(E[A-Z]+): .* '(.+)'$/.exec(message) ?? [];
  const [tooMany] = /\bE[MN]FILE\b/.exec(message) ?? [];
  return { code: namedCode ?? tooMany ?? code, path: namedPath };
}

/** Whether a stop has nothing left to write, because the installation was moved elsewhere. */
export const isMovedAway = (fault: unknown): boolean =>
  fault instanceof StoreUnavailable && fault.message === MOVED_AWAY;

/**
 * The text to print for a fault of a start, a command or a stop: a sentence if the operator can fix
 * it, else everything.
 */
export function explainFault(fault: unknown, place: InstallationPlace): string {
  const { dataDirectory } = place;
  if (OPERATOR_FAULTS.some((kind) => fault instanceof kind)) return (fault as Error).message;
  const origin = fault instanceof StoreUnavailable ? (fault.cause ?? fault) : fault;
  const fileFault = toFileFault(origin);
  const { errcode, code, path } = fileFault;
  const ofSqlite = errcode === undefined ? undefined : explainSqlite(errcode, dataDirectory);
  if (ofSqlite !== undefined) return ofSqlite;
  const explained = explainFile(fileFault);
  if (
    explained !== undefined &&
    path?.startsWith(join(tmpdir(), "stile-")) &&
    !path.startsWith(dataDirectory)
  )
    return `${path} can't be used (${explained.reason}). Fix that, or set TMPDIR to another folder.`;
  const isOfFile =
    path !== undefined || errcode !== undefined || code === "EMFILE" || code === "ENFILE";
  if (explained !== undefined && isOfFile)
    return `${path ?? `The data directory ${dataDirectory}`} can't be used (${explained.reason}). ${explained.cure}`;
  if (explained !== undefined && (code === "ENOSPC" || code === "EDQUOT"))
    return `A file can't be written (${explained.reason}). Make room where ${dataDirectory} is, and in ${tmpdir()} (TMPDIR), and try again.`;
  if (fault instanceof StoreUnavailable) return explainUnavailable(fault.message, place);
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
