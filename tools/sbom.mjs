// `npm run sbom`: prints the bill of materials of the running service, as CycloneDX. npm makes it
// from manifests and a lock file without development tools: `npm sbom --omit dev` would also leave
// out every package that a tool needs. It needs no install, which could remove modules that a
// running service or test is using.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "stile-sbom-"));

function read(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function write(path, content) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), JSON.stringify(content));
}

function withoutTools({ devDependencies: _, ...manifest }) {
  return manifest;
}

try {
  const workspaces = readdirSync(join(root, "packages")).map(
    (name) => `packages/${name}/package.json`,
  );
  const manifests = ["package.json", ...workspaces.filter((path) => existsSync(join(root, path)))];
  for (const path of manifests) write(path, withoutTools(read(path)));
  const lock = read("package-lock.json");
  const needed = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
  const packages = Object.fromEntries(needed.map(([path, entry]) => [path, withoutTools(entry)]));
  write("package-lock.json", { ...lock, packages });
  const npm = process.env.npm_execpath;
  const [command, ...prefix] = npm === undefined ? ["npm"] : [process.execPath, npm];
  const args = [...prefix, "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const done = spawnSync(command, args, {
    cwd: directory,
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exitCode = done.status ?? 1;
} finally {
  rmSync(directory, { recursive: true });
}
