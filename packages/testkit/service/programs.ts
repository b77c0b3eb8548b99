import { join } from "node:path";
import { pathToFileURL } from "node:url";

// The service and its command line, as tests start them. If `npm test` has just built them, they
// run as built, as operators run them. If a test file runs by hand, they run from the sources,
// which are never stale.
const SERVER = join(import.meta.dirname, "..", "..", "server");
const isBuilt = process.env.TESTED_PROGRAMS === "built";

/** The service as operators run it, once it is built. */
export const BUILT_SERVICE = join(SERVER, "dist", "main.js");
/** The command line, likewise. */
const BUILT_COMMAND_LINE = join(SERVER, "dist", "stile.js");
/** The service: as built under `npm test`, else its sources. */
export const SERVICE_PROGRAM = isBuilt ? BUILT_SERVICE : join(SERVER, "main.ts");
/** The command line `stile`, likewise. */
export const COMMAND_LINE_PROGRAM = isBuilt ? BUILT_COMMAND_LINE : join(SERVER, "cli", "main.ts");
/** Preloads what makes a program a later version, whose database takes one more migration. */
const LATER = `--import=${pathToFileURL(join(import.meta.dirname, "../releases/later-migrations.ts"))}`;
/** Node's arguments for the service of such a version. */
export const UPGRADING_SERVICE: readonly string[] = [LATER, join(SERVER, "main.ts")];
/** Node's arguments for the command line of such a version. */
export const UPGRADING_COMMAND_LINE: readonly string[] = [LATER, join(SERVER, "cli", "main.ts")];
/** The service as a later version, whose tables are one step ahead. */
export const LATER_SERVICE = join(import.meta.dirname, "..", "releases", "later-service.ts");
