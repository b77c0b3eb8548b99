import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath } from "@stile/testkit/visits/pointer-paths";
import { parseRecording, type Recording } from "./read-examples.ts";

const RECORDING: Recording = {
  source: "test",
  subject: "made-up",
  kind: "human",
  generator: "human",
  events: handPath({ from: [120, 640], to: [470, 362] }, 5),
};

test("reads a line as it was written", () => {
  assert.deepEqual(parseRecording(JSON.stringify({ ...RECORDING, more: 1 })), RECORDING);
});

test("accepts a line that does not name its collection", () => {
  const { source: _, ...rest } = RECORDING;
  assert.equal(parseRecording(JSON.stringify(rest)).source, "");
});

test("refuses a line that is not a recording, and says what it needs", () => {
  const { subject: _, ...nobody } = RECORDING;
  for (const line of [
    JSON.stringify(nobody),
    JSON.stringify({ ...RECORDING, kind: "cat" }),
    "{}",
  ]) {
    assert.throws(
      () => parseRecording(line),
      /subject, kind \(human or bot\), generator and events/,
    );
  }
  assert.throws(() => parseRecording("nonsense"));
});
