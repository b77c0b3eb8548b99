// `npm start`: builds what is stale, then runs the service as built in this process. Arguments but `--new` are only answered, without a build.
// First of all, so that it sees who the parent was before anybody was killed.
import "@stile/server/stop-requests";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { BuildToolsMissing, buildStale } from "./build.ts";

// What one start has compiled, the next need not; where it can't be kept, all is compiled as before.
const compiled = join(import.meta.dirname, "..", "node_modules", ".cache", "compiled");
enableCompileCache(compiled);
process.env.NODE_COMPILE_CACHE ??= compiled;

const answersOnly = process.argv.slice(2).some((argument) => argument !== "--new");
try {
  if (!answersOnly) await buildStale();
} catch (error) {
  if (!(error instanceof BuildToolsMissing)) throw error;
  process.stderr.write(`stile: ${error.message}\n`);
  process.exit(1);
}
await import(answersOnly ? "@stile/server/main" : `${import.meta.dirname}/../packages/server/dist/main.js`);
