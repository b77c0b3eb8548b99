import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createRing } from "./ring.ts";

test("holds exactly the newest items, oldest first, whatever was pushed", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (items, capacity) => {
      const ring = createRing<number>(capacity);
      for (const item of items) ring.push(item);
      assert.deepEqual(ring.items(), items.slice(-capacity));
    }),
    { seed: 5 },
  );
});
