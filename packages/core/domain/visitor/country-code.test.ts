import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCountryCode } from "./country-code.ts";

test("only two upper-case letters are a country code, so names cannot grow the statistics", () => {
  for (const code of ["DE", "US", "ZZ"]) assert.equal(parseCountryCode(code), code);
  const wrong = [
    "",
    "D",
    "DEU",
    "de",
    "De",
    "D1",
    "D ",
    " DE",
    "DE\n",
    "\nDE",
    "D:",
    "ÄÖ",
    "\uff24\uff25",
    "other",
  ];
  for (const value of [...wrong, undefined, null, 49, ["DE"], { toString: () => "DE" }]) {
    assert.equal(parseCountryCode(value), undefined, String(value));
  }
});
