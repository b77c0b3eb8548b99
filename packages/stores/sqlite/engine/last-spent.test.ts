import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openLastSpent, readLastSpent, type SpentRecord } from "./last-spent.ts";

test("reads back the last record; a new file has none", () => {
  const file = temporaryFile();
  assert.equal(readLastSpent(file), "unreadable");
  const lastSpent = openLastSpent(file);
  assert.equal(readLastSpent(file), undefined);
  const records: readonly SpentRecord[] = [
    {
      table: "challenge_marks",
      id: Uint8Array.from({ length: 16 }, (_, i) => i),
      retainUntilMs: 1_800_000_000_123,
    },
    {
      table: "token_marks",
      id: Uint8Array.from({ length: 12 }, (_, i) => 255 - i),
      retainUntilMs: 1,
    },
  ];
  for (const record of records) {
    lastSpent.record(record);
    const read = readLastSpent(file);
    assert.ok(read !== undefined && read !== "unreadable");
    assert.deepEqual({ ...read, id: [...read.id] }, { ...record, id: [...record.id] });
  }
  lastSpent.close();
});

test("does not accept a file that is truncated or has other content", () => {
  const file = temporaryFile();
  const lastSpent = openLastSpent(file);
  lastSpent.record({ table: "token_marks", id: new Uint8Array(12), retainUntilMs: 1 });
  lastSpent.close();
  truncateSync(file, 31);
  assert.equal(readLastSpent(file), "unreadable");
  writeFileSync(file, Buffer.alloc(32, 9));
  assert.equal(readLastSpent(file), "unreadable");
});

test("does not throw if a record can't be written, and leaves nothing that a later start would trust (D3, single use)", () => {
  const file = temporaryFile();
  const lastSpent = openLastSpent(file);
  lastSpent.close();
  for (let i = 0; i < 2; i++)
    lastSpent.record({ table: "token_marks", id: new Uint8Array(12), retainUntilMs: 1 });
  assert.equal(readLastSpent(file), "unreadable");
});
