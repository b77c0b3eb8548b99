import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@stile/core/ports/store";
import { openThreadedStore } from "@stile/stores/sqlite/threaded-store";
import type { Engine } from "./engine.ts";

/** In memory if the system supports it: the subject here is the fate of data, not the disk. */
const PARENT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const isDatabase = (path: string): boolean => /stile\.sqlite(-wal|-shm)?$/.test(path);

/**
 * SQLite as the server opens it, with its writer in a thread, in a folder of its own. A process
 * that crashed leaves its connection open, without a clean end, like a killed one; copies are
 * copies of the files.
 */
export function createSqliteEngine(): Engine {
  const folder = mkdtempSync(join(PARENT, "stile-simulation-"));
  const data = join(folder, "data");
  mkdirSync(data);
  const opened: Store[] = [];
  let copies = 0;
  const folderOf = (number: number): string => join(folder, `copy-${number}`);
  return {
    isReal: true,
    open: async () => {
      const store = await openThreadedStore({ file: join(data, "stile.sqlite") });
      opened.push(store);
      return store;
    },
    copy: async () => {
      const number = ++copies;
      cpSync(data, folderOf(number), { recursive: true });
      return { number };
    },
    restore: async ({ number }) => {
      // Every other time only the database is restored, next to the last run's files: operators do
      // both.
      for (const name of readdirSync(data))
        if (number % 2 === 0 || isDatabase(name)) rmSync(join(data, name));
      const isPutBack = (path: string): boolean =>
        number % 2 === 0 || path === folderOf(number) || isDatabase(path);
      cpSync(folderOf(number), data, { recursive: true, filter: isPutBack });
    },
    close: async () => {
      for (const store of opened) await store.close().catch(() => {});
      rmSync(folder, { recursive: true });
    },
  };
}
