import { readTlsPlan, type TlsPlan } from "../connection/postgres-tls.ts";
import { type DatabaseHost, type DatabasePlace, DatabaseProblem } from "./database-problem.ts";

/**
 * A database's address, read like libpq does: where the database is, which user connects, and how
 * to encrypt.
 */
export type ConnectionOptions = {
  readonly place: DatabasePlace;
  /** If empty, the driver and the programs look it up in the password file, like libpq. */
  readonly password: string;
  /**
   * Settings of each session, in the form of the engine's command line. If undefined, those of
   * PGOPTIONS apply, if any.
   */
  readonly sessionOptions: string | undefined;
  readonly tls: TlsPlan;
};

/**
 * The supported options of an address. All others are refused, so that nobody believes that they
 * apply.
 */
const HONOURED = [
  "host",
  "port",
  "user",
  "password",
  "options",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "target_session_attrs",
];

const LEAVE_OUT = "leave it out";
/** libpq's names for a server that accepts writes. No other server is ever used. */
const PRIMARY = ["read-write", "primary"];
const WRITE_HOSTS =
  "write them as postgres://stile@one,two:5433/stile?target_session_attrs=read-write";
/** Replacements for options that libpq or other drivers accept. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ssl: "write sslmode=verify-full",
    dbname: "write the database's name behind the slash",
    application_name: "leave it out, since it is by that of the service that nodes are found",
    connect_timeout: "leave it out, since nobody waits longer than for any other answer",
    passfile:
      "write the password into the address, and the address into a file: STILE_DATABASE_URL_FILE",
    service: "write out the address",
    sslpassword: "name a key in sslkey that needs no password",
    channel_binding: "leave it out, and write sslmode=verify-full, which looks who answers",
    require_auth: "leave it out, and have pg_hba.conf ask for scram-sha-256",
    ssl_min_protocol_version: "leave it out, since less than TLS 1.2 is never spoken",
    gssencmode: "leave it out, and write sslmode=verify-full, since GSSAPI is not spoken here",
    hostaddr: "write the address as the host",
    load_balance_hosts: "leave it out, since only one host accepts writes",
  }),
);

const EXAMPLE = "postgres://stile:PASSWORD@db.example.org:5432/stile?sslmode=verify-full";

function refuse(reason: string): never {
  throw new DatabaseProblem(
    `STILE_DATABASE_URL ${reason}; it must be an address such as ${EXAMPLE}`,
  );
}

/**
 * Decodes a part of an address. A % that does not begin an encoded byte stays, as in the driver.
 */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    return refuse("has a % that is not written as %25");
  }
}

/** The options by name. */
function readQuery({ searchParams }: URL): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of searchParams) {
    // The name may be part of a password, so it must not be printed.
    if (!/^\w+$/.test(name))
      return refuse("has a ? before something that is no option: write ? of a password as %3F");
    if (!HONOURED.includes(name))
      return refuse(`has ${name}, which is not honoured here: ${INSTEAD.get(name) ?? LEAVE_OUT}`);
    if (query.has(name)) return refuse(`has ${name} twice`);
    if (value === "") return refuse(`has ${name} without a value`);
    query.set(name, value);
  }
  return query;
}

function readPort(text: string): number {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : refuse("has an invalid port");
}

/**
 * The address once for each of its hosts, since no other part may be a list. The user part ends at
 * the last @.
 */
function splitHosts(text: string): readonly string[] {
  const [, before = "", hosts, after] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is.exec(text) ?? [];
  return hosts === undefined ? [text] : hosts.split(",").map((host) => `${before}${host}${after}`);
}

type DatabaseAddress = { readonly url: URL; readonly query: ReadonlyMap<string, string> };

function readAddress(text: string): DatabaseAddress {
  if (!URL.canParse(text))
    return refuse(
      "is no address (@, /, ? and # of a password are written as %40, %2F, %3F and %23)",
    );
  const url = new URL(text);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    return refuse("does not begin with postgres://");
  // Otherwise the middle of a password would count as the host and be printed as an unknown one.
  if (url.pathname.includes("@"))
    return refuse("has an @ behind its host: write @ and / of a password as %40 and %2F");
  if (url.hash !== "") return refuse("has a # in it: write # of a password as %23");
  return { url, query: readQuery(url) };
}

function readHost(
  { url, query }: DatabaseAddress,
  { PGHOST, PGPORT }: NodeJS.ProcessEnv,
): DatabaseHost {
  const hostname = decode(url.hostname).replace(/^\[(.*)\]$/, "$1");
  const host = query.get("host") ?? (hostname || PGHOST || "localhost");
  if (host.includes(",")) return refuse(`names several hosts in one option: ${WRITE_HOSTS}`);
  return { host, port: readPort(query.get("port") ?? (url.port || PGPORT || "5432")) };
}

function checkAttributes(query: ReadonlyMap<string, string>, hosts: number): void {
  const attributes = query.get("target_session_attrs");
  if (attributes !== undefined && !PRIMARY.includes(attributes))
    refuse(
      `has target_session_attrs=${attributes}, and only a server that accepts writes is of use: write read-write`,
    );
  if (hosts > 1 && (attributes === undefined || query.has("host") || query.has("port")))
    refuse(`names several hosts: ${WRITE_HOSTS}`);
}

/**
 * Reads `postgres://user:password@host:port/name?sslmode=...`, with further hosts after commas.
 * Options have libpq's meaning. Missing parts come from libpq's environment variables (PGHOST,
 * PGPORT, PGUSER, PGPASSWORD). Throws DatabaseProblem, which never contains the password.
 */
export function readConnectionOptions(
  text: string,
  environment: NodeJS.ProcessEnv = process.env,
): ConnectionOptions {
  const [first, ...others] = splitHosts(text).map(readAddress);
  if (first === undefined) return refuse("names no host");
  const { url, query } = first;
  const name = decode(url.pathname.slice(1));
  if (name === "") return refuse("names no database");
  checkAttributes(query, 1 + others.length);
  const hosts = [first, ...others].map((address) => readHost(address, environment)) as [
    DatabaseHost,
  ];
  const { PGUSER, USER, PGPASSWORD, PGSSLMODE } = environment;
  return {
    place: {
      hosts,
      name,
      user: query.get("user") ?? (decode(url.username) || PGUSER || USER || "postgres"),
    },
    password: query.get("password") ?? (decode(url.password) || PGPASSWORD || ""),
    sessionOptions: query.get("options"),
    tls: readTlsPlan(query, {
      isSocket: hosts[0].host.startsWith("/"),
      variable: PGSSLMODE,
      refuse,
    }),
  };
}
