import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createLargest } from "./largest.ts";

test("always finds an item with the highest count, after any additions and removals", () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.boolean()), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (changes) => {
      const largest = createLargest<number>();
      const sizes = new Map<number, number>();
      for (const [item, isMore] of changes) {
        const before = sizes.get(item) ?? 0;
        if (!isMore && before === 0) continue;
        sizes.set(item, before + (isMore ? 1 : -1));
        largest.add(item, isMore ? 1 : -1);
        const most = Math.max(...sizes.values());
        const found = largest.find();
        assert.equal(found === undefined ? 0 : sizes.get(found), most);
      }
    }),
  );
});
