import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import * as widget from "@stile/widget/languages/choose-language";
import fc from "fast-check";
import { chooseLanguage, readWishes } from "./choose-language.ts";
import { ENGLISH, type TextName } from "./texts.ts";
import { loadWords, type Words } from "./words.ts";

const DIRECTORY = join(import.meta.dirname, "languages");
const NAMES = Object.keys(ENGLISH) as TextName[];
const TITLES = NAMES.filter((name) => name.endsWith("Title") || name === "incomplete");
const FILES = readdirSync(DIRECTORY);

const read = (language: string): Readonly<Record<TextName, string>> =>
  JSON.parse(readFileSync(join(DIRECTORY, `${language}.json`), "utf8"));
const placesIn = (text: string): readonly string[] => (text.match(/\{[^}]*\}/g) ?? []).toSorted();

const findWords = loadWords();
/** Words for a browser with these preferred languages, and a site with that setting. */
const ask = (header: string | undefined, site?: string): Words =>
  findWords(
    { headers: header === undefined ? {} : { "accept-language": header } } as IncomingMessage,
    site,
  );
const languageFor = (header: string | undefined, site?: string): string =>
  ask(header, site).language;

test("has the widget's languages, and no other", () => {
  assert.deepEqual(
    FILES.toSorted(),
    widget.LANGUAGES.map((language) => `${language}.json`).toSorted(),
  );
});

for (const language of widget.LANGUAGES) {
  test(`${language}: has every text in its own words, with all names`, () => {
    const texts = read(language);
    assert.deepEqual(Object.keys(texts), NAMES);
    for (const name of NAMES) {
      const text = texts[name];
      assert.deepEqual(placesIn(text), placesIn(ENGLISH[name]), `${name}: ${text}`);
      assert.ok(text.trim() === text && text.replaceAll(/\{\d\}/g, "") !== "", name);
      // In Danish, Dutch and others, a few words are as in English.
      assert.ok(text !== ENGLISH[name] || text.length < 20, `${name} is English: ${text}`);
      assert.doesNotMatch(text, /[\p{Cc}\p{Co}\p{Cs}\u202a-\u202e\u2066-\u2069<>&]/u, name);
    }
    assert.equal(
      new Set(TITLES.map((name) => texts[name])).size,
      TITLES.length,
      "no two pages have one title",
    );
    const { direction } = ask(language);
    assert.equal(direction, /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(texts.why) ? "rtl" : "ltr");
  });

  test(`${language}: has units for seconds and minutes`, () => {
    for (const amount of [1, 2, 5, 18, 30, 60]) {
      for (const unit of ["second", "minute"] as const)
        assert.match(ask(language).span(amount, unit), /\p{L}/u);
    }
  });
}

test("takes the site's language first, then the browser's by weight, else English", () => {
  assert.equal(languageFor("fr;q=0.8, de-AT, en;q=0.9"), "de");
  assert.equal(languageFor("fr;q=0.8, de;q=0.9", "auto"), "de");
  assert.equal(languageFor("fr", "pt-BR"), "pt-BR");
  assert.equal(languageFor("fr", "xx"), "fr", "a language that nobody speaks is no wish");
  for (const header of [undefined, "", "*", "xx", "tlh, *;q=0.5"])
    assert.equal(languageFor(header), "en");
});

test("ignores a language with weight 0 or an unreadable weight", () => {
  for (const weight of ["0", "0.000", "2", "-1", "1.5", "0.1234", "x", "", "NaN", "1e0"]) {
    assert.equal(languageFor(`de;q=${weight}, fr;q=0.001`), "fr", weight);
  }
  assert.equal(languageFor("de; q=0.5 , fr ;q=0.6"), "fr");
});

test("chooses languages as the widget does", () => {
  const wishes = [
    "no",
    "nn-NO",
    "zh",
    "zh-Hant",
    "zh-HK",
    "zh-SG",
    "PT-br",
    "pt-PT",
    "de-AT",
    "xx",
    "",
    "e",
    "../de",
  ];
  const known = new Map(
    ["en", ...widget.LANGUAGES].map((language) => [language.toLowerCase(), language]),
  );
  const tag = fc.oneof(fc.constantFrom(...wishes, ...known.values()), fc.string({ maxLength: 12 }));
  fc.assert(
    fc.property(fc.array(tag, { maxLength: 4 }), (tags) => {
      assert.equal(chooseLanguage(tags, known), widget.chooseLanguage(tags));
    }),
    { numRuns: 500, seed: 20261123 },
  );
});

test("chooses an available language for any header, and reads only its beginning", () => {
  const spoken = new Set(["en", ...widget.LANGUAGES]);
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (header) =>
      assert.ok(spoken.has(languageFor(header))),
    ),
    { numRuns: 500, seed: 20261123 },
  );
  assert.equal(languageFor(`${"x,".repeat(4000)}de`), "en");
  assert.ok(readWishes("a,".repeat(4000)).length <= 257);
  assert.equal(languageFor("__proto__, constructor, toString"), "en");
});

test("escapes the names in a text, and puts them in the language's own position", () => {
  const { say } = ask("de");
  assert.equal(say("reference", "<b>$&{0}").markup, "Kennung: &lt;b&gt;$&amp;{0}");
  assert.match(
    say("early", { markup: "<strong>3</strong>" }, "A&B").markup,
    /<strong>3<\/strong>.*„A&amp;B“/,
  );
  assert.equal(ask("fr").say("stepPress", "x").markup, "Appuyez sur « x ». Vous recevez un code.");
});
