import assert from "node:assert/strict";
import { test } from "node:test";
import { waitForPredecessor } from "./predecessor.ts";

function createDirectory(looksUntilFree: number) {
  const directory = { looks: 0, isServed: () => directory.looks++ < looksUntilFree };
  return directory;
}

function createLines() {
  const lines: unknown[] = [];
  return { lines, log: { info: (...line: unknown[]) => void lines.push(line) } };
}

test("waits at a start until another server is gone, and logs it once", async () => {
  const { lines, log } = createLines();
  const directory = createDirectory(4);
  await waitForPredecessor(directory, log, 60_000);
  assert.equal(directory.looks, 5);
  assert.deepEqual(lines, [
    [{ seconds: 60 }, "Another server runs on the data directory. Waiting for it to stop."],
  ]);
});

test("neither waits nor logs if no other server runs", async () => {
  const { lines, log } = createLines();
  await waitForPredecessor(createDirectory(0), log, 60_000);
  assert.deepEqual(lines, []);
});

test("stops waiting for a server that does not stop", async () => {
  const directory = createDirectory(Number.POSITIVE_INFINITY);
  await waitForPredecessor(directory, createLines().log, 60);
  assert.ok(directory.looks >= 2);
});
