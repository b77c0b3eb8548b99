import { once } from "node:events";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { parentPort, Worker } from "node:worker_threads";

// Upgrades the database in that file, and is killed while it writes the copy that comes first. A
// thread does the killing, since on a fast disk the whole copy takes only one turn of the event
// loop.
const [, , file = ""] = process.argv;

if (parentPort === null) {
  const watcher = new Worker(new URL(import.meta.url), { argv: [file] });
  await once(watcher, "message");
  const { openSqliteStore } = await import("../../sqlite/sqlite-store.ts");
  await openSqliteStore({ file });
  await watcher.terminate();
} else {
  parentPort.postMessage("watching");
  while (!readdirSync(dirname(file)).some((name) => name.endsWith(".part")));
  process.kill(process.pid, "SIGKILL");
}
