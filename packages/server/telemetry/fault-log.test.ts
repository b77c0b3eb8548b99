import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { pino } from "pino";
import { createFaultLog, MAX_NAMED } from "./fault-log.ts";

/** A fault log, its lines, and a function that ends the minute. */
function open() {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  let waiting: (() => void)[] = [];
  const endMinute = (): void => {
    const due = waiting;
    waiting = [];
    for (const work of due) work();
  };
  const record = createFaultLog(
    pino({ base: null, timestamp: false }, sink),
    (work) => void waiting.push(work),
  );
  return { lines, record, endMinute, waiting: () => waiting.length };
}

const full = (): Error =>
  new StoreUnavailable("can't be written", { cause: new Error("database or disk is full") });

test("logs the first fault of a kind in full, with its request id and its cause (D11, errors)", () => {
  const { lines, record } = open();
  record(full(), "The store failed.", { requestId: "r-0" });
  assert.equal(lines.length, 1);
  assert.deepEqual(
    [lines[0]?.msg, lines[0]?.requestId, lines[0]?.level],
    ["The store failed.", "r-0", 50],
  );
  assert.match(JSON.stringify(lines[0]?.err), /can't be written.*database or disk is full/);
});

test("logs 10,000 faults of a kind in one line, then one line a minute with their number and the first ids", () => {
  const { lines, record, endMinute, waiting } = open();
  for (let minute = 0; minute < 3; minute++) {
    for (let i = 0; i < 10_000; i++)
      record(full(), "The store failed.", { requestId: `r-${minute}-${i}` });
    endMinute();
  }
  assert.deepEqual(
    lines.map(({ count }) => count),
    [undefined, 9_999, 10_000, 10_000],
  );
  const ids = lines[2]?.requestIds as string[];
  assert.deepEqual([ids.length, ids[0]], [MAX_NAMED, "r-1-0"]);
  assert.ok(JSON.stringify(lines).length < 6000);
  endMinute();
  assert.deepEqual([lines.length, waiting()], [4, 0], "a quiet minute ends it");
  record(full(), "The store failed.");
  assert.ok(lines[4]?.err, "and the next fault is logged in full again");
});

test("distinguishes kinds by what failed, and by why", () => {
  const { lines, record } = open();
  record(full(), "The store failed.");
  record(new StoreUnavailable("another process holds the database"), "The store failed.");
  record(full(), "A job failed.");
  record("no error at all", "A request failed.");
  record(full(), "The store failed.");
  assert.equal(lines.length, 4);
});

test("bounds faults that have a different message each time, too", () => {
  const { lines, record, endMinute, waiting } = open();
  for (let i = 0; i < 10_000; i++)
    record(new Error(`of visitor ${i}`), "A request failed.", { requestId: `r-${i}` });
  assert.ok(lines.length < 50);
  endMinute();
  const counted = lines.reduce(
    (sum, { count }) => sum + (typeof count === "number" ? count : 1),
    0,
  );
  assert.equal(counted, 10_000);
  endMinute();
  assert.equal(waiting(), 0);
});
