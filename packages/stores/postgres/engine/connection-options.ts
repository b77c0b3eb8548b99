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

/** A part of an address as it was meant; a % that begins no byte stands for itself, as the driver takes it. Throws DatabaseProblem. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(encodeLone(part));
  } catch {
    return refuse("has a % in its user, password or name that is not written as %25");
  }
}

const encodeLone = (part: string): string => part.replace(/%(?![0-9a-f]{2})/gi, "%25");

/**
 * Reads `postgres://user:password@host:port/name?sslmode=...`, with sslmode, sslrootcert, sslcert and sslkey meaning what they mean
 * to libpq. Throws DatabaseProblem, which never names the password.
 */
export function readConnectionOptions(text: string): ConnectionOptions {
  if (!URL.canParse(text)) return refuse("is no address");
  const url = new URL(text);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") return refuse("does not begin with postgres://");
  const name = decodePart(url.pathname.slice(1));
  if (name === "") return refuse("names no database");
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) return refuse(`has no sslmode of ${SSL_MODES.join(", ")}`);
  const unknown = UNKNOWN_TO_DRIVER.find((option) => url.searchParams.has(option));
  if (unknown !== undefined) return refuse(`has ${unknown}, which this service does not know`);
  // Else the driver reads `require` and `verify-ca` in ways of its own, which its next version changes.
  if (mode !== null) url.searchParams.set("uselibpqcompat", "true");
  decodePart(url.password);
  // Where one is left as it is, the driver reads those that are written out in another way.
  for (const part of ["username", "password", "pathname"] as const) url[part] = encodeLone(url[part]);
  const socketFolder = url.searchParams.get("host");
  const place = {
    host: socketFolder ?? (url.hostname || "localhost"),
    port: Number(url.port || 5432),
    name,
    user: decodePart(url.username) || "postgres",
  };
  return { place, connectionString: url.href };
}
