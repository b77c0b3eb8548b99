import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Asking, askBrowser } from "@stile/server/baking/ask-browser";

const PACKAGES = join(import.meta.dirname, "..", "..");
/** The files that ask browsers: the answers may depend on them. */
const ASKERS = ["ask-browser.ts", "bake-page.ts"].map((name) => join(PACKAGES, "server", "baking", name));
const KEPT = join(PACKAGES, "..", "node_modules", ".cache", "layout");
/** Debian writes this file whenever a package is installed or removed: a browser, a library it draws with, or a font. */
const INSTALLED = "/var/lib/dpkg/status";

/** A digest of everything that the answers depend on. */
function digestOf({ browser, ratio, scenes, reader }: Asking): string {
  const asked = [statSync(INSTALLED).mtimeMs, browser.file, ratio, scenes];
  const made = createHash("sha256").update(JSON.stringify(asked)).update(reader);
  for (const file of ASKERS) made.update(readFileSync(file));
  return made.digest("hex");
}

/** Like `askBrowser`, for tests that are not about asking: on Debian it reuses the answers of an earlier run, which take four core-seconds. */
export async function askOnce(asking: Asking): Promise<Uint8Array> {
  if (!existsSync(INSTALLED)) return askBrowser(asking);
  const kept = join(KEPT, digestOf(asking));
  if (existsSync(kept)) return readFileSync(kept);
  const reads = await askBrowser(asking);
  mkdirSync(KEPT, { recursive: true });
  // Another process may be writing the same file.
  const draft = `${kept}.${process.pid}`;
  writeFileSync(draft, reads);
  renameSync(draft, kept);
  return reads;
}
