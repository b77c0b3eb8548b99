import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toSearch } from "./query.ts";

test("leaves out empty values, so that addresses stay short", () => {
  for (const query of [undefined, {}, { show: undefined }, { show: "", before: undefined }])
    assert.equal(toSearch(query), "");
});

test("keeps a zero as a value", () => {
  assert.equal(toSearch({ from: 0, to: 5 }), "?from=0&to=5");
});

test("reads any value back as written, without starting another", () => {
  const text = fc.string({ minLength: 1, unit: "grapheme" });
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1, unit: "grapheme" }), text), (query) => {
      const read = Object.fromEntries(new URLSearchParams(toSearch(query)));
      assert.deepEqual(read, { ...query });
    }),
    { seed: 5 },
  );
});
