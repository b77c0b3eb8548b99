import assert from "node:assert/strict";
import { test } from "node:test";
import { listPermutations } from "./permutations.ts";

/** All 40,320 orders of 0..7, lexicographically. */
function allOrders(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((value) =>
    allOrders(values.filter((other) => other !== value)).map((rest) => [value, ...rest]),
  );
}

/** The rule, written a second time: as the orders that it excludes. */
const REFUSED_AT = ["135", "01", "02", "023", "024", "0245", "246", "134567"];
const FORBIDDEN = [/^02/, /^2.....0/, /^.2....0/];

test("lists exactly 625 permutations", () => {
  assert.equal(listPermutations().length, 625);
});

test("lists exactly the orders of 0..7 that keep the rule, in lexicographic order", () => {
  const expected = allOrders([0, 1, 2, 3, 4, 5, 6, 7])
    .map((order) => order.join(""))
    .filter((order) => [...order].every((value, place) => !REFUSED_AT[place]?.includes(value)))
    .filter((order) => !FORBIDDEN.some((pattern) => pattern.test(order)));
  assert.deepEqual(
    listPermutations().map((permutation) => permutation.join("")),
    expected,
  );
});

test("lets no instruction after the first read the register it writes", () => {
  for (const permutation of listPermutations()) {
    for (let place = 1; place < 8; place++)
      assert.notEqual(permutation[place], place, permutation.join(""));
  }
});
