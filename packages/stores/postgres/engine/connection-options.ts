import { type DatabasePlace, DatabaseProblem } from "./database-problem.ts";

/** What a database's address says: where it is, and the options of the driver. */
export type ConnectionOptions = { readonly place: DatabasePlace; readonly connectionString: string };

/** What libpq takes for its own and the driver does not, so that nobody believes it in force. */
const UNKNOWN_TO_DRIVER = ["sslcrl", "sslcrldir", "sslpassword", "channel_binding", "target_session_attrs", "hostaddr"];
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];
const EXAMPLE = "postgres://stile:PASSWORD@db.example.org:5432/stile?sslmode=verify-full";

function refuse(reason: string): never {
  throw new DatabaseProblem(`STILE_DATABASE_URL ${reason}; it must be an address such as ${EXAMPLE}`);
}

/**
 * Reads `postgres://user:password@host:port/name?sslmode=...`, with sslmode, sslrootcert, sslcert and sslkey meaning what they mean
 * to libpq. Throws DatabaseProblem, which never names the password.
 */
export function readConnectionOptions(text: string): ConnectionOptions {
  if (!URL.canParse(text)) return refuse("is no address");
  const url = new URL(text);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") return refuse("does not begin with postgres://");
  const name = decodeURIComponent(url.pathname.slice(1));
  if (name === "") return refuse("names no database");
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) return refuse(`has no sslmode of ${SSL_MODES.join(", ")}`);
  const unknown = UNKNOWN_TO_DRIVER.find((option) => url.searchParams.has(option));
  if (unknown !== undefined) return refuse(`has ${unknown}, which this service does not know`);
  // Else the driver reads `require` and `verify-ca` in ways of its own, which its next version changes.
  if (mode !== null) url.searchParams.set("uselibpqcompat", "true");
  const socketFolder = url.searchParams.get("host");
  const place = {
    host: socketFolder ?? (url.hostname || "localhost"),
    port: Number(url.port || 5432),
    name,
    user: decodeURIComponent(url.username) || "postgres",
  };
  return { place, connectionString: url.href };
}
