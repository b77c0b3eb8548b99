import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath } from "@stile/testkit/visits/pointer-paths";
import { FEATURE_COUNT } from "../trajectory/features.ts";
import { parseRecording, type Recording, toExamples } from "./read-examples.ts";

const RECORDING: Recording = {
  subject: "made-up",
  kind: "human",
  generator: "human",
  events: handPath({ from: [120, 640], to: [470, 362] }, 5),
};

test("a line is read as it was written", () => {
  assert.deepEqual(parseRecording(JSON.stringify({ ...RECORDING, source: "test" })), RECORDING);
});

test("a line that is no recording is refused with what it needs", () => {
  const { subject: _, ...nobody } = RECORDING;
  for (const line of [JSON.stringify(nobody), JSON.stringify({ ...RECORDING, kind: "cat" }), "{}"]) {
    assert.throws(() => parseRecording(line), /subject, kind \(human or bot\), generator and events/);
  }
  assert.throws(() => parseRecording("nonsense"));
});

test("a recording makes two examples, itself and an altered copy, always the same", () => {
  const examples = toExamples(RECORDING);
  assert.deepEqual(
    examples.map(({ isAltered }) => isAltered),
    [false, true],
  );
  assert.ok(examples.every(({ features }) => features.length === FEATURE_COUNT));
  assert.notDeepEqual(examples[0]?.features, examples[1]?.features);
  assert.deepEqual(toExamples(RECORDING), examples);
});

test("a recording with too little movement makes none", () => {
  assert.deepEqual(toExamples({ ...RECORDING, events: RECORDING.events.slice(-2) }), []);
});
