import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBehaviour, decodeEnvironment } from "@stile/protocol/decode-signals";
import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { readSignals } from "./signals.ts";

const { environment, behaviour } = CHROME_VISITOR;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

test("reads both strings, and keeps the exact bytes of the puzzle's digest (D9, submission)", () => {
  const spaced = Buffer.from(`${JSON.stringify(environment, undefined, 2)}\n`);
  const reading = readSignals(spaced.toString("base64url"), encode(behaviour));
  assert.deepEqual(reading.observe().environment, decodeEnvironment(environment));
  assert.deepEqual(reading.observe().behaviour, decodeBehaviour(behaviour));
  assert.deepEqual(Buffer.from(reading.environmentBytes()), spaced);
});

test("withholds absent, malformed, oversized or unknown signals, each separately (D9, submission)", () => {
  const tooLong = Buffer.alloc(SIGNALS_BYTES_LIMIT + 1, 0x20).toString("base64url");
  const prototype = Buffer.from('{"__proto__":{}}').toString("base64url");
  const invalid = Buffer.from([0xff, 0xfe]).toString("base64url");
  const cases = [
    undefined,
    null,
    "",
    "!",
    `${encode(environment)}=`,
    encode(null),
    encode([]),
    encode({ v: 1 }),
    tooLong,
    prototype,
    invalid,
  ];
  cases.push(encode({ ...environment, v: 1 }), Buffer.from("{").toString("base64url"));
  for (const text of cases) {
    assert.equal(
      readSignals(text, encode(behaviour)).observe().environment,
      "withheld",
      String(text).slice(0, 30),
    );
    assert.notEqual(readSignals(text, encode(behaviour)).observe().behaviour, "withheld");
    assert.equal(
      readSignals(encode(environment), text).observe().behaviour,
      "withheld",
      String(text).slice(0, 30),
    );
    assert.notEqual(readSignals(encode(environment), text).observe().environment, "withheld");
  }
});

test("keeps the committed bytes even if they are no signals, but not oversized ones (D9, submission)", () => {
  assert.deepEqual(
    Buffer.from(readSignals(Buffer.from("x").toString("base64url"), null).environmentBytes()),
    Buffer.from("x"),
  );
  const tooLong = Buffer.alloc(SIGNALS_BYTES_LIMIT + 1).toString("base64url");
  assert.equal(readSignals(tooLong, null).environmentBytes().length, 0);
  assert.equal(
    readSignals(Buffer.alloc(SIGNALS_BYTES_LIMIT).toString("base64url"), null).environmentBytes()
      .length,
    SIGNALS_BYTES_LIMIT,
  );
});

test("drops fields that the collector does not have (D9, submission)", () => {
  const { environment: read } = readSignals(
    encode({ ...environment, verdict: "human", score: 0 }),
    null,
  ).observe();
  assert.deepEqual(read, decodeEnvironment(environment));
});
