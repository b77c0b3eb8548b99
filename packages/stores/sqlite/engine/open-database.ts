import { DatabaseSync } from "node:sqlite";
import { retryWhileBusy } from "./busy.ts";
import { readStep } from "./database-file.ts";
import { migrate } from "./migrate.ts";
import { selectOne } from "./select.ts";
import { copyBeforeUpgrade } from "./upgrade-copy.ts";

/**
 * Opens the file, creates it if needed, and migrates it. A commit survives kill -9 and loss of
 * power (WAL, FULL). A database that an older version wrote is copied first, and `onUpgrade` gets
 * the path of the copy. `fullfsync` matters only on macOS, where a plain fsync leaves the data in
 * the drive's cache.
 */
export async function openDatabase(
  file: string,
  now: () => number,
  onUpgrade: (copy: string) => void = () => {},
): Promise<DatabaseSync> {
  const copy = await copyBeforeUpgrade(file, await retryWhileBusy(() => readStep(file), now));
  const opened = await retryWhileBusy(() => {
    const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
    try {
      const { journal_mode: mode } = selectOne<{ journal_mode: string }>(
        database,
        "PRAGMA journal_mode = WAL",
      );
      if (mode !== "wal")
        throw new Error(
          `${file} can't use a write-ahead log: it stays in journal mode "${mode}". Put it on a local file system.`,
        );
      database.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
      // Eight times the default. A page that many commits change is then copied into the main file
      // once, and not after every thousandth page.
      database.exec("PRAGMA wal_autocheckpoint = 8000");
      // SQLite truncates a log that grew under load when it next starts the log again.
      database.exec("PRAGMA journal_size_limit = 4194304");
      migrate(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }, now);
  if (copy !== undefined) onUpgrade(copy);
  return opened;
}
