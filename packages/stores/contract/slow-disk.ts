import { rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/**
 * A heap limit of SQLite, shared by a process's connections. It is too large to matter; the view
 * below reads it as a signal.
 */
const STOPPED_BYTES = 2 ** 40;

/** Resumes all writes that a stopped disk holds up. */
export function resumeDisks(): void {
  const database = new DatabaseSync(":memory:");
  database.exec("PRAGMA soft_heap_limit = 0");
  database.close();
}

/**
 * Makes each write that spends a token wait until `resume`, like a disk that hangs. This works for
 * any duration, and on a busy machine. Only writers of this process wait. Writes that began before
 * `resume` then finish.
 */
export function stopDisk(file: string): { readonly resume: () => void } {
  const database = new DatabaseSync(file, { timeout: 60_000 });
  database.exec(`PRAGMA soft_heap_limit = ${STOPPED_BYTES};
    CREATE VIEW stopped AS WITH RECURSIVE n(x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM n
      WHERE (SELECT soft_heap_limit FROM pragma_soft_heap_limit WHERE x >= 0) = ${STOPPED_BYTES})
    SELECT count(*) AS looks FROM n;
    CREATE TRIGGER stopped_mark AFTER INSERT ON token_marks BEGIN
      UPDATE heartbeat SET beats = beats + (SELECT looks FROM stopped) * 0 WHERE id = 1; END`);
  return {
    resume: () => {
      resumeDisks();
      database.exec("DROP TRIGGER stopped_mark; DROP VIEW stopped");
      database.close();
    },
  };
}

/**
 * The same for a service in another process that was started with the testkit's `idle-disk.ts`. Its
 * writer uses no core meanwhile.
 */
export function stopDiskOf(file: string): { readonly resume: () => void } {
  const stopped = `${file}.stopped`;
  writeFileSync(stopped, "");
  const database = new DatabaseSync(file, { timeout: 60_000 });
  database.exec(`CREATE TRIGGER stopped_mark AFTER INSERT ON token_marks BEGIN
    SELECT wait_while_exists('${stopped}'); END`);
  return {
    resume: () => {
      rmSync(stopped);
      database.exec("DROP TRIGGER stopped_mark");
      database.close();
    },
  };
}
