import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const packages = join(root, "packages");

/** What is built, for browsers and to be run: what each is made of, besides the locked tools, and how. */
const BUILDS = [
  {
    name: "widget",
    sources: /^(widget|pow|protocol)\/.*\.(ts|css|html|json)$/,
    run: async () => (await import("@stile/widget/vite.config")).buildWidget(),
  },
  {
    name: "dashboard",
    sources: /^(dashboard|protocol)\/.*\.(ts|tsx|css|html|json|svg)$/,
    run: async () => (await import("@stile/dashboard/vite.config")).buildDashboard(),
  },
  {
    name: "server",
    sources: /^(server|core|stores|risk|pow|protocol)\/.*\.(ts|js|json)$/,
    run: async () => (await import("@stile/server/vite.config")).buildServer(),
  },
] as const;

/** Made by tools, or read by tests alone. */
const NO_SOURCE = /(^|\/)(node_modules|dist)\/|\.test\.tsx?$/;

/** All sources, as paths from packages/, in one walk: each start looks whether what was built still fits. */
function listSources(): readonly string[] {
  const paths = readdirSync(packages, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  return paths.filter((path) => !NO_SOURCE.test(path)).sort();
}

/** Digest over everything a build is made of: its sources, its configuration and the locked tools. */
function digestOf(sources: readonly string[]): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const path of sources) hash.update(`${path}\n`).update(readFileSync(join(packages, path)));
  return hash.digest("hex");
}

/** What is built is older than its sources, and an install for production has no tools to build it. */
export class BuildToolsMissing extends Error {
  override readonly name = "BuildToolsMissing";
}

async function build(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const message = `The ${name} changed since it was built, and the tools to build it are not installed. Run: npm run install:production`;
    throw new BuildToolsMissing(message, { cause });
  }
}

/** Builds widget, dashboard and server, each when its sources changed since its last build. Throws BuildToolsMissing. */
export async function buildStale(): Promise<void> {
  const all = listSources();
  for (const { name, sources, run } of BUILDS) {
    if (!existsSync(join(packages, name, "vite.config.ts"))) continue;
    const stampFile = join(packages, name, "dist", ".stamp");
    const digest = digestOf(all.filter((path) => sources.test(path)));
    if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === digest) continue;
    process.stderr.write(`stile: building the ${name} ...\n`);
    await build(name, run);
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, digest);
  }
}
