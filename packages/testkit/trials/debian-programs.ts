import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A program that is not an npm package: its file, and the Debian package that contains it. */
export type Program = { readonly file: string; readonly debianPackage: string };

/**
 * Installs missing programs, on Debian as root; returns those that are still missing. `say` reports
 * an install.
 */
export function bringPrograms<Wanted extends Program>(
  programs: readonly Wanted[],
  say: (text: string) => void,
): readonly Wanted[] {
  const missing = programs.filter(({ file }) => !existsSync(file));
  const mayInstall = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
  if (missing.length === 0 || !mayInstall) return missing;
  const packages = missing.map(({ debianPackage }) => debianPackage);
  say(`Installing ${packages.join(", ")} (once, about a minute) ...`);
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = {
    stdio: ["ignore", "ignore", "inherit"] as ["ignore", "ignore", "inherit"],
    env: environment,
  };
  spawnSync("apt-get", ["-qq", "update"], options);
  spawnSync("apt-get", ["-qq", "install", "-y", "--no-install-recommends", ...packages], options);
  return missing.filter(({ file }) => !existsSync(file));
}

/** Why tests that need these programs are skipped here; false if all are there. */
export function skipWithout(...files: readonly string[]): string | false {
  const missing = files.find((file) => !existsSync(file));
  return missing === undefined ? false : `${missing} is not here`;
}
