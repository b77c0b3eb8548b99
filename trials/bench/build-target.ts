import { join } from "node:path";
import { buildPrograms } from "@stile/server/vite.config";
import { TARGET_SOURCE } from "./round.ts";

const OUT_DIR = join(import.meta.dirname, "..", "..", ".cache", "bench", "built");

/**
 * Builds the server under load as operators' services are built, and returns its path. Running the
 * sources took 30 MB more memory in Node.
 */
export async function buildTarget(): Promise<string> {
  await buildPrograms({ input: { target: TARGET_SOURCE }, outDir: OUT_DIR });
  return join(OUT_DIR, "target.js");
}
