// `npm start`: builds what is stale, then runs the service in this process. With arguments it only answers them.
import { BuildToolsMissing, buildStale } from "./build.ts";

try {
  if (process.argv.length === 2) await buildStale();
} catch (error) {
  if (!(error instanceof BuildToolsMissing)) throw error;
  process.stderr.write(`stile: ${error.message}\n`);
  process.exit(1);
}
await import("../packages/server/main.ts");
