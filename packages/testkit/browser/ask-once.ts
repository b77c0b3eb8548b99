import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Asking, askBrowser } from "@stile/server/baking/ask-browser";

const PACKAGES = join(import.meta.dirname, "..", "..");
/** What asks browsers, as their answers may depend on it. */
const ASKERS = ["ask-browser.ts", "bake-page.ts"].map((name) => join(PACKAGES, "server", "baking", name));
const KEPT = join(PACKAGES, "..", "node_modules", ".cache", "layout");
/** Debian writes it whenever a package comes or goes: a browser, a library that it draws by, or a font. */
const INSTALLED = "/var/lib/dpkg/status";

/** Digest of all that answers follow from. */
function digestOf({ browser, ratio, scenes, reader }: Asking): string {
  const asked = [statSync(INSTALLED).mtimeMs, browser.file, ratio, scenes];
  const made = createHash("sha256").update(JSON.stringify(asked)).update(reader);
  for (const file of ASKERS) made.update(readFileSync(file));
  return made.digest("hex");
}

/** As `askBrowser`, for tests that are not about that: takes what an earlier run was answered, on Debian, since to ask takes four core-seconds. */
export async function askOnce(asking: Asking): Promise<Uint8Array> {
  if (!existsSync(INSTALLED)) return askBrowser(asking);
  const kept = join(KEPT, digestOf(asking));
  if (existsSync(kept)) return readFileSync(kept);
  const reads = await askBrowser(asking);
  mkdirSync(KEPT, { recursive: true });
  // Another process may be about it too.
  const draft = `${kept}.${process.pid}`;
  writeFileSync(draft, reads);
  renameSync(draft, kept);
  return reads;
}
