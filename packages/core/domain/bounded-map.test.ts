import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createBoundedMap } from "./bounded-map.ts";

test("a full map drops the entry that was set longest ago; setting an entry again renews it, and getting it does not", () => {
  const map = createBoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  assert.equal(map.get("b"), 2);
  map.set("c", 4);
  assert.deepEqual([map.get("a"), map.get("b"), map.get("c")], [3, undefined, 4]);
});

test("a deleted entry takes no space", () => {
  const map = createBoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.delete("b");
  map.delete("never there");
  map.set("c", 3);
  assert.deepEqual([map.get("a"), map.get("b"), map.get("c")], [1, undefined, 3]);
});

test("the map always holds the newest entries of a truncated list", () => {
  const key = fc.integer({ min: 0, max: 9 });
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant("set" as const), key, value: fc.nat() }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), key }) },
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { maxLength: 60 }),
      (maxEntries, steps) => {
        const map = createBoundedMap<number, number>(maxEntries);
        let list: (readonly [number, number])[] = [];
        for (const one of steps) {
          list = list.filter(([known]) => known !== one.key);
          if (one.kind === "set") {
            list = [...list, [one.key, one.value] as const].slice(-maxEntries);
            map.set(one.key, one.value);
          } else {
            map.delete(one.key);
          }
        }
        const expected = new Map(list);
        for (let at = 0; at <= 9; at++) assert.equal(map.get(at), expected.get(at));
      },
    ),
  );
});
