import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toSearch } from "./query.ts";

test("says nothing where there is nothing to say, so that addresses stay short", () => {
  for (const query of [undefined, {}, { show: undefined }, { show: "", before: undefined }])
    assert.equal(toSearch(query), "");
});

test("a zero is a value", () => {
  assert.equal(toSearch({ from: 0, to: 5 }), "?from=0&to=5");
});

test("whatever a value holds, it is read again as it was written, and begins no other", () => {
  const text = fc.string({ minLength: 1, unit: "grapheme" });
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1, unit: "grapheme" }), text), (query) => {
      const read = Object.fromEntries(new URLSearchParams(toSearch(query)));
      assert.deepEqual(read, { ...query });
    }),
    { seed: 5 },
  );
});
