import { postgresProgram } from "@stile/testkit/postgres/throw-away-postgres";
import { bringPrograms } from "@stile/testkit/trials/debian-programs";

/** What the end-to-end tests run besides Node. */
const BROWSER = { file: "/usr/bin/chromium", debianPackage: "chromium", purpose: "the browser tests" };

/**
 * Makes sure that every engine is there, the browser only where `needsBrowser`: on Debian as root it installs what is missing,
 * elsewhere it ends the process with one line for each missing program, saying what brings it.
 */
export function bringTestEngines(needsBrowser: boolean): void {
  const postgres = { ...postgresProgram(), purpose: "the tests of PostgreSQL (or name its folder in POSTGRES_BIN)" };
  const missing = bringPrograms(needsBrowser ? [postgres, BROWSER] : [postgres], (text) => console.log(text));
  if (missing.length === 0) return;
  for (const { file, debianPackage, purpose } of missing) {
    console.error(`Missing ${file}, needed for ${purpose}. Install the package "${debianPackage}".`);
  }
  process.exit(1);
}
