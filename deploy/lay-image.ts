// `node deploy/lay-image.ts FOLDER`: lays out the file system of the container image, from a built
// checkout. The Dockerfile runs it. What it leaves out, the image lacks.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { listShipped } from "./image-content.ts";

const root = join(import.meta.dirname, "..");

/** The uid and gid of the service; also named in deploy/Dockerfile and deploy/kubernetes. */
const SERVICE_ID = 10_001;

/** Copies a file or folder, and makes all folders above it. */
function lay(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function layCode(app: string): void {
  for (const path of listShipped(root)) lay(join(root, path), join(app, path));
}

/** Node without its symbol table, and the libraries that the loader will look for. */
function layNode(folder: string): void {
  const source = realpathSync(join(root, "node_modules", ".bin", "node"));
  const node = join(folder, "usr", "local", "bin", "node");
  lay(source, node);
  execFileSync("strip", [node]);
  const libraries = execFileSync("ldd", [source], { encoding: "utf8" }).matchAll(/(\/\S+) \(0x/g);
  for (const [, path = ""] of libraries) lay(realpathSync(path), join(folder, path));
  lay(
    join(dirname(source), "..", "LICENSE"),
    join(folder, "usr", "share", "doc", "node", "LICENSE"),
  );
}

/** A command without a shell: `docker compose exec stile stile doctor`. */
function layCommand(folder: string, name: string, module: string): void {
  const file = join(folder, "usr", "local", "bin", name);
  writeFileSync(file, `#!/usr/local/bin/node\nimport "/app/packages/server/dist/${module}";\n`);
  chmodSync(file, 0o755);
}

/** The files that the C library needs, and the folders that the service writes to. */
function laySystem(folder: string): void {
  const etc = join(folder, "etc");
  mkdirSync(etc, { recursive: true });
  writeFileSync(join(etc, "passwd"), `stile:x:${SERVICE_ID}:${SERVICE_ID}::/data:/nonexistent\n`);
  writeFileSync(join(etc, "group"), `stile:x:${SERVICE_ID}:\n`);
  writeFileSync(join(etc, "nsswitch.conf"), "hosts: files dns\n");
  mkdirSync(join(folder, "tmp"));
  chmodSync(join(folder, "tmp"), 0o1777);
}

/** The size in bytes of all files below a folder. */
function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
}

const inMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("lay-image: name an empty folder: node deploy/lay-image.ts FOLDER");
  process.exit(2);
}
const { version } = JSON.parse(
  readFileSync(join(root, "packages", "server", "package.json"), "utf8"),
) as {
  version: string;
};
const app = join(folder, "app");
layCode(app);
layNode(folder);
layCommand(folder, "stile", "stile.js");
layCommand(folder, "stile-ready", "ready.js");
laySystem(folder);
const node = sizeOf(join(folder, "usr"));
const code = sizeOf(app);
const all = sizeOf(folder);
const parts = `Node ${inMegabytes(node)}, our code as built ${inMegabytes(code)}, libraries ${inMegabytes(all - node - code)}`;
console.log(`Stile ${version} lies in ${folder}: ${inMegabytes(all)} MB (${parts}).`);
