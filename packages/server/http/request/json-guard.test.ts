import assert from "node:assert/strict";
import { test } from "node:test";
import { JSON_DEPTH_LIMIT } from "@stile/protocol/limits";
import { anyText } from "@stile/testkit/payloads/any-text";
import fc from "fast-check";
import { readJson as readBounded } from "./json-guard.ts";

/** More characters outside of texts than any input here has. */
const MANY = 200_000;
const readJson = (text: string) => readBounded(text, MANY);
const nested = (depth: number, open: string, inner: string, close: string): string =>
  open.repeat(depth) + inner + close.repeat(depth);
const isRefused = (text: string): boolean => readJson(text).kind !== "json";

const FORBIDDEN = ["__proto__", "constructor", "prototype"];
const keys = anyText().filter((key) => !FORBIDDEN.includes(key));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    anyText(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
})).value;

test("reads every JSON value without forbidden keys exactly as JSON.parse does (D11, errors)", () => {
  fc.assert(
    fc.property(values, fc.constantFrom(undefined, 0, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      assert.deepEqual(readJson(text), { kind: "json", value: JSON.parse(text) });
    }),
    { numRuns: 1000 },
  );
});

test("never throws, and never accepts a text that JSON.parse refuses", () => {
  const pieces = fc.constantFrom(
    ...'{}[]:,"\\ \n\tu0041a1-.e',
    '"a"',
    '"__proto__"',
    "\\u",
    '\\"',
    "null",
    "\u0000",
    "\ud800",
    "\ufeff",
  );
  const garbage = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(garbage, anyText(), fc.json()), (text) => {
      const reading = readJson(text);
      if (reading.kind === "json") assert.deepEqual(reading.value, JSON.parse(text));
      else assert.match(reading.message, /^The body .*\.$/s);
    }),
    { numRuns: 5000 },
  );
});

test("takes 8 levels and refuses 9, of objects, lists and both (D11, errors)", () => {
  assert.equal(JSON_DEPTH_LIMIT, 8);
  for (const [open, inner, close] of [
    ["[", "", "]"],
    ['{"a":', "1", "}"],
  ] as const) {
    assert.equal(isRefused(nested(8, open, inner, close)), false, open);
    assert.equal(isRefused(nested(9, open, inner, close)), true, open);
  }
  assert.equal(isRefused(nested(4, '[{"a":', "1", "}]")), false);
  assert.equal(isRefused(`[${nested(4, '[{"a":', "1", "}]")}]`), true);
  assert.equal(isRefused(nested(30_000, "[", "", "]")), true);
});

test("counts depth, not brackets, and takes many shallow values (D11, errors)", () => {
  assert.equal(isRefused(`[${new Array(500).fill("[[]]").join(",")}]`), false);
});

test("treats brackets, quotes and backslashes inside strings as text (D11, errors)", () => {
  const texts = [
    "{".repeat(20),
    "[[[[[[[[[[",
    '"',
    '\\"',
    "\\",
    "\\\\",
    '\\\\"',
    ":",
    '{"a":1,"a":2}',
    '"__proto__":',
    "}{",
  ];
  for (const text of texts) {
    for (const value of [text, [text, text], { a: text, b: text }, { [text]: text }]) {
      assert.deepEqual(readJson(JSON.stringify(value)), { kind: "json", value }, text);
    }
  }
});

test("refuses a repeated key in one object, in any spelling (D11, errors)", () => {
  const twice = [
    '{"a":1,"a":1}',
    '{"a":1,"b":{},"a":2}',
    '{"a" : 1 , "a"\n:2}',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"a":2}',
    '{"\\u00e9":1,"é":2}',
    '{"\\u00E9":1,"\\u00e9":2}',
    '{"\\/":1,"/":2}',
    '{"":1,"":2}',
    '[{"b":{"a":1,"a":2}}]',
    '{"\\ud83d\\ude00":1,"😀":2}',
  ];
  for (const text of twice) {
    JSON.parse(text);
    assert.equal(isRefused(text), true, text);
  }
  const once = [
    '{"a":{"a":{"a":1}},"b":"a"}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":["a","a"]}',
    '{"a":1,"A":2}',
    '{"a\\\\":1,"a":2}',
  ];
  for (const text of once) assert.equal(isRefused(text), false, text);
});

