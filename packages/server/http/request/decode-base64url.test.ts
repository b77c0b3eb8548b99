import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { anyCharacter } from "@stile/testkit/payloads/any-text";
import fc from "fast-check";
import { decodeLongBase64url } from "./decode-base64url.ts";

/** As lists, because one may be a view of a larger buffer. */
const listOf = (bytes: Uint8Array | undefined): number[] | undefined => bytes && [...bytes];
const isSame = (text: string): void =>
  assert.deepEqual(
    listOf(decodeLongBase64url(text)),
    listOf(decodeBase64url(text)),
    JSON.stringify(text),
  );

test("reads short texts of an alphabet and its neighbours as the portable decoder does", () => {
  const characters = [
    "A",
    "B",
    "C",
    "D",
    "E",
    "P",
    "Q",
    "Z",
    "a",
    "g",
    "w",
    "z",
    "0",
    "9",
    "-",
    "_",
  ];
  const foreign = [
    "+",
    "/",
    "=",
    ".",
    " ",
    "\n",
    "\0",
    "@",
    "[",
    "`",
    "{",
    "\u0080",
    "é",
    "ÿ",
    "Ā",
    "Á",
    "😀",
  ];
  const all = ["", ...characters, ...foreign];
  for (const a of all)
    for (const b of all) for (const c of all) for (const d of ["", "A", "="]) isSame(a + b + c + d);
});

test("reads every encoded text, and reads none with a changed, added or missing character as the same", () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const other = fc.oneof(
    fc.constantFrom(..."+/= \t=-_AZaz09"),
    fc.string({ minLength: 1, maxLength: 2, unit: anyCharacter }),
  );
  fc.assert(
    fc.property(bytes, fc.nat(), other, fc.nat(2), (one, place, inserted, left) => {
      const text = encodeBase64url(one);
      assert.deepEqual(listOf(decodeLongBase64url(text)), [...one]);
      const at = place % (text.length + 1);
      isSame(text.slice(0, at) + inserted + text.slice(at + left));
    }),
    { numRuns: 2000 },
  );
});

test("accepts one spelling of the last character", () => {
  for (const head of ["AAAA", ""]) {
    for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      isSame(`${head}A${character}`);
      isSame(`${head}AA${character}`);
    }
  }
});
