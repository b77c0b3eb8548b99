import { bringPrograms } from "@stile/testkit/trials/debian-programs";

/** What the end-to-end tests run besides Node. */
const ENGINES = [{ file: "/usr/bin/chromium", debianPackage: "chromium", purpose: "the browser tests" }] as const;

/**
 * Makes sure that every engine is there: on Debian as root it installs what is missing, elsewhere it ends the process
 * with one line for each missing program, saying what brings it.
 */
export function bringTestEngines(): void {
  const missing = bringPrograms(ENGINES, (text) => console.log(text));
  if (missing.length === 0) return;
  for (const { file, debianPackage, purpose } of missing) {
    console.error(`Missing ${file}, needed for ${purpose}. Install the package "${debianPackage}".`);
  }
  process.exit(1);
}
