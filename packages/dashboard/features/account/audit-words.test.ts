import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldName, toWords } from "./audit-words.ts";

test("says every kind of value that a change can hold in words", () => {
  const table: [unknown, string][] = [
    [null, "nothing"],
    [undefined, "nothing"],
    ["", "nothing"],
    [[], "nothing"],
    [true, "yes"],
    [false, "no"],
    [0, "0"],
    [0.35, "0.35"],
    ["strict", "strict"],
    [["a.example", "b.example"], "a.example, b.example"],
    [{ challenge: 0.3, block: 0.6 }, "challenge 0.3, block 0.6"],
  ];
  for (const [value, words] of table) assert.equal(toWords(value), words);
});

test("a site with 50 long domains does not flood the log", () => {
  const domains = Array.from({ length: 50 }, (_, i) => `${"a".repeat(60)}${i}.example`);
  assert.ok(toWords(domains).length <= 201);
  assert.ok(toWords(domains).endsWith("…"));
});

test("names fields for people, and shows an unknown one as it is, even one named like a member of every object", () => {
  assert.equal(fieldName("isEnabled"), "Enabled");
  assert.equal(fieldName("somethingNew"), "somethingNew");
  assert.equal(fieldName("constructor"), "constructor");
  assert.equal(fieldName("__proto__"), "__proto__");
});
