import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { WIDGET_ERROR_NAMES, type WidgetErrorName } from "../machine/widget-error.ts";
import { OFFLINE } from "../machine/widget-fault.ts";
import { LANGUAGES } from "./choose-language.ts";
import { en } from "./en.ts";
import { errorTexts, sayError, sayRequestId } from "./error-texts.ts";
import { toTexts } from "./load-texts.ts";
import { say, type Translation } from "./texts.ts";

const DIRECTORY = join(import.meta.dirname, "translations");
/** Limit of each file as it is sent. */
const MAX_GZIP_BYTES = 614;

/** The texts that contain a detail. */
const NAMING = ["press", "limited", "owner", "requestId"];
const KEYS = [
  "verify",
  "checking",
  "verified",
  "unverified",
  "expired",
  "retry",
  "press",
  "offline",
  "unreachable",
  "limited",
  "browser",
  "rejected",
  "blocked",
  "owner",
  "requestId",
];
const read = (language: string): Buffer => readFileSync(join(DIRECTORY, `${language}.json`));
const translationOf = (language: string) => JSON.parse(read(language).toString()) as Translation;
const english = new Set([
  en.verify,
  en.checking,
  en.verified,
  en.unverified,
  en.expired,
  en.retry,
  en.unreachable,
  en.offline,
  errorTexts.internal(),
  errorTexts.worker_failed(),
  errorTexts.solution_rejected(),
  errorTexts.blocked_by_policy(),
]);

test("has a translation of each language that is offered, and of no other", () => {
  assert.deepEqual(
    readdirSync(DIRECTORY).toSorted(),
    LANGUAGES.map((language) => `${language}.json`).toSorted(),
  );
});

for (const language of LANGUAGES) {
  test(`${language}: has every text in its own words with every detail, and is small`, () => {
    const translation = translationOf(language);
    assert.deepEqual(Object.keys(translation), KEYS);
    for (const [key, text] of Object.entries(translation)) {
      assert.ok(text.trim() === text && text !== "", key);
      assert.equal(text.split("{0}").length - 1, NAMING.includes(key) ? 1 : 0, `${key}: ${text}`);
      assert.ok(!english.has(text), `${key} is English: ${text}`);
    }
    assert.equal(new Set(Object.values(translation)).size, KEYS.length, "no two are alike");
    assert.ok(gzipSync(read(language), { level: 9 }).length <= MAX_GZIP_BYTES);
    assert.equal(Intl.getCanonicalLocales(language)[0], language);
  });

  test(`${language}: has a text for every error, with its detail`, () => {
    const texts = toTexts(language, translationOf(language));
    const told = (name: WidgetErrorName, detail?: string): string =>
      sayError(texts, { name, detail });
    for (const name of WIDGET_ERROR_NAMES) assert.ok(told(name, "12").length > 5, name);
    assert.match(told("rate_limited", "12"), /12|١٢|۱۲/);
    assert.match(told("sitekey_unknown"), /sitekey_unknown/);
    assert.notEqual(told("network", OFFLINE), told("network"));
    assert.match(sayRequestId(texts, "req-1"), /req-1/);
  });
}

test("never throws for a translation that lacks texts or has values that are not texts", () => {
  for (const answer of [null, 7, [], {}, { verify: { a: 1 } }, { rare: 1, language: 2 }]) {
    const texts = toTexts("de", answer);
    assert.equal(typeof say(texts, "verify"), "string");
    assert.equal(say(texts, "unverified"), en.unverified);
    assert.equal(typeof sayError(texts, { name: "network" }), "string");
    assert.equal(texts.language, "de");
  }
});
