/**
 * Generations of a SQLite database. A start of the service checks whether the database may lack
 * spent tokens. If so, it retires all service keys, so that every earlier token counts as expired
 * (decision 0010, retired keys). Otherwise a spent token could be spent again.
 *
 * Each start has a number, in the database and in the file `stile.sqlite-generation` next to it.
 * The database also has that file's identity (inode and time of change) and the system's boot id.
 * `stile.sqlite-last-spent` has the last spent record.
 *
 * Example: start 7 wrote 7 to both places. Its last spent token was a1, and the server was killed.
 *
 * - The next start finds 7 twice, the same identity and boot id, and a1 in the database. Nothing is
 *   missing, so it continues as 8.
 * - An operator copied the database of start 6 back. It has 6, the file has 7: retired.
 * - An operator copied the directory. Both have 7, but the copied file has another inode: retired.
 * - An operator restored the database as it was a minute before the kill, within start 7. Both have
 *   7, but a1 is not in the database: retired.
 * - The machine lost its power. It has another boot id, and its disk may be an older snapshot:
 *   retired.
 *
 * The file is written before the database. A crash in between leaves 8 in the file and 7 in the
 * database, so the next start retires the keys.
 */

import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type LastSpent, openLastSpent, readLastSpent, type SpentRecord } from "./last-spent.ts";
import { prepareSelect } from "./select.ts";
import { createSpentSweep } from "./spent-sweep.ts";

type Generation = {
  readonly number: number;
  readonly fileIdentity: string;
  readonly bootId: string | null;
  readonly isStopped: number;
};

const PRIVATE_FILE = 0o600;

const generationFile = (file: string): string => `${file}-generation`;
const lastSpentFile = (file: string): string => `${file}-last-spent`;

/** Identifies the boot of the system; null if the system does not report it. */
function readBootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

/**
 * The inode and the time of change. They differ after the file was copied, replaced or overwritten,
 * and no program can set them. Undefined if there is no file.
 */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino}:${stats.ctimeNs}`;
}

function readNumber(path: string): number {
  try {
    const number = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(number) ? number : 0;
  } catch {
    return 0;
  }
}

/** Writes the number into a new file, moves it into place, and returns its identity. */
function writeNumber(path: string, number: number): string {
  const draft = `${path}.new`;
  writeFileSync(draft, `${number}\n`, { mode: PRIVATE_FILE, flush: true });
  renameSync(draft, path);
  return identityOf(path) ?? "";
}

function isRemembered(database: DatabaseSync, { table, id, retainUntilMs }: SpentRecord): boolean {
  const select = prepareSelect<Generation>(
    database,
    `SELECT 1 FROM ${table} WHERE keep_until_ms = ? AND id = ?`,
  );
  return (
    select.get(retainUntilMs, id) !== undefined ||
    retainUntilMs <= createSpentSweep(database, table).sweptUntilMs()
  );
}

/**
 * Whether the database surely has every spend: it is the one that the last start wrote to, and has
 * its last spent record.
 */
function isWhole(database: DatabaseSync, file: string, last: Generation): boolean {
  const path = generationFile(file);
  if (readNumber(path) !== last.number || identityOf(path) !== last.fileIdentity) return false;
  const bootId = readBootId();
  // After a reboot, this may be an older snapshot of the disk, or one of two machines cloned from
  // the same snapshot.
  if (last.bootId !== bootId) return false;
  const spent = readLastSpent(lastSpentFile(file));
  // Somebody may have deleted records since the clean stop.
  if (last.isStopped === 1) return typeof spent !== "object" || isRemembered(database, spent);
  // The server was killed. Without a boot id, the system may have crashed with it.
  if (bootId === null) return false;
  return spent === undefined || (spent !== "unreadable" && isRemembered(database, spent));
}

/** The calls of the server that writes to the database, from its start to its stop. */
export type GenerationFence = {
  /**
   * Begins a generation. Call it within a transaction, once per start of the service. If records
   * may be missing from the database, it retires every service key in the same transaction. Returns
   * "retired" if there were keys to retire.
   */
  readonly begin: () => "continued" | "retired";
  /** Ends the generation: a clean stop. Call it within the last transaction. */
  readonly end: () => void;
  /** Call this with the last record of a committed transaction. */
  readonly record: (record: SpentRecord) => void;
  readonly close: () => void;
};

/**
 * The fence of the database in that file. It checks at the start only: a running server does not
 * notice that somebody replaces or restores the open file. Without `begin`, it does nothing.
 */
export function createGenerationFence(database: DatabaseSync, file: string): GenerationFence {
  let lastSpent: LastSpent | undefined;
  const select = prepareSelect<Generation>(
    database,
    "SELECT number, file_identity AS fileIdentity, boot_id AS bootId, is_stopped AS isStopped FROM generations",
  );
  const write = database.prepare(
    `INSERT INTO generations (id, number, file_identity, boot_id, is_stopped, moves_to) VALUES (1, ?, ?, ?, 0, '')
      ON CONFLICT (id) DO UPDATE SET number = excluded.number, file_identity = excluded.file_identity,
        boot_id = excluded.boot_id, is_stopped = 0, moves_to = ''`,
  );
  const retire = database.prepare("UPDATE service_keys SET is_retired = 1 WHERE is_retired = 0");
  return {
    begin: () => {
      const last = select.get();
      const mayContinue = last !== undefined && isWhole(database, file, last);
      const number = Math.max(last?.number ?? 0, readNumber(generationFile(file))) + 1;
      // Write the file first. If the process ends before the COMMIT, the next start finds that the
      // two numbers differ.
      const identity = writeNumber(generationFile(file), number);
      lastSpent ??= openLastSpent(lastSpentFile(file));
      write.run(number, identity, readBootId());
      return !mayContinue && retire.run().changes > 0 ? "retired" : "continued";
    },
    end: () => {
      if (lastSpent !== undefined) database.exec("UPDATE generations SET is_stopped = 1");
    },
    record: (record) => lastSpent?.record(record),
    close: () => lastSpent?.close(),
  };
}
