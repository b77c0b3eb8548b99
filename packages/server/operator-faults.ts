import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { NewerDatabase } from "@stile/stores/sqlite/migrate";
import { WrongMasterKey } from "./cryptography/service-keys.ts";
import { DataDirectoryProblem } from "./data-directory.ts";
import { CountryDatabaseProblem } from "./http/country-database.ts";

/** Faults whose message says to the operator what to do. */
const OPERATOR_FAULTS = [CountryDatabaseProblem, DataDirectoryProblem, WrongMasterKey, NewerDatabase];

const CANT_WRITE =
  "The data directory can't be read or written. Check STILE_DATA_DIR, its permissions, that the disk has room, and that nothing else holds the database.";
const NO_DATABASE =
  "A file of the data directory that should be a database is damaged or something else. Check STILE_DATA_DIR, or restore the directory from your backup.";

/** What SQLite's primary result codes mean for an operator. */
const SQLITE_FAULTS: Readonly<Record<number, string>> = {
  3: CANT_WRITE,
  5: CANT_WRITE,
  8: CANT_WRITE,
  10: CANT_WRITE,
  11: NO_DATABASE,
  13: CANT_WRITE,
  14: CANT_WRITE,
  26: NO_DATABASE,
};

const FILE_FAULTS = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EISDIR", "ENOTDIR"];

/** What to print of a fault at start: the sentence where the operator can mend it, else all there is. */
export function explainFault(fault: unknown): string {
  if (OPERATOR_FAULTS.some((kind) => fault instanceof kind)) return (fault as Error).message;
  if (fault instanceof StoreUnavailable) return CANT_WRITE;
  const { errcode, code, path } = fault as NodeJS.ErrnoException & { readonly errcode?: number };
  const ofSqlite = errcode === undefined ? undefined : SQLITE_FAULTS[errcode & 0xff];
  if (ofSqlite !== undefined) return ofSqlite;
  if (path !== undefined && FILE_FAULTS.includes(code ?? "")) {
    return `${path} can't be used (${code}). Check the path, its permissions, and that the disk has room.`;
  }
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
