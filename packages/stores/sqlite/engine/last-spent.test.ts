import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openLastSpent, readLastSpent, type SpentMark } from "./last-spent.ts";

test("the last note is read back, and a new file holds none", (context) => {
  const file = temporaryFile(context);
  assert.equal(readLastSpent(file), "unreadable");
  const lastSpent = openLastSpent(file);
  assert.equal(readLastSpent(file), undefined);
  const marks: readonly SpentMark[] = [
    { table: "challenge_marks", id: Uint8Array.from({ length: 16 }, (_, i) => i), keepUntilMs: 1_800_000_000_123 },
    { table: "token_marks", id: Uint8Array.from({ length: 12 }, (_, i) => 255 - i), keepUntilMs: 1 },
  ];
  for (const mark of marks) {
    lastSpent.note(mark);
    const read = readLastSpent(file);
    assert.ok(read !== undefined && read !== "unreadable");
    assert.deepEqual({ ...read, id: [...read.id] }, { ...mark, id: [...mark.id] });
  }
  lastSpent.close();
});

test("a file that is cut short or holds something else is not taken for a note", (context) => {
  const file = temporaryFile(context);
  const lastSpent = openLastSpent(file);
  lastSpent.note({ table: "token_marks", id: new Uint8Array(12), keepUntilMs: 1 });
  lastSpent.close();
  truncateSync(file, 31);
  assert.equal(readLastSpent(file), "unreadable");
  writeFileSync(file, Buffer.alloc(32, 9));
  assert.equal(readLastSpent(file), "unreadable");
});

test("a note that can't be written does not throw, and leaves nothing that a later start could trust (D3)", (context) => {
  const file = temporaryFile(context);
  const lastSpent = openLastSpent(file);
  lastSpent.close();
  for (let i = 0; i < 2; i++) lastSpent.note({ table: "token_marks", id: new Uint8Array(12), keepUntilMs: 1 });
  assert.equal(readLastSpent(file), "unreadable");
});
