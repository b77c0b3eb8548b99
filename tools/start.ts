// `npm start`: builds what is stale, then runs the service in this process. With arguments but `--new` it only answers them.
// First of all, so that it sees who the parent was before anybody was killed.
import "@stile/server/stop-requests";
import { BuildToolsMissing, buildStale } from "./build.ts";

try {
  if (process.argv.slice(2).every((argument) => argument === "--new")) await buildStale();
} catch (error) {
  if (!(error instanceof BuildToolsMissing)) throw error;
  process.stderr.write(`stile: ${error.message}\n`);
  process.exit(1);
}
await import("@stile/server/main");
