import type { TlsFiles } from "../../tls-files.ts";
import { ValkeyProblem } from "./valkey-problem.ts";

/** Where a Valkey is, and as which user to connect. */
export type ValkeyAddress = {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly files: TlsFiles;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The number of its database. */
  readonly database: number;
};

const ENCRYPTED: Readonly<Record<string, boolean>> = {
  "redis:": false,
  "valkey:": false,
  "rediss:": true,
  "valkeys:": true,
};
const STANDARD_PORT = 6379;

function refuse(reason: string): never {
  throw new ValkeyProblem(
    `STILE_VALKEY_URL ${reason}; it must be an address such as rediss://stile:PASSWORD@hot.example.org:6379/0`,
  );
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text) || undefined;
  } catch {
    return refuse("has a % in its user or password that is not written as %25");
  }
}

const FILE_OPTIONS = ["sslrootcert", "sslcert", "sslkey"] as const;

function readFiles({ searchParams }: URL, isEncrypted: boolean): TlsFiles {
  const unknown = [...searchParams.keys()].find((name) => !FILE_OPTIONS.some((option) => option === name));
  // What is no word may be part of a password, which must not be printed.
  if (unknown !== undefined) {
    return refuse(
      /^\w+$/.test(unknown) ? `has ${unknown}, which this service does not know` : "has a ? that is not written as %3F",
    );
  }
  const files = FILE_OPTIONS.flatMap((option) => searchParams.getAll(option).map((file) => [option, file] as const));
  if (files.length > 0 && !isEncrypted)
    return refuse("names files of TLS, which redis:// does not speak; write rediss://");
  if (files.some(([, file]) => file === "")) return refuse("has an option that names no file");
  if (searchParams.has("sslcert") !== searchParams.has("sslkey")) return refuse("has one of sslcert and sslkey");
  return Object.fromEntries(files);
}

/**
 * Reads `rediss://user:password@host:port/database?sslrootcert=FILE&sslcert=FILE&sslkey=FILE`; throws ValkeyProblem,
 * which never contains the password.
 */
export function readValkeyAddress(text: string): ValkeyAddress {
  if (!URL.canParse(text))
    return refuse("is no address (@, /, ? and # of a password are written as %40, %2F, %3F and %23)");
  const url = new URL(text);
  const isEncrypted = ENCRYPTED[url.protocol];
  if (isEncrypted === undefined) return refuse("does not begin with redis://, rediss://, valkey:// or valkeys://");
  if (url.hostname === "") return refuse("names no host");
  if (url.hash !== "") return refuse("has a # in it: write # of a password as %23");
  if (!/^\/?\d{0,4}$/.test(url.pathname))
    return refuse("names its database by something else than a number (write / of a password as %2F)");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || STANDARD_PORT),
    isEncrypted,
    files: readFiles(url, isEncrypted),
    username: decode(url.username),
    password: decode(url.password),
    database: Number(url.pathname.slice(1) || 0),
  };
}
