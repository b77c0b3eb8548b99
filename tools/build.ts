import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

/** What is built for browsers: what each is made of, besides the locked tools, and how. */
const BUILDS = [
  {
    name: "widget",
    sources: "packages/{widget,pow,protocol}/**/*.{ts,css,html,json}",
    run: async () => (await import("@stile/widget/vite.config")).buildWidget(),
  },
  {
    name: "dashboard",
    sources: "packages/{dashboard,protocol}/**/*.{ts,tsx,css,html,json,svg}",
    run: async () => (await import("@stile/dashboard/vite.config")).buildDashboard(),
  },
] as const;

/** Digest over everything a build is made of: its sources, its configuration and the locked tools. */
function sourceDigest(sources: string): string {
  const hash = createHash("sha256");
  const inputs = globSync(sources, {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  }).filter((path) => !path.endsWith(".test.ts"));
  for (const path of [...inputs.sort(), "package-lock.json"]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
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

/** Builds the browser code (widget with its solver frame, dashboard), each when its sources changed since its last build. Throws BuildToolsMissing. */
export async function buildStale(): Promise<void> {
  for (const { name, sources, run } of BUILDS) {
    if (!existsSync(join(root, "packages", name, "vite.config.ts"))) continue;
    const stampFile = join(root, "packages", name, "dist", ".stamp");
    const digest = sourceDigest(sources);
    if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === digest) continue;
    process.stderr.write(`stile: building the ${name} ...\n`);
    await build(name, run);
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, digest);
  }
}
