import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

/** What a transaction spent, and until when that is remembered. */
export type SpentRecord = {
  readonly table: "token_marks" | "challenge_marks";
  readonly id: Uint8Array;
  readonly retainUntilMs: number;
};

const TABLES = ["token_marks", "challenge_marks"] as const;
const RECORD_BYTES = 32;
const TIME_AT = 2;
const ID_AT = 10;

function pack(record: SpentRecord): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES);
  bytes[0] = 1 + TABLES.indexOf(record.table);
  bytes[1] = record.id.length;
  bytes.writeDoubleBE(record.retainUntilMs, TIME_AT);
  bytes.set(record.id, ID_AT);
  return bytes;
}

/** The record that was written last; undefined if none was, "unreadable" if the file is missing or no record. */
export function readLastSpent(file: string): SpentRecord | undefined | "unreadable" {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return "unreadable";
  }
  if (bytes.length !== RECORD_BYTES) return "unreadable";
  if (bytes[0] === 0) return undefined;
  const table = TABLES[(bytes[0] ?? 0) - 1];
  const end = ID_AT + (bytes[1] ?? 0);
  if (table === undefined || end > RECORD_BYTES) return "unreadable";
  return { table, retainUntilMs: bytes.readDoubleBE(TIME_AT), id: bytes.subarray(ID_AT, end) };
}

/** Writes what was spent last into a file beside the database. */
export type LastSpent = { readonly record: (record: SpentRecord) => void; readonly close: () => void };

/**
 * Opens the file and empties it. A record goes to the operating system and not to the disk: it outlives a killed process,
 * and costs a few microseconds a commit. Losing it with the power is no harm, since then nothing is taken on trust anyway. A record
 * that can't be written must not make a committed write look failed: the file goes, and the next start takes nothing on trust.
 */
export function openLastSpent(file: string): LastSpent {
  const handle = openSync(file, "w", 0o600);
  writeSync(handle, Buffer.alloc(RECORD_BYTES), 0, RECORD_BYTES, 0);
  let isLost = false;
  return {
    record: (record) => {
      if (isLost) return;
      try {
        writeSync(handle, pack(record), 0, RECORD_BYTES, 0);
      } catch {
        isLost = true;
        rmSync(file, { force: true });
      }
    },
    close: () => closeSync(handle),
  };
}
