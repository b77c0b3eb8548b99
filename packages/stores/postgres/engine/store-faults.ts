import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/**
 * SQLSTATE classes (the manual's appendix A) of faults of the engine or the network, as opposed to
 * our mistakes. ST is our own.
 */
const ENGINE_CLASSES: ReadonlySet<string> = new Set([
  "08",
  "28",
  "3D",
  "53",
  "55",
  "57",
  "58",
  "XX",
  "ST",
]);
/**
 * The engine undid the statement and says so. Causes: a deadlock, a conflict, a standby, or a
 * transaction that lasted longer than the operator allows; a right, schema, table, key or function
 * that somebody removed; or a session that a pooler lent to others.
 */
const ENGINE_CODES: ReadonlySet<string> = new Set([
  "40001",
  "40P01",
  "25006",
  "25P03",
  "25P04",
  "42501",
  "3F000",
  "42P01",
  "42P10",
  "42883",
  "26000",
  "42P05",
]);
/** After these, the engine is stopping, is not ready yet, or has ended the session. */
const GONE = /^(08|57P|53300|28|3D|25P0[34])/;
/**
 * Codes for sessions of no use: a write in a read-only transaction, a standby that was asked for
 * its place in the log (as each batch does), or a statement that another session prepared, or that
 * none did.
 */
const UNFIT: ReadonlySet<string> = new Set(["25006", "55000", "26000", "42P05"]);
/**
 * A fault of the statement's data: it cannot be stored, or violates a constraint. Nothing was done.
 */
const DATA = /^2[23]/;
/** SQLSTATE of a row for which no partition exists. */
const CHECK_VIOLATION = "23514";

/**
 * Wraps the driver's error as its `cause`, to distinguish it from what the work of a transaction
 * itself throws.
 */
export class DriverFault extends Error {
  override readonly name = "DriverFault";
}

type EngineFault = {
  readonly code: string;
  readonly constraint?: string;
  readonly message: string;
};

/**
 * The fault as PostgreSQL reports it, with its SQLSTATE; undefined if something else reported it.
 */
function asEngineFault(error: unknown): EngineFault | undefined {
  const { code, severity } = Object(error) as {
    readonly code?: unknown;
    readonly severity?: unknown;
  };
  return typeof code === "string" && typeof severity === "string"
    ? (error as EngineFault)
    : undefined;
}

function isMistake(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

/** Whether the connection is unusable, or the engine at its other end is unavailable. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof DriverFault)) return false;
  const fault = asEngineFault(error.cause);
  return fault === undefined ? !isMistake(error.cause) : GONE.test(fault.code);
}

/**
 * Whether the session is unusable although its connection works. It may be a session of a standby,
 * to which an address or a proxy led for a moment. It may have begun while the database was read
 * only, or be another session than before. It stays so for its whole life, whatever a new session
 * would be.
 */
export function isUnfitSession(error: unknown): boolean {
  return error instanceof DriverFault && UNFIT.has(asEngineFault(error.cause)?.code ?? "");
}

/**
 * Whether the engine undid the statement because of the data in one row. Without that row, it would
 * succeed.
 */
export function isDataFault(error: unknown): boolean {
  return DATA.test(asEngineFault(error)?.code ?? "");
}

/** Whether the statement was undone because no partition accepts one of its rows. */
export function isMissingPartition(error: unknown): boolean {
  const fault = asEngineFault(error);
  return fault?.code === CHECK_VIOLATION && fault.constraint === undefined;
}

/** SQLSTATE of a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Whether a caller's error means that a lock was not granted in time. Nothing of the statement was
 * done.
 */
export function isLockMissing(error: unknown): boolean {
  return (
    asEngineFault((Object(error) as { readonly cause?: unknown }).cause)?.code ===
    LOCK_NOT_AVAILABLE
  );
}

/**
 * The error for callers: StoreUnavailable for faults of the engine, the network or their load;
 * otherwise the error itself.
 */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof DriverFault)) return error;
  const { cause } = error;
  if (isMistake(cause)) return cause;
  const fault = asEngineFault(cause);
  if (fault === undefined) return new StoreUnavailable("the database does not answer", { cause });
  const isOfEngine = ENGINE_CLASSES.has(fault.code.slice(0, 2)) || ENGINE_CODES.has(fault.code);
  return isOfEngine
    ? new StoreUnavailable("the database can't be read or written", { cause })
    : cause;
}
