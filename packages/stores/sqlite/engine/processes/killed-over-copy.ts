import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { openSqliteStore } from "../../sqlite-store.ts";

// Upgrades the database in that file, and is killed while the copy that comes first is written.
const [, , file = ""] = process.argv;

function killOnceBegun(): void {
  if (readdirSync(dirname(file)).some((name) => name.endsWith(".part"))) process.kill(process.pid, "SIGKILL");
  setImmediate(killOnceBegun);
}

killOnceBegun();
await openSqliteStore({ file });
