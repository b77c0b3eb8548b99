// `npm start`: builds what is stale, then runs the service in this process. With arguments but `--new` it only answers them.
// First of all, so that it sees who the parent was before anybody was killed.
import "@stile/server/stop-requests";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { BuildToolsMissing, buildStale } from "./build.ts";

// What one start has compiled, the next need not; where it can't be kept, all is compiled as before.
const compiled = join(import.meta.dirname, "..", "node_modules", ".cache", "compiled");
enableCompileCache(compiled);
process.env.NODE_COMPILE_CACHE ??= compiled;

try {
  if (process.argv.slice(2).every((argument) => argument === "--new")) await buildStale();
} catch (error) {
  if (!(error instanceof BuildToolsMissing)) throw error;
  process.stderr.write(`stile: ${error.message}\n`);
  process.exit(1);
}
await import("@stile/server/main");
