import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@stile/core/ports/store";
import { openThreadedStore } from "@stile/stores/sqlite/threaded-store";
import type { Engine } from "./engine.ts";

/** Files in memory where the system has them: what is tried here is what becomes of data, not the disk. */
const PARENT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const isDatabase = (path: string): boolean => /stile\.sqlite(-wal|-shm)?$/.test(path);

/**
 * SQLite as the server opens it, its writer in a thread, in a folder of its own. A process that crashed leaves its connection as it stands, without a last word, as a killed
 * one does; copies are copies of the files.
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
      // Every other time the database alone, beside what the last run left: both are done.
      for (const name of readdirSync(data)) if (number % 2 === 0 || isDatabase(name)) rmSync(join(data, name));
      const isPutBack = (path: string): boolean => number % 2 === 0 || path === folderOf(number) || isDatabase(path);
      cpSync(folderOf(number), data, { recursive: true, filter: isPutBack });
    },
    close: async () => {
      for (const store of opened) await store.close().catch(() => {});
      rmSync(folder, { recursive: true });
    },
  };
}
