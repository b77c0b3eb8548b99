import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKnownRoots, rootsOf } from "../connection/postgres-tls.ts";
import { type ConnectionOptions, readConnectionOptions } from "../engine/connection-options.ts";
import type { ProgramVariables } from "./postgres-programs.ts";

/**
 * TLS files for libpq. If there is no file, it names one that does not exist, because libpq would
 * otherwise trust those in the user's home.
 */
function toTlsEnvironment({ tls }: ConnectionOptions, folder: string): ProgramVariables {
  const none = join(folder, "none");
  if (tls.mode === "disable") return { PGSSLMODE: "disable" };
  const roots = rootsOf(tls);
  const rootFile =
    typeof roots === "object"
      ? roots.file
      : join(folder, roots === "nobody" ? "none" : "roots.pem");
  // libpq has a certificate store of its own, and reads the system's only since version 16. So we
  // write the authorities that this service trusts to a file.
  if (roots === "system" || roots === "node")
    writeFileSync(rootFile, readKnownRoots(roots).join("\n"));
  const { sslcert = none, sslkey = none } = tls.files;
  return { PGSSLMODE: tls.mode, PGSSLROOTCERT: rootFile, PGSSLCERT: sslcert, PGSSLKEY: sslkey };
}

function toLibpqEnvironment(options: ConnectionOptions, folder: string): ProgramVariables {
  const { place, password, sessionOptions } = options;
  return {
    PGHOST: place.hosts.map(({ host }) => host).join(","),
    PGHOSTADDR: "",
    PGPORT: place.hosts.map(({ port }) => port).join(","),
    PGTARGETSESSIONATTRS: place.hosts.length > 1 ? "read-write" : "any",
    PGUSER: place.user,
    PGDATABASE: place.name,
    ...(password !== "" && { PGPASSWORD: password }),
    ...(sessionOptions !== undefined && { PGOPTIONS: sessionOptions }),
    PGCONNECT_TIMEOUT: "10",
    PGGSSENCMODE: "disable",
    ...toTlsEnvironment(options, folder),
  };
}

/**
 * Runs `work` with an address in the form of libpq's environment variables, so that the process
 * list shows no password. PostgreSQL's programs read the address exactly as the service does.
 * Throws DatabaseProblem.
 */
export async function withLibpqEnvironment<Result>(
  url: string,
  work: (variables: ProgramVariables) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "stile-libpq-"));
  try {
    return await work(toLibpqEnvironment(readConnectionOptions(url), folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
