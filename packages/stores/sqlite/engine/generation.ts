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

/** Identifies the running system from one boot to the next; null if the system does not tell. */
function readBootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

/**
 * Changes whenever the file is copied, replaced, or written over, and nobody can set it. Undefined
 * if there is no file.
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

/** Writes the number into a new file, puts it in place, and returns its identity. */
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
 * Whether no spend can be missing from the database: it is the one that was last written, and
 * complete.
 */
function isWhole(database: DatabaseSync, file: string, last: Generation): boolean {
  const path = generationFile(file);
  if (readNumber(path) !== last.number || identityOf(path) !== last.fileIdentity) return false;
  const bootId = readBootId();
  // After a reboot it may be an older snapshot of the disk, or one of two machines cloned from the
  // same snapshot.
  if (last.bootId !== bootId) return false;
  const spent = readLastSpent(lastSpentFile(file));
  // Somebody may have removed what was spent since.
  if (last.isStopped === 1) return typeof spent !== "object" || isRemembered(database, spent);
  // Not stopped: the server was killed, provided the system that ran it is still running.
  if (bootId === null) return false;
  return spent === undefined || (spent !== "unreadable" && isRemembered(database, spent));
}

/** What the server that writes to the database calls when it begins and ends. */
export type GenerationFence = {
  /**
   * Begins a generation, within a transaction: one start of the service. If records may be missing
   * from the database - it is a copy, an older one was put back, or the machine lost its power -
   * every service key is retired in the same transaction, so that nothing that may have been spent
   * is accepted again. Returns "retired" if there were such keys.
   */
  readonly begin: () => "continued" | "retired";
  /** Ends the generation, within the last transaction: a clean stop. */
  readonly end: () => void;
  /** Call this with the last record of a committed transaction. */
  readonly record: (record: SpentRecord) => void;
  readonly close: () => void;
};

/**
 * The fence of the database in that file. It looks at the start only: a running server does not
 * notice that somebody replaces or restores the open file. It has no effect until a generation is begun (decision
 * 0010, retired keys).
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
      // The number first: if anything interrupts before the COMMIT, the next start finds that the
      // two differ.
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
