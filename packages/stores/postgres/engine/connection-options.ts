import { readTlsPlan, type TlsPlan } from "../connection/postgres-tls.ts";
import { type DatabasePlace, DatabaseProblem } from "./database-problem.ts";

/** What a database's address says, read as libpq does: where it is, as which user to connect, and how to encrypt. */
export type ConnectionOptions = {
  readonly place: DatabasePlace;
  /** If empty, driver and programs look it up in the password file, as libpq does. */
  readonly password: string;
  /** Settings of each session, in the form of the engine's command line; if undefined, those of PGOPTIONS, if any. */
  readonly sessionOptions: string | undefined;
  readonly tls: TlsPlan;
};

/** The options of an address that are honoured; all others are refused, so that nobody believes them to be in force. */
const HONOURED = ["host", "port", "user", "password", "options", "sslmode", "sslrootcert", "sslcert", "sslkey"];

const LEAVE_OUT = "leave it out";
const NAME_PRIMARY = "name the primary as the host, or a name that follows it";
/** What to write instead of options that libpq or other drivers accept. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ssl: "write sslmode=verify-full",
    dbname: "write the database's name behind the slash",
    application_name: "leave it out, since it is by that of the service that nodes are found",
    connect_timeout: "leave it out, since nobody waits longer than for any other answer",
    passfile: "write the password into the address, and the address into a file: STILE_DATABASE_URL_FILE",
    service: "write out the address",
    sslpassword: "name a key in sslkey that needs no password",
    channel_binding: "leave it out, and write sslmode=verify-full, which looks who answers",
    require_auth: "leave it out, and have pg_hba.conf ask for scram-sha-256",
    ssl_min_protocol_version: "leave it out, since less than TLS 1.2 is never spoken",
    gssencmode: "leave it out, and write sslmode=verify-full, since GSSAPI is not spoken here",
    hostaddr: "write the address as the host",
    target_session_attrs: NAME_PRIMARY,
    load_balance_hosts: NAME_PRIMARY,
  }),
);

const EXAMPLE = "postgres://stile:PASSWORD@db.example.org:5432/stile?sslmode=verify-full";

function refuse(reason: string): never {
  throw new DatabaseProblem(`STILE_DATABASE_URL ${reason}; it must be an address such as ${EXAMPLE}`);
}

/** Decodes a part of an address; a % that begins no byte stands for itself, as it does for the driver. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    return refuse("has a % that is not written as %25");
  }
}

/** The options by their names. */
function readQuery({ searchParams }: URL): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of searchParams) {
    // Part of a password, which must not be printed.
    if (!/^\w+$/.test(name)) return refuse("has a ? before something that is no option: write ? of a password as %3F");
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
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : refuse("has a port that is none");
}

/**
 * Reads `postgres://user:password@host:port/name?sslmode=...`. Options mean what they mean to libpq; what is missing is
 * taken from the same environment variables (PGHOST, PGPORT, PGUSER, PGPASSWORD). Throws DatabaseProblem, which never
 * contains the password.
 */
export function readConnectionOptions(text: string, environment: NodeJS.ProcessEnv = process.env): ConnectionOptions {
  if (!URL.canParse(text))
    return refuse("is no address (@, /, ? and # of a password are written as %40, %2F, %3F and %23)");
  const url = new URL(text);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") return refuse("does not begin with postgres://");
  // Otherwise the middle of a password would be taken for the host, and printed as an unknown one.
  if (url.pathname.includes("@")) return refuse("has an @ behind its host: write @ and / of a password as %40 and %2F");
  if (url.hash !== "") return refuse("has a # in it: write # of a password as %23");
  const name = decode(url.pathname.slice(1));
  if (name === "") return refuse("names no database");
  const query = readQuery(url);
  const hostname = decode(url.hostname).replace(/^\[(.*)\]$/, "$1");
  const { PGHOST, PGPORT, PGUSER, USER, PGPASSWORD } = environment;
  const host = query.get("host") ?? (hostname || PGHOST || "localhost");
  if (host.includes(",")) return refuse(`names several hosts: ${NAME_PRIMARY}`);
  return {
    place: {
      host,
      port: readPort(query.get("port") ?? (url.port || PGPORT || "5432")),
      name,
      user: query.get("user") ?? (decode(url.username) || PGUSER || USER || "postgres"),
    },
    password: query.get("password") ?? (decode(url.password) || PGPASSWORD || ""),
    sessionOptions: query.get("options"),
    tls: readTlsPlan(query, { isSocket: host.startsWith("/"), variable: environment.PGSSLMODE, refuse }),
  };
}
