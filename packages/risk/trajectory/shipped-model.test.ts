import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FEATURE_NAMES } from "./features.ts";
import { parseModel, SHIPPED_MODEL } from "./shipped-model.ts";

const file = JSON.parse(readFileSync(join(import.meta.dirname, "model.json"), "utf8"));

test("the shipped model is of the features that are extracted, in their order", () => {
  assert.deepEqual(SHIPPED_MODEL.features, [...FEATURE_NAMES]);
});

test("the version of the shipped model is the hash of its numbers: nobody changed one by hand", () => {
  const { version, trained_on: _, ...numbers } = file;
  assert.equal(createHash("sha256").update(JSON.stringify(numbers)).digest("hex").slice(0, 12), version);
});

test("the shipped model says what it was trained on", () => {
  const { trained_on } = file;
  assert.match(trained_on.sha256_of_recordings, /^[0-9a-f]{64}$/);
  assert.ok(trained_on.people > 0 && trained_on.programs.length > 0 && trained_on.recordings > 0);
  assert.ok(
    trained_on.programs.every((name: string) => !name.includes("replay")),
    "replays are a person's own path",
  );
});

test("a model of other features, or with numbers missing, is refused", () => {
  const renamed = [...file.features.slice(1), file.features[0]];
  for (const [change, reason] of [
    [{ features: renamed }, /other features/],
    [{ features: file.features.slice(1) }, /other features/],
    [{ mean: file.mean.slice(1) }, /missing/],
    [{ spread: file.spread.map(() => 0) }, /missing/],
    [{ coefficients: [...file.coefficients, 1] }, /missing/],
    [{ whitening: file.whitening.map((row: number[]) => row.map(() => null)) }, /missing/],
    [{ calibration: { slope: -1, offset: 0 } }, /missing/],
  ] as const) {
    assert.throws(() => parseModel({ ...file, ...change }), reason, JSON.stringify(Object.keys(change)));
  }
});
