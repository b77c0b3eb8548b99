import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/** Classes of SQLSTATE (the manual's appendix A) that speak of the engine or the network and not of a mistake of ours; ST is ours. */
const ENGINE_CLASSES: ReadonlySet<string> = new Set(["08", "28", "3D", "53", "55", "57", "58", "XX", "ST"]);
/**
 * A deadlock, a conflict, a standby; a right, a schema, a table or a function that somebody took away: the engine undid the statement and
 * says so.
 */
const ENGINE_CODES: ReadonlySet<string> = new Set([
  ...["40001", "40P01", "25006", "25P03"],
  ...["42501", "3F000", "42P01", "42883"],
]);
/** After these the engine is going, or is not there yet. */
const GONE = /^(08|57P|53300|28|3D)/;
/** Of a write in a read-only transaction; and of a standby that is asked for its place in the log, as each batch does. */
const READ_ONLY: ReadonlySet<string> = new Set(["25006", "55000"]);
/** What the rows of a statement did wrong: data that can't be stored, constraints. Nothing of the statement was done. */
const DATA = /^2[23]/;
/** SQLSTATE of a row for which no partition exists. */
const CHECK_VIOLATION = "23514";

/** What the driver threw, as its `cause`: told apart from what the work of a transaction throws by itself. */
export class DriverFault extends Error {
  override readonly name = "DriverFault";
}

type EngineFault = { readonly code: string; readonly constraint?: string; readonly message: string };

/** The fault as PostgreSQL reports it, with its SQLSTATE; undefined if it comes from elsewhere. */
function asEngineFault(error: unknown): EngineFault | undefined {
  const { code, severity } = Object(error) as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === "string" && typeof severity === "string" ? (error as EngineFault) : undefined;
}

function isMistake(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

/** Whether the connection is of no use any more, or whoever is at its other end can't be talked to. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof DriverFault)) return false;
  const fault = asEngineFault(error.cause);
  return fault === undefined ? !isMistake(error.cause) : GONE.test(fault.code);
}

/**
 * Whether the session takes no writes: it is one of a standby, to which an address or a proxy led for a moment, or of a time in which the
 * database was set to be read only. It stays that for as long as it is used, whatever another session would be by now.
 */
export function isReadOnlySession(error: unknown): boolean {
  return error instanceof DriverFault && READ_ONLY.has(asEngineFault(error.cause)?.code ?? "");
}

/** Whether the engine undid the statement for what its rows hold, so that without one of them it would have gone through. */
export function isDataFault(error: unknown): boolean {
  return DATA.test(asEngineFault(error)?.code ?? "");
}

/** Whether the statement was undone since no partition takes one of its rows. */
export function isMissingPartition(error: unknown): boolean {
  const fault = asEngineFault(error);
  return fault?.code === CHECK_VIOLATION && fault.constraint === undefined;
}

/** SQLSTATE of a lock that was not given in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Whether what callers got says that a lock was not given in time: nothing of the statement was done. */
export function isLockMissing(error: unknown): boolean {
  return asEngineFault((Object(error) as { readonly cause?: unknown }).cause)?.code === LOCK_NOT_AVAILABLE;
}

/** The error callers get: StoreUnavailable for whatever lies with the engine, the network or their load, else itself. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof DriverFault)) return error;
  const { cause } = error;
  if (isMistake(cause)) return cause;
  const fault = asEngineFault(cause);
  if (fault === undefined) return new StoreUnavailable("the database does not answer", { cause });
  const isOfEngine = ENGINE_CLASSES.has(fault.code.slice(0, 2)) || ENGINE_CODES.has(fault.code);
  return isOfEngine ? new StoreUnavailable("the database can't be read or written", { cause }) : cause;
}
