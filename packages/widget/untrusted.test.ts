import assert from "node:assert/strict";
import { test } from "node:test";
import { anyText } from "@stile/testkit/payloads/any-text";
import fc from "fast-check";
import { clip, fieldsOf, numberOr } from "./untrusted.ts";

test("clips any text to printable ASCII of bounded length", () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.anything()), fc.nat(50), (value, max) => {
      assert.match(clip(value, max), new RegExp(`^[ -~]{0,${max}}$`));
    }),
    { seed: 11 },
  );
});

test("reads a number outside its bounds, or none, as null", () => {
  for (const value of [-1, 11, Number.NaN, Number.POSITIVE_INFINITY, "5", null, undefined, {}]) {
    assert.equal(numberOr(value, 0, 10), null);
  }
  assert.deepEqual([numberOr(0, 0, 10), numberOr(10, 0, 10), numberOr(2.5, 0, 10)], [0, 10, 2.5]);
});

test("reads fields of any value, most of which have none", () => {
  for (const value of [null, undefined, 1, "text", true]) assert.deepEqual(fieldsOf(value), {});
  assert.equal(fieldsOf({ a: 1 }).a, 1);
});
