import { ValkeyProblem } from "./valkey-problem.ts";

/** Where a Valkey is, and as whom it is talked to. */
export type ValkeyAddress = {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Number of the database in it. */
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

/** Reads `rediss://user:password@host:port/database`; throws ValkeyProblem, which never names the password. */
export function readValkeyAddress(text: string): ValkeyAddress {
  if (!URL.canParse(text)) return refuse("is no address");
  const url = new URL(text);
  const isEncrypted = ENCRYPTED[url.protocol];
  if (isEncrypted === undefined) return refuse("does not begin with redis://, rediss://, valkey:// or valkeys://");
  if (url.hostname === "") return refuse("names no host");
  if (url.search !== "" || url.hash !== "") return refuse("has something behind the database's number");
  if (!/^\/?\d{0,4}$/.test(url.pathname)) return refuse("names its database by something else than a number");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || STANDARD_PORT),
    isEncrypted,
    username: decode(url.username),
    password: decode(url.password),
    database: Number(url.pathname.slice(1) || 0),
  };
}
