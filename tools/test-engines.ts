import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** What the end-to-end tests run besides Node: the program's file and the Debian package that brings it. */
const ENGINES = [{ file: "/usr/bin/chromium", debianPackage: "chromium", purpose: "the browser tests" }] as const;

/**
 * Makes sure that every engine is there: on Debian as root it installs what is missing, elsewhere it ends the process
 * with one line for each missing program, saying what brings it.
 */
export function bringTestEngines(): void {
  const missing = ENGINES.filter((engine) => !existsSync(engine.file));
  if (missing.length === 0) return;
  const mayInstall = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
  if (mayInstall) {
    const packages = missing.map((engine) => engine.debianPackage);
    console.log(`Installing ${packages.join(", ")} for the tests (once, about a minute) ...`);
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const options = { stdio: ["ignore", "ignore", "inherit"] as ["ignore", "ignore", "inherit"], env: environment };
    spawnSync("apt-get", ["-qq", "update"], options);
    spawnSync("apt-get", ["-qq", "install", "-y", "--no-install-recommends", ...packages], options);
  }
  const still = ENGINES.filter((engine) => !existsSync(engine.file));
  if (still.length === 0) return;
  for (const engine of still) {
    console.error(
      `Missing ${engine.file}, needed for ${engine.purpose}. Install the package "${engine.debianPackage}".`,
    );
  }
  process.exit(1);
}
