import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const packages = join(root, "packages");

/**
 * The builds, for browsers and for running: the sources of each in addition to the locked tools,
 * and the command.
 */
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
    sources: /^(server|demo|core|stores|risk|pow|protocol)\/.*\.(ts|js|json)$/,
    run: async () => (await import("@stile/server/vite.config")).buildServer(),
  },
] as const;

/** Files made by tools, or read only by tests. */
const NO_SOURCE = /(^|\/)(node_modules|dist)\/|\.test\.tsx?$/;

/**
 * All sources, as paths from packages/, in one walk: each start checks whether builds are up to
 * date.
 */
function listSources(): readonly string[] {
  const paths = readdirSync(packages, { recursive: true, encoding: "utf8" }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  return paths.filter((path) => !NO_SOURCE.test(path)).sort();
}

/** Digest of all inputs of a build: its sources, its configuration and the locked tools. */
function digestOf(sources: readonly string[]): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const path of sources) hash.update(`${path}\n`).update(readFileSync(join(packages, path)));
  return hash.digest("hex");
}

/** A build is older than its sources, and a production install has no tools to build it. */
export class BuildToolsMissing extends Error {
  override readonly name = "BuildToolsMissing";
}

type Build = (typeof BUILDS)[number];

/** A build whose sources changed since it was last made, and their digest. */
type Stale = Pick<Build, "name" | "run"> & { readonly stampFile: string; readonly digest: string };

/** The stale builds among these. A build whose package is not here is never stale. */
function findStale(names: readonly string[]): readonly Stale[] {
  const all = listSources();
  const asked = BUILDS.filter(
    ({ name }) => names.includes(name) && existsSync(join(packages, name, "vite.config.ts")),
  );
  const found = asked.map(({ name, run, sources }) => ({
    ...{ name, run, stampFile: join(packages, name, "dist", ".stamp") },
    digest: digestOf(all.filter((path) => sources.test(path))),
  }));
  return found.filter(
    ({ stampFile, digest }) => !existsSync(stampFile) || readFileSync(stampFile, "utf8") !== digest,
  );
}

/** The exit code of a build whose tools are not installed. */
const NO_TOOLS = 3;

/** Builds the stale ones in this process; ends it with `NO_TOOLS` if the tools are missing. */
async function buildHere(names: readonly string[]): Promise<void> {
  for (const { name, run, stampFile, digest } of findStale(names)) {
    process.stderr.write(`stile: building the ${name} ...\n`);
    try {
      await run();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
      process.exit(NO_TOOLS);
    }
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, digest);
  }
}

/**
 * Builds each of these if its sources changed since its last build. It does so in another process,
 * since a service that begins with a build would otherwise keep its 400 MB. Throws
 * BuildToolsMissing.
 */
async function build(...names: readonly string[]): Promise<void> {
  const stale = findStale(names);
  if (stale.length === 0) return;
  const builder = spawn(process.execPath, [import.meta.filename, ...names], {
    stdio: ["ignore", 2, 2],
  });
  const [code] = await once(builder, "exit");
  if (code === 0) return;
  if (code !== NO_TOOLS) throw new Error("The build failed; its last lines say why.");
  throw new BuildToolsMissing(
    `What was built of ${stale.map(({ name }) => name).join(" and ")} is older than the sources, and the tools to build it are not installed. Run: npm run install:production`,
  );
}

/**
 * Builds the scripts of widget and dashboard, for running the server from its sources. Throws
 * BuildToolsMissing.
 */
export const buildPages = (): Promise<void> => build("widget", "dashboard");

/** Builds them and the server. Throws BuildToolsMissing. */
export const buildStale = (): Promise<void> => build("widget", "dashboard", "server");

if (process.argv[1] === import.meta.filename) await buildHere(process.argv.slice(2));
