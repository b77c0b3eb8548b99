import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chooseLanguage, LANGUAGES } from "./choose-language.ts";

test("the guide lists all languages, and no others", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/guide/languages.md"), "utf8");
  const listed = /^ar, [^.]+\./m.exec(guide)?.[0].slice(0, -1).split(/,\s/);
  assert.deepEqual(listed, LANGUAGES);
});

test("chooses the first available preference, if need be without its region, in upper or lower case", () => {
  assert.equal(chooseLanguage(["de-AT", "fr"]), "de");
  assert.equal(chooseLanguage([null, undefined, "", "auto", "xx", "PT-br", "de"]), "pt-BR");
  assert.equal(chooseLanguage(["pt-PT"]), "pt");
  assert.equal(chooseLanguage(["en-GB", "de"]), "en");
});

test("matches a language to related tags, and by its script", () => {
  const stands = {
    no: "nb",
    "nn-NO": "nb",
    zh: "zh-CN",
    "zh-Hant": "zh-TW",
    "zh-Hant-HK": "zh-TW",
    "zh-HK": "zh-TW",
  };
  for (const [wish, language] of Object.entries({ ...stands, "zh-SG": "zh-CN" })) {
    assert.equal(chooseLanguage([wish]), language, wish);
  }
});

test("falls back to English only if no preference is available", () => {
  for (const wish of [
    "",
    "-",
    "e",
    "../de",
    "dehor",
    "x".repeat(10_000),
    null,
    undefined,
    7,
    {},
    ["x"],
  ])
    assert.equal(chooseLanguage([wish]), "en", String(wish));
});

test("offers at least forty languages", () => {
  assert.ok(LANGUAGES.length + 1 >= 40);
  assert.equal(new Set(LANGUAGES).size, LANGUAGES.length);
});
