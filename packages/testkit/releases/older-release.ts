import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Another release of the service: a commit of this repository, unpacked beside it and built. */
export type Release = {
  /** The commit, as git abbreviates it. */
  readonly commit: string;
  /** How operators run the service and the command line `stile`: arguments of Node. */
  readonly service: readonly string[];
  readonly commandLine: readonly string[];
  /** How many PostgreSQL migrations it knows. */
  readonly steps: number;
  readonly remove: () => void;
};

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** The sources of a release are a few megabytes. */
const MOST_BYTES = 1 << 30;
const BUILD = 'const build = await import("./tools/build.ts"); await (build.buildStale ?? build.buildPages)();';

function git(...args: readonly string[]): Buffer {
  return execFileSync("git", args, { cwd: ROOT, maxBuffer: MOST_BYTES, stdio: ["ignore", "pipe", "pipe"] });
}

/** Whether a release was locked to the packages that are installed here, so that it needs no others. */
function hasPackagesOf(commit: string): boolean {
  return git("show", `${commit}:package-lock.json`).equals(readFileSync(join(ROOT, "package-lock.json")));
}

/** Links the packages installed here into the release, except the workspace's own, which it has itself. */
function linkPackages(folder: string): void {
  const installed = join(ROOT, "node_modules");
  const own = join(folder, "node_modules");
  mkdirSync(join(own, "@stile"), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== "@stile" && !name.startsWith(".cache")) symlinkSync(join(installed, name), join(own, name));
  }
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join("..", "..", "packages", name), join(own, "@stile", name));
  }
}

function installPackages(folder: string): void {
  const args = ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] });
}

/** Unpacks and builds a commit in a temporary folder; uses the registry only if its lock file differs. */
export function openRelease(commit: string): Release {
  const short = git("rev-parse", "--short", `${commit}^{commit}`).toString().trim();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stile-release-")));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", "--format=tar", short), maxBuffer: MOST_BYTES });
  if (hasPackagesOf(short)) linkPackages(folder);
  else installPackages(folder);
  execFileSync(process.execPath, ["--input-type=module", "-e", BUILD], { cwd: folder, stdio: ["ignore", 2, 2] });
  const server = join(folder, "packages", "server");
  const programOf = (built: string, source: string): readonly string[] => {
    const file = join(server, "dist", built);
    return [existsSync(file) ? file : join(server, source)];
  };
  const steps = readdirSync(join(folder, "packages", "stores", "postgres", "migrations"));
  return {
    commit: short,
    service: programOf("main.js", "main.ts"),
    commandLine: programOf("stile.js", "cli/main.ts"),
    steps: steps.filter((name) => /^\d{4}-.*\.ts$/.test(name)).length,
    remove: () => {
      process.removeListener("exit", remove);
      remove();
    },
  };
}
