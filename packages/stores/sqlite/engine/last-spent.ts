import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

/** A mark that a transaction wrote: what was spent, and until when that is remembered. */
export type SpentMark = {
  readonly table: "token_marks" | "challenge_marks";
  readonly id: Uint8Array;
  readonly keepUntilMs: number;
};

const TABLES = ["token_marks", "challenge_marks"] as const;
const RECORD_BYTES = 32;
const TIME_AT = 2;
const ID_AT = 10;

function pack(mark: SpentMark): Buffer {
  const record = Buffer.alloc(RECORD_BYTES);
  record[0] = 1 + TABLES.indexOf(mark.table);
  record[1] = mark.id.length;
  record.writeDoubleBE(mark.keepUntilMs, TIME_AT);
  record.set(mark.id, ID_AT);
  return record;
}

/** The mark that was noted last; undefined if none was, "unreadable" if the file is missing or no record. */
export function readLastSpent(file: string): SpentMark | undefined | "unreadable" {
  let record: Buffer;
  try {
    record = readFileSync(file);
  } catch {
    return "unreadable";
  }
  if (record.length !== RECORD_BYTES) return "unreadable";
  if (record[0] === 0) return undefined;
  const table = TABLES[(record[0] ?? 0) - 1];
  const end = ID_AT + (record[1] ?? 0);
  if (table === undefined || end > RECORD_BYTES) return "unreadable";
  return { table, keepUntilMs: record.readDoubleBE(TIME_AT), id: record.subarray(ID_AT, end) };
}

/** Writes what was spent last into a file beside the database. */
export type LastSpent = { readonly note: (mark: SpentMark) => void; readonly close: () => void };

/**
 * Opens the file and empties its record. A note goes to the operating system and not to the disk: it outlives a killed process,
 * and costs a few microseconds a commit. Losing it with the power is no harm, since then nothing is taken on trust anyway. A note
 * that can't be written must not make a committed write look failed: the file goes, and the next start takes nothing on trust.
 */
export function openLastSpent(file: string): LastSpent {
  const handle = openSync(file, "w", 0o600);
  writeSync(handle, Buffer.alloc(RECORD_BYTES), 0, RECORD_BYTES, 0);
  let isLost = false;
  return {
    note: (mark) => {
      if (isLost) return;
      try {
        writeSync(handle, pack(mark), 0, RECORD_BYTES, 0);
      } catch {
        isLost = true;
        rmSync(file, { force: true });
      }
    },
    close: () => closeSync(handle),
  };
}
