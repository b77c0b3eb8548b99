import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

/** A spent token or challenge, and until when its record is kept. */
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

/**
 * The last record written. Undefined if none was, "unreadable" if the file is missing or has other
 * content.
 */
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

/** Writes the last spent record into a file next to the database. */
export type LastSpent = {
  readonly record: (record: SpentRecord) => void;
  readonly close: () => void;
};

/**
 * Opens the file and empties it.
 *
 * A record goes to the operating system, not to the disk. It survives a kill of the process and
 * costs a few microseconds per commit. A power failure may lose it, but after a reboot the keys are
 * retired anyway.
 *
 * If a record can't be written, the write was still committed, so nothing is thrown. The file is
 * removed instead, and the next start retires the keys.
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
