// `npm run sbom`: prints the bill of materials of what the service runs on, as CycloneDX. It is npm's own, over manifests and a
// lock file without tools of development: `npm sbom --omit dev` leaves out every package that a tool needs too.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

type Manifest = { readonly devDependencies?: unknown };
type Lock = { readonly packages: Readonly<Record<string, Manifest & { readonly dev?: boolean }>> };

const root = join(import.meta.dirname, "..");
const directory = mkdtempSync(join(tmpdir(), "stile-sbom-"));

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function write(path: string, content: object): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), JSON.stringify(content));
}

function withoutTools({ devDependencies: _, ...manifest }: Manifest): Manifest {
  return manifest;
}

try {
  for (const path of globSync("{.,packages/*}/package.json", { cwd: root }))
    write(path, withoutTools(read(path) as Manifest));
  const lock = read("package-lock.json") as Lock;
  const needed = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
  const packages = Object.fromEntries(needed.map(([path, entry]) => [path, withoutTools(entry)]));
  write("package-lock.json", { ...lock, packages });
  const npm = process.env.npm_execpath;
  const [command, ...prefix] = npm === undefined ? ["npm"] : [process.execPath, npm];
  const args = [...prefix, "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const done = spawnSync(command ?? "npm", args, { cwd: directory, stdio: ["ignore", "inherit", "inherit"] });
  process.exitCode = done.status ?? 1;
} finally {
  rmSync(directory, { recursive: true });
}
