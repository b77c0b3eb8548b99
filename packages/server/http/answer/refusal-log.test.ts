import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { pino } from "pino";
import { errorAnswer } from "./answer.ts";
import { createRefusalLog, MAX_LOGGED_PER_MINUTE } from "./refusal-log.ts";

/** A log for this test, its lines, and its clock in ms. */
function open() {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  const clock = { nowMs: 0 };
  const record = createRefusalLog(pino({ base: null, timestamp: false }, sink), () => clock.nowMs);
  const context = { requestId: "request-1" };
  return { lines, clock, record, context, refusal: errorAnswer("bad_request", context) };
}

test("logs a refusal in one line with its id, status, code and route (D11, errors)", () => {
  const { lines, record, context, refusal } = open();
  record(refusal, context, "/api/v1/verify");
  const line = {
    level: 30,
    requestId: "request-1",
    status: 400,
    code: "bad_request",
    path: "/api/v1/verify",
  };
  assert.deepEqual(lines, [{ ...line, msg: "Refused a request; `code` says why." }]);
});

test("logs no answers, no faults, and no refusals that a site's decisions list", () => {
  const { lines, record, context, refusal } = open();
  record({ status: 200, body: {} }, context);
  record(errorAnswer("internal_error", context), context);
  record({ ...refusal, isUnlogged: true }, context);
  assert.deepEqual(lines, []);
});

test("logs a limited number of refusals per minute in a flood, and then the number of the others", () => {
  const { lines, clock, record, context, refusal } = open();
  for (let count = 0; count < 1000; count++) record(refusal, context);
  clock.nowMs = 59_999;
  record(refusal, context);
  assert.equal(lines.length, MAX_LOGGED_PER_MINUTE);
  clock.nowMs = 60_000;
  record(refusal, context);
  assert.equal(lines.length, MAX_LOGGED_PER_MINUTE + 2);
  assert.equal(lines.at(-2)?.refusals, 1001 - MAX_LOGGED_PER_MINUTE);
  clock.nowMs = 180_000;
  record(refusal, context);
  assert.equal(lines.length, MAX_LOGGED_PER_MINUTE + 3, "a quiet minute leaves nothing out");
});
