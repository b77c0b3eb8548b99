import { DatabaseProblem } from "../engine/database-problem.ts";
import { readTlsFiles, type TlsContent, type TlsFiles } from "./tls-files.ts";

/**
 * How a connection is encrypted, with libpq's names, and its files. `sslrootcert` may be `system`.
 */
export type TlsPlan =
  | { readonly mode: "disable" }
  | { readonly mode: "require" | "verify-ca" | "verify-full"; readonly files: TlsFiles };

/**
 * The authorities that prove the engine's identity: none, those in a file, or those of the system
 * or Node.
 */
export type TlsRoots = "nobody" | "system" | "node" | { readonly file: string };

/** The TLS options, in the driver's form. */
export type TlsOptions = Omit<TlsContent, "ca"> & {
  /** Always set, because an environment variable could change the default for the whole process. */
  readonly rejectUnauthorized: boolean;
  readonly ca?: string | readonly string[];
  readonly checkServerIdentity?: () => undefined;
};

const FILE_OPTIONS = ["sslrootcert", "sslcert", "sslkey"] as const;
/** libpq's name for the authorities that the system trusts. */
const SYSTEM = "system";
const WRITE_MODE =
  "write sslmode=verify-full; or require, which looks at nobody; or disable, which encrypts nothing";

/**
 * Whether the engine is at a socket, the value of PGSSLMODE, and a function that throws with a
 * reason.
 */
type TlsReading = {
  readonly isSocket: boolean;
  readonly variable: string | undefined;
  readonly refuse: (reason: string) => never;
};

/**
 * Reads from an address's options how to encrypt the connection. Refuses options that libpq would
 * silently weaken.
 */
export function readTlsPlan(
  query: ReadonlyMap<string, string>,
  { isSocket, variable, refuse }: TlsReading,
): TlsPlan {
  const mode = query.get("sslmode");
  const [file] = FILE_OPTIONS.filter((option) => query.has(option));
  // Only the address counts. A variable meant for other programs must neither weaken it nor appear
  // to strengthen it.
  if (mode === undefined && variable !== undefined && variable !== "disable" && !isSocket) {
    return refuse(`has no sslmode, and PGSSLMODE is not read: ${WRITE_MODE}`);
  }
  if (mode === undefined && file !== undefined)
    return refuse(`has ${file} without sslmode: ${WRITE_MODE}`);
  if (mode === undefined || mode === "disable") {
    return file === undefined
      ? { mode: "disable" }
      : refuse(`has ${file}, and encrypts nothing: ${WRITE_MODE}`);
  }
  if (mode === "prefer" || mode === "allow") {
    return refuse(
      `has sslmode=${mode}, with which an attacker in between can turn encryption off: ${WRITE_MODE}`,
    );
  }
  if (mode !== "require" && mode !== "verify-ca" && mode !== "verify-full") {
    return refuse(`has no sslmode that there is: ${WRITE_MODE}`);
  }
  if (isSocket) return refuse("names a socket, which speaks no TLS: leave out sslmode");
  const root = query.get("sslrootcert");
  if (root === SYSTEM && mode !== "verify-full") {
    return refuse(
      `has sslrootcert=system with sslmode=${mode}, by which anybody with a certificate would do: write sslmode=verify-full`,
    );
  }
  if (root === undefined && mode === "verify-ca") {
    return refuse(
      "has sslmode=verify-ca without sslrootcert: name the file of the authority, or write sslmode=verify-full",
    );
  }
  if (query.has("sslcert") !== query.has("sslkey"))
    return refuse("has one of sslcert and sslkey: name both");
  return {
    mode,
    files: { sslrootcert: root, sslcert: query.get("sslcert"), sslkey: query.get("sslkey") },
  };
}

/** The authorities that this plan trusts. */
export function rootsOf(plan: TlsPlan): TlsRoots {
  if (plan.mode === "disable") return "nobody";
  const { sslrootcert } = plan.files;
  if (sslrootcert === SYSTEM) return SYSTEM;
  if (sslrootcert !== undefined) return { file: sslrootcert };
  return plan.mode === "require" ? "nobody" : "node";
}

/** The certificates of the authorities that the system or Node trusts, each in PEM. */
export function readKnownRoots(roots: "system" | "node"): readonly string[] {
  // Loaded here because loading takes longer than most of what a start on SQLite needs.
  const { getCACertificates } = process.getBuiltinModule("node:tls");
  const known = getCACertificates(roots === "node" ? "default" : "system");
  if (known.length > 0) return known;
  throw new DatabaseProblem(
    "STILE_DATABASE_URL has sslrootcert=system, and this system trusts no authority (Debian: apt-get install ca-certificates).",
  );
}

/**
 * Reads the files that the address names. Returns false if the connection is not encrypted.
 * `require` with a file of root certificates means `verify-ca`, as in libpq. Throws
 * DatabaseProblem, which names the file.
 */
export function readTlsOptions(plan: TlsPlan): false | TlsOptions {
  if (plan.mode === "disable") return false;
  const roots = rootsOf(plan);
  const { sslrootcert: _, ...own } = plan.files;
  const files = typeof roots === "object" ? { ...own, sslrootcert: roots.file } : own;
  const content = readTlsFiles(files, { name: "STILE_DATABASE_URL", Problem: DatabaseProblem });
  return {
    ...content,
    rejectUnauthorized: roots !== "nobody",
    ...(roots === "system" && { ca: readKnownRoots(roots) }),
    ...(plan.mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
}
