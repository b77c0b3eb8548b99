import assert from "node:assert/strict";
import { test } from "node:test";
import { anyText } from "@stile/testkit/payloads/any-text";
import fc from "fast-check";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const anyBytes = fc.uint8Array({ minLength: 0, maxLength: 300 });

test("encodes as Node's encoder does", () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      assert.equal(encodeBase64url(bytes), Buffer.from(bytes).toString("base64url"));
    }),
  );
});

test("encodes long texts without a seam between chunks", () => {
  for (const length of [3071, 3072, 3073, 6144, 6145, 6146, 49_152]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) ^ (i >> 8));
    const text = encodeBase64url(bytes);
    assert.equal(text, Buffer.from(bytes).toString("base64url"));
    assert.deepEqual(decodeBase64url(text), bytes);
  }
});

test("reads back every byte it wrote", () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      assert.deepEqual(decodeBase64url(encodeBase64url(bytes)), Uint8Array.from(bytes));
    }),
  );
});

test("accepts a text only if it is the encoding of its decoded bytes, so that bytes have one spelling (D3, single use)", () => {
  const alphabetText = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 40 });
  const text = fc.oneof(
    alphabetText,
    anyText({ maxLength: 40 }),
    fc.base64String({ maxLength: 40 }),
  );
  fc.assert(
    fc.property(text, (text) => {
      const isCanonical = Buffer.from(text, "base64url").toString("base64url") === text;
      const bytes = decodeBase64url(text);
      assert.equal(bytes !== undefined, isCanonical);
      if (bytes !== undefined) assert.equal(encodeBase64url(bytes), text);
    }),
    { numRuns: 1000 },
  );
});

test("accepts exactly one of all spellings of a last character (D3, single use)", () => {
  for (const [stem, spellings] of [
    ["A", 64 / 16],
    ["AA", 64 / 4],
    ["AAA", 64],
  ] as const) {
    const accepted = [...ALPHABET].filter((last) => decodeBase64url(stem + last) !== undefined);
    assert.equal(accepted.length, spellings);
  }
});

test("refuses padding, white space, the other alphabet and characters beyond ASCII at every position", () => {
  for (const text of ["AAAA", "AAAAAA", "AAAAAAA"]) {
    for (const foreign of [
      "=",
      "+",
      "/",
      " ",
      "\n",
      "\t",
      "\0",
      ".",
      "\u007f",
      "\u0080",
      "\u0141",
      "\uff21",
      "\ud83d",
    ]) {
      for (let at = 0; at < text.length; at++) {
        const spoilt = text.slice(0, at) + foreign + text.slice(at + 1);
        assert.equal(decodeBase64url(spoilt), undefined, JSON.stringify(spoilt));
      }
      assert.equal(decodeBase64url(text + foreign), undefined);
      assert.equal(decodeBase64url(foreign + text), undefined);
    }
  }
});

test("refuses a length that no bytes have, and reads the empty text as no bytes", () => {
  for (const text of ["A", "AAAAA", "AAAAAAAAA"]) assert.equal(decodeBase64url(text), undefined);
  assert.deepEqual(decodeBase64url(""), new Uint8Array());
});
