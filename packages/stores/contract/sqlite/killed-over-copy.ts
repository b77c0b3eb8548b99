import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

// Upgrades the database in that file as a later version does, and is killed before the copy, which
// is made first, gets its name.
const [, , file = ""] = process.argv;

fs.renameSync = () => process.kill(process.pid, "SIGKILL");
syncBuiltinESMExports();

const { MIGRATIONS } = await import("../../sqlite/schema/sqlite-schema.ts");
for (const name of ["one", "two"])
  (MIGRATIONS as string[]).push(`CREATE TABLE later_${name} (id INTEGER PRIMARY KEY) STRICT`);
const { openSqliteStore } = await import("../../sqlite/sqlite-store.ts");
await openSqliteStore({ file });
