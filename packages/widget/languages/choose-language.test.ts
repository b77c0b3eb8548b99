import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chooseLanguage, LANGUAGES } from "./choose-language.ts";

test("the guide lists them, and no others", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/guide/languages.md"), "utf8");
  const listed = /^ar, [^.]+\./m.exec(guide)?.[0].slice(0, -1).split(/,\s/);
  assert.deepEqual(listed, LANGUAGES);
});

test("the first wish that can be met is met, also without its region, whatever its case", () => {
  assert.equal(chooseLanguage(["de-AT", "fr"]), "de");
  assert.equal(chooseLanguage([null, undefined, "", "auto", "xx", "PT-br", "de"]), "pt-BR");
  assert.equal(chooseLanguage(["pt-PT"]), "pt");
  assert.equal(chooseLanguage(["en-GB", "de"]), "en");
});

test("a language stands for its kin, and for its script", () => {
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

test("nothing that can't be met makes it anything but English", () => {
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

test("there are forty languages and more", () => {
  assert.ok(LANGUAGES.length + 1 >= 40);
  assert.equal(new Set(LANGUAGES).size, LANGUAGES.length);
});
