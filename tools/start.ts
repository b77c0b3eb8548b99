// `npm start`: builds the stale parts, then is replaced by the service as built. It only answers
// arguments except `--new`, without a build. The first import must stay first, so that it sees the
// parent process before anybody is killed.
import "@stile/server/lifecycle/stop-requests";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { MALLOC_SETTINGS } from "@stile/server/lifecycle/heap-options";
import { BuildToolsMissing, buildStale } from "./build.ts";

// A start need not compile code that an earlier one compiled. If nothing can be cached, it compiles
// everything.
const compiled = join(import.meta.dirname, "..", "node_modules", ".cache", "compiled");
enableCompileCache(compiled);
process.env.NODE_COMPILE_CACHE ??= compiled;

const SERVICE = join(import.meta.dirname, "..", "packages", "server", "dist", "main.js");
const args = process.argv.slice(2);

/**
 * Whether this process can be replaced by the service's. Windows cannot do that, and a new program
 * would find inherited descriptors closed. If it can, the code that looked for stale builds is
 * freed, 20 MB.
 */
function mayBeReplaced({ LISTEN_FDS, NODE_CHANNEL_FD }: NodeJS.ProcessEnv): boolean {
  return process.platform !== "win32" && LISTEN_FDS === undefined && NODE_CHANNEL_FD === undefined;
}

async function runService(): Promise<void> {
  const environment = { ...MALLOC_SETTINGS, ...process.env };
  if (mayBeReplaced(environment)) {
    process.execve?.(
      process.execPath,
      [process.execPath, ...process.execArgv, SERVICE, ...args],
      environment,
    );
  }
  await import(SERVICE);
}

const answersOnly = args.some((argument) => argument !== "--new");
try {
  if (!answersOnly) await buildStale();
} catch (error) {
  if (!(error instanceof BuildToolsMissing)) throw error;
  process.stderr.write(`stile: ${error.message}\n`);
  process.exit(1);
}
await (answersOnly ? import("@stile/server/main") : runService());
