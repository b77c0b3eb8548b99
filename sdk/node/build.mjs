// Builds dist: the package as modules (esm) and for `require` (cjs), each with its types.
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const here = import.meta.dirname;
const tsc = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);
const COMMON = ["-p", here, "--noEmit", "false", "--rewriteRelativeImportExtensions"];
/** Only the types need the comments: an editor shows them. */
const EMITS = [["--removeComments"], ["--declaration", "--emitDeclarationOnly"]];
const AS_CJS = [
  "--module",
  "commonjs",
  "--moduleResolution",
  "bundler",
  "--verbatimModuleSyntax",
  "false",
];

rmSync(join(here, "dist"), { recursive: true, force: true });
for (const [name, options] of [
  ["esm", []],
  ["cjs", AS_CJS],
]) {
  const folder = join(here, "dist", name);
  const where = ["--rootDir", join(here, "src"), "--outDir", folder];
  for (const emit of EMITS) {
    const args = [tsc, ...COMMON, ...emit, ...where, ...options];
    execFileSync(process.execPath, args, { stdio: "inherit" });
  }
  // Older versions of TypeScript do not find the types behind an import of `./options.ts`.
  for (const file of globSync(join(folder, "**/*.d.ts"))) {
    writeFileSync(file, readFileSync(file, "utf8").replace(/(from "\..*)\.ts"/g, '$1.js"'));
  }
  const type = name === "esm" ? "module" : "commonjs";
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ type })}\n`);
}

copyFileSync(join(here, "../../LICENSE"), join(here, "LICENSE"));
