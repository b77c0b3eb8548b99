import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Where the tools are installed: outside the workspaces, with their own lock file. */
const CACHE_DIRECTORY = join(import.meta.dirname, "..", "..", ".cache", "redteam");

const LIST_DIRECTORY = join(import.meta.dirname, "npm");

/** Programs of the operating system, each with Debian's package for it. */
const PROGRAMS = {
  "/usr/bin/chromium": "chromium",
  "/usr/bin/chromedriver": "chromium-driver",
  "/usr/bin/firefox-esr": "firefox-esr",
  "/usr/bin/Xvfb": "xvfb",
  "/usr/bin/xdotool": "xdotool",
  "/usr/bin/WebKitWebDriver": "webkit2gtk-driver",
} as const;

/** Path of a program that a tool needs. */
export type Program = keyof typeof PROGRAMS;

/** The only program without which a run is still meaningful. */
export const FIREFOX: Program = "/usr/bin/firefox-esr";

/** Programs that this command may not or cannot install. */
export class MissingTools extends Error {
  override readonly name = "MissingTools";

  constructor(programs: readonly Program[]) {
    const packages = programs.map((program) => PROGRAMS[program]);
    super(`${programs.join(", ")} missing. As root: apt-get install ${packages.join(" ")}`);
  }
}

/** Those of the programs that are missing. */
export function findMissing(programs: readonly Program[]): Program[] {
  return programs.filter((program) => !existsSync(program));
}

/** Installs the system's programs by apt if it may; returns those that are still missing. */
export function installPrograms(
  programs: readonly Program[],
  say: (text: string) => void,
): Program[] {
  const missing = findMissing(programs);
  if (missing.length === 0) return [];
  const packages = missing.map((program) => PROGRAMS[program]);
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (mayInstall) {
    say(`installing ${packages.join(", ")} with apt-get ...`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const stdio = ["ignore", "ignore", "inherit"] as const;
    spawnSync("apt-get", ["update", "-qq"], { stdio: [...stdio], env });
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], {
      stdio: [...stdio],
      env,
    });
  }
  return findMissing(programs);
}

/**
 * Installs the locked npm tools if missing or older than their lock file. Runs no scripts,
 * downloads no browsers.
 */
export function installPackages(say: (text: string) => void): void {
  const lock = readFileSync(join(LIST_DIRECTORY, "package-lock.json"));
  const stamp = createHash("sha256").update(lock).digest("hex");
  const stampFile = join(CACHE_DIRECTORY, ".stamp");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  say("installing the npm tools into .cache/redteam (once) ...");
  mkdirSync(CACHE_DIRECTORY, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) {
    copyFileSync(join(LIST_DIRECTORY, name), join(CACHE_DIRECTORY, name));
  }
  const done = spawnSync(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: CACHE_DIRECTORY,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, PUPPETEER_SKIP_DOWNLOAD: "1", SE_OFFLINE: "true" },
    },
  );
  if (done.status !== 0)
    throw new Error("npm ci failed in .cache/redteam. Check the network and the registry.");
  writeFileSync(stampFile, stamp);
}

/** The path of a file of an installed package. */
export function resolveTool(specifier: string): string {
  return createRequire(join(CACHE_DIRECTORY, "package.json")).resolve(specifier);
}

/** An installed package, with the type that its caller needs. */
export async function importTool<Shape>(specifier: string): Promise<Shape> {
  return (await import(pathToFileURL(resolveTool(specifier)).href)) as Shape;
}
