import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FEATURE_NAMES } from "./features.ts";
import { parseModel, SHIPPED_MODEL } from "./shipped-model.ts";
import { SUPPORT_KEYS } from "./support.ts";

const file = JSON.parse(readFileSync(join(import.meta.dirname, "model.json"), "utf8"));

test("the shipped model uses the features that are extracted, in their order", () => {
  assert.deepEqual(SHIPPED_MODEL.features, [...FEATURE_NAMES]);
});

test("the version of the shipped model is the hash of its numbers, so that no number is changed by hand", () => {
  const { version, trained_on: _, ...numbers } = file;
  assert.equal(
    createHash("sha256").update(JSON.stringify(numbers)).digest("hex").slice(0, 12),
    version,
  );
});

test("the shipped model names the data that it was trained on", () => {
  const { trained_on } = file;
  assert.match(trained_on.sha256_of_recordings, /^[0-9a-f]{64}$/);
  assert.ok(trained_on.people > 0 && trained_on.programs.length > 0 && trained_on.recordings > 0);
  assert.ok(
    trained_on.programs.every((name: string) => !name.includes("replay")),
    "replays are a person's own path",
  );
});

test("the shipped model was also trained on synthetic programs, and names what it does not score", () => {
  assert.ok(file.trained_on.made_up_programs.length >= 6);
  assert.deepEqual(Object.keys(file.support).sort(), [...SUPPORT_KEYS].sort());
});

test("the shipped model is small enough to be read", () => {
  assert.ok(JSON.stringify(file).length < 150_000);
});

test("refuses a model of other features, or with missing numbers", () => {
  const renamed = [...file.features.slice(1), file.features[0]];
  const [tree] = file.trees;
  const [[feature, threshold, low, high], ...splits] = tree.splits;
  const withSplit = (split: unknown): object => ({
    trees: [{ ...tree, splits: [split, ...splits] }],
  });
  for (const [change, reason] of [
    [{ features: renamed }, /other features/],
    [{ features: file.features.slice(1) }, /other features/],
    [{ support: undefined }, /missing/],
    [{ support: { ...file.support, linePx: "40" } }, /missing/],
    [{ trees: [] }, /missing/],
    [{ trees: [{ ...tree, leaves: tree.leaves.slice(1) }] }, /missing/],
    [withSplit([feature, null, low, high]), /missing/],
    [withSplit([FEATURE_NAMES.length, threshold, low, high]), /missing/],
    [withSplit([feature, threshold, 0, high]), /missing/],
    [{ calibration: { slope: -1, offset: 0 } }, /missing/],
    [{ exceeded: [[[0.05]]] }, /missing/],
    [{ exceeded: [file.exceeded[0].slice(1)] }, /missing/],
  ] as const) {
    assert.throws(
      () => parseModel({ ...file, ...change }),
      reason,
      JSON.stringify(change).slice(0, 80),
    );
  }
});
