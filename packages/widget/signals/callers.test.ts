import assert from "node:assert/strict";
import { test } from "node:test";
import { foreignLines } from "./callers.ts";

test("names the scripts that drivers put into a page", () => {
  const stacks = [
    "Error\n    at P (https://a.example/stile.js:1:1)\n    at eval (eval at evaluate (:370:30), <anonymous>:1:36)",
    "Error\n    at UtilityScript.evaluate (<anonymous>:372:16)",
    "Error\n    at getElementRegion (<anonymous>:428:31)\n    at callFunction (<anonymous>:386:22)",
    "Error\n    at pptr:evaluate;click%20(%2Fbot.js%3A3%3A9):1:7",
  ];
  assert.deepEqual(
    stacks.map((stack) => foreignLines(stack).length),
    [1, 1, 2, 1],
  );
});

test("ignores scripts that have an address: the page's, extensions', and code that they evaluate", () => {
  const stack = `Error
    at HTMLDocument.<anonymous> (https://shop.example/app.js:7:2)
    at eval (eval at run (https://shop.example/app.js:9:1), <anonymous>:1:1)
    at fill (chrome-extension://abcdef/content.js:1:1)
    at new Promise (<anonymous>)
    at async <anonymous>:381:23
    at Array.forEach (<anonymous>)
onclick@moz-extension://abc/x.js:3:4
global code@https://shop.example/a.js:1:1`;
  assert.deepEqual(foreignLines(stack), []);
  assert.deepEqual(foreignLines(""), []);
});

test("keeps a line bounded and printable", () => {
  const [line = ""] = foreignLines(
    `at ${"\u2028\u00e9".repeat(500)}(<anonymous>:1:1)`.replace("(", "(<anonymous>:1:1"),
  );
  assert.ok(line.length <= 96);
  assert.match(line, /^[ -~]*$/);
});
