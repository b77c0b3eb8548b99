import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { NewerDatabase } from "@stile/stores/sqlite/migrate";
import { WrongMasterKey } from "./cryptography/service-keys.ts";
import { DataDirectoryProblem } from "./data-directory.ts";
import { CountryDatabaseProblem } from "./http/country-database.ts";

/** Faults whose message says to the operator what to do. */
const OPERATOR_FAULTS = [CountryDatabaseProblem, DataDirectoryProblem, WrongMasterKey, NewerDatabase, StoreUnavailable];

/** What to print of a fault at start: the sentence where the operator can mend it, else all there is. */
export function explainFault(fault: unknown): string {
  if (OPERATOR_FAULTS.some((kind) => fault instanceof kind)) return (fault as Error).message;
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
