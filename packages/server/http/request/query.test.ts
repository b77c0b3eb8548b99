import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readQuery } from "./query.ts";

test("reads the values of a query by name, decoded", () => {
  assert.deepEqual(readQuery("/x"), {});
  assert.deepEqual(readQuery("/x?"), {});
  assert.deepEqual(readQuery("/x?a=1&b=%C3%A9&c"), { a: "1", b: "é", c: "" });
  assert.deepEqual(readQuery("/x?a=b?c"), { a: "b?c" });
});

test("refuses a repeated name in any spelling (D8, challenge)", () => {
  for (const query of ["a=1&a=2", "a&a", "a=1&%61=1"])
    assert.equal(readQuery(`/x?${query}`), undefined, query);
});

test("refuses more parameters than any endpoint takes, before it reads them", () => {
  const query = (count: number): string =>
    Array.from({ length: count }, (_, index) => `p${index}`).join("&");
  assert.equal(Object.keys(readQuery(`/x?${query(32)}`) ?? {}).length, 32);
  assert.equal(readQuery(`/x?${query(33)}`), undefined);
  assert.equal(readQuery(`/x?${"&".repeat(8000)}`), undefined);
  assert.deepEqual(readQuery(`/x?a=${"b".repeat(2046)}`), { a: "b".repeat(2046) });
  assert.equal(readQuery(`/x?a=${"b".repeat(2047)}`), undefined);
});

test("reads everything as the URL standard does", () => {
  const piece = fc.constantFrom(
    ..."ab=&&==?%+/#\u00e9",
    "%41",
    "%",
    "__proto__",
    "site_key=",
    "pk_1",
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, (query) => {
      const expected = [...new URLSearchParams(query)];
      const isUnique = new Map(expected).size === expected.length;
      assert.deepEqual(
        readQuery(`/x?${query}`),
        isUnique ? Object.fromEntries(expected) : undefined,
      );
    }),
    { numRuns: 2000 },
  );
});
