import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const stampFile = join(root, "packages", "widget", "dist", ".stamp");

/** Digest over everything the browser build is made of: its sources, its configuration and the locked tools. */
function sourceDigest(): string {
  const hash = createHash("sha256");
  const inputs = globSync("packages/{widget,pow,protocol}/**/*.{ts,css,html,json}", {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  }).filter((path) => !path.endsWith(".test.ts"));
  for (const path of [...inputs.sort(), "package-lock.json"]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/** Builds the browser code (widget, solver frame) when its sources changed since the last build. */
export async function buildStale(): Promise<void> {
  if (!existsSync(join(root, "packages", "widget", "vite.config.ts"))) return;
  const digest = sourceDigest();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === digest) return;
  process.stderr.write("stile: building the widget ...\n");
  const { buildWidget } = await import("../packages/widget/vite.config.ts");
  await buildWidget();
  mkdirSync(join(root, "packages", "widget", "dist"), { recursive: true });
  writeFileSync(stampFile, digest);
}
