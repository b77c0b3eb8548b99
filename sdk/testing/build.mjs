// Builds the package: dist has the modules with their types, and service the files of a container
// image, which need no other package. `npm pack` runs it.
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { listShipped } from "../../deploy/image-content.ts";
import { buildStale } from "../../tools/build.ts";

const here = import.meta.dirname;
const root = join(here, "../..");
const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
const options = "--noEmit false --declaration --rewriteRelativeImportExtensions".split(" ");
const where = ["--rootDir", join(here, "src"), "--outDir", join(here, "dist")];

await buildStale();
for (const name of ["dist", "service"]) rmSync(join(here, name), { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(dirname(typescript), "bin/tsc"), "-p", here, ...options, ...where],
  { stdio: "inherit" },
);
// Older versions of TypeScript do not find the types behind an import of `./keys.ts`.
for (const file of globSync(join(here, "dist/**/*.d.ts")))
  writeFileSync(file, readFileSync(file, "utf8").replace(/(from "\..*)\.ts"/g, '$1.js"'));
for (const path of listShipped(root)) {
  const copy = join(here, "service", path);
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join(root, path), copy);
}
// What the service reads of its manifest. Its dependencies and exports are in the built files.
const manifest = join(here, "service", "packages", "server", "package.json");
const { name, version, type } = JSON.parse(readFileSync(manifest, "utf8"));
writeFileSync(manifest, `${JSON.stringify({ name, version, type })}\n`);
copyFileSync(join(root, "LICENSE"), join(here, "LICENSE"));