test("refuses a key that names a prototype at any depth, escapes included, and takes it as a value (D11, errors)", () => {
  for (const name of FORBIDDEN) {
    const escaped = `\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}`;
    for (const key of [name, escaped]) {
      for (const text of [`{"${key}":{}}`, `{"a":[{"${key}":1}]}`, `{ "${key}"\t: 1 }`]) {
        JSON.parse(text);
        assert.equal(isRefused(text), true, text);
      }
    }
    assert.deepEqual(readJson(`{"a":"${name}"}`), { kind: "json", value: { a: name } });
  }
});

test("explains a refusal in a sentence with at most 40 characters of the key (D11, errors)", () => {
  const key = "k".repeat(5000);
  const reading = readJson(`{"${key}":1,"${key}":2}`);
  assert.ok(reading.kind === "refused");
  assert.equal(reading.message, `The body has the key "${"k".repeat(40)}" twice.`);
});

test("refuses empty and cut texts, a byte order mark and trailing text", () => {
  for (const text of [
    "",
    " ",
    "{",
    '{"a":1',
    '{"a',
    '"',
    '"\\"',
    "\ufeff{}",
    "{}x",
    "{}{}",
    "{'a':1}",
    "NaN",
    "undefined",
    '{"\\x":1}',
  ]) {
    assert.deepEqual(readJson(text), { kind: "refused", message: "The body is not JSON." }, text);
  }
});

test("takes as many characters outside of texts, and escapes in them, as allowed, and refuses one more (D11, errors)", () => {
  const refusal = "The body has too many fields, values, spaces or escapes for this endpoint.";
  for (const [text, marks] of [
    ["{}", 2],
    ['{"a":"b"}', 5],
    ['{"a" : [1, 22]}', 13],
    ['{"a":"[,,,,]{}"}', 5],
    ['{"a":"\\"[,,]\\""}', 7],
    ['{"\\u0061":"\\\\"}', 7],
    [`{"${"k".repeat(5000)}":"${"v".repeat(50_000)}"}`, 5],
  ] as const) {
    assert.deepEqual(
      readBounded(text, marks),
      { kind: "json", value: JSON.parse(text) },
      text.slice(0, 40),
    );
    assert.deepEqual(
      readBounded(text, marks - 1),
      { kind: "too_much", message: refusal },
      text.slice(0, 40),
    );
  }
  const spaced = `{"a"${" ".repeat(9)}:1,"a"${" ".repeat(9)}:1}`;
  assert.equal(isRefused(spaced), true);
  assert.deepEqual(readBounded(spaced, 20), { kind: "too_much", message: refusal });
  for (const text of ["[".repeat(9), '{"a":1,"a":2}', " ".repeat(9)]) {
    assert.notEqual(readBounded(text, 3).kind, "json", text);
  }
});

test("stays linear on the worst texts of 64 KiB", () => {
  const size = 65_536;
  const worst = [
    `{"${"\\".repeat(size)}`,
    `{${'"a"'.repeat(size / 3)}`,
    `{"a"${" ".repeat(size)}`,
    `{"a":"${"\\n".repeat(size / 2)}"}`,
    `{"a":"${'\\"'.repeat(size / 2)}"}`,
    `{"a":"${"\\\\".repeat(size / 2)}`,
    '"\\"'.repeat(size / 3),
    '{"a":'.repeat(size / 5),
    "]".repeat(size),
  ];
  const startedAtMs = performance.now();
  for (const text of worst) for (let i = 0; i < 10; i++) readJson(text);
  const eachMs = (performance.now() - startedAtMs) / (worst.length * 10);
  assert.ok(eachMs < 50, `${eachMs} ms each; a quadratic reading would take seconds`);
});
