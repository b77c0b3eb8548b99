import assert from "node:assert/strict";
import { test } from "node:test";
import type { SiteSettings } from "./site.ts";
import { DEFAULT_SETTINGS, findSettingsProblems, normalizeSettings } from "./site-settings.ts";

const VALID: SiteSettings = { ...DEFAULT_SETTINGS, name: "Shop", domains: ["example.org"] };

const problemFields = (change: object): string[] =>
  findSettingsProblems({ ...VALID, ...change } as SiteSettings).map((problem) => problem.field);

test("a new site is managed, enabled, strictly bound, with tokens of 300 s (D4, sealed token; D5, binding; D13, formats)", () => {
  assert.deepEqual(DEFAULT_SETTINGS, {
    mode: "managed",
    theme: "auto",
    language: "auto",
    isEnabled: true,
    tokenLifeSeconds: 300,
    binding: "strict",
    thresholds: { challenge: 0.3, block: 0.6 },
    difficultyOffset: 0,
    signedAgents: "judge",
    verifyPerMinute: null,
    scorePerMinute: null,
    scoreSignals: "expected",
    onUnavailable: "submit",
    noScript: "off",
    contact: "",
  });
  assert.deepEqual(findSettingsProblems(VALID), []);
});

test("accepts each setting up to its bounds and names the field beyond them (D4, sealed token; D6, scores; D13, formats)", () => {
  const table: Record<string, { good: readonly unknown[]; bad: readonly unknown[] }> = {
    name: {
      good: ["a", "é".repeat(64), "😀".repeat(64)],
      bad: ["", "\u200d", "\u3164", "\u2800", "a".repeat(65), "😀".repeat(65)],
    },
    domains: {
      good: [
        ["a.example"],
        ["localhost"],
        ["127.0.0.1"],
        Array.from({ length: 50 }, (_, i) => `s${i}.example`),
      ],
      bad: [
        [],
        Array.from({ length: 51 }, (_, i) => `s${i}.example`),
        ["https://a.b"],
        ["a.b:80"],
        ["A.b"],
        ["*.a.b"],
      ],
    },
    mode: { good: ["managed", "invisible"], bad: ["", "toString", "Managed"] },
    theme: { good: ["contrast"], bad: ["pink"] },
    language: {
      good: ["auto", "en", "de", "pt-BR", "zh-TW"],
      bad: ["", "autox", "DE", "d", "de_DE", "de-AT", "zh-Hant-TW", "la", "toString"],
    },
    tokenLifeSeconds: { good: [30, 300, 900], bad: [29, 901, 30.5, Number.NaN] },
    binding: { good: ["strict_family", "strict", "flag", "off"], bad: ["on", "constructor"] },
    thresholds: {
      good: [
        { challenge: 0.01, block: 1 },
        { challenge: 0.5, block: 0.5 },
      ],
      bad: [
        { challenge: 0, block: 0.5 },
        { challenge: 0.6, block: 0.5 },
        { challenge: 0.5, block: 1.01 },
        { challenge: Number.NaN, block: 0.5 },
        { challenge: 0.5, block: Number.NaN },
      ],
    },
    onUnavailable: { good: ["submit", "block"], bad: ["", "allow", "toString"] },
    noScript: { good: ["off", "wait"], bad: ["", "on", "toString"] },
    contact: {
      good: ["", "help@shop.example", "é".repeat(200)],
      bad: ["javascript:alert(1)", "é".repeat(201), "a\nb"],
    },
    signedAgents: { good: ["judge", "let_through"], bad: ["", "allow", "toString"] },
    difficultyOffset: { good: [-1, 0, 2], bad: [-2, 3, 0.5] },
    verifyPerMinute: {
      good: [null, 1, 10_000_000],
      bad: [0, 10_000_001, 1.5, Number.POSITIVE_INFINITY],
    },
    scorePerMinute: { good: [null, 1], bad: [0, -1] },
  };
  for (const [field, { good, bad }] of Object.entries(table)) {
    for (const value of good)
      assert.deepEqual(problemFields({ [field]: value }), [], `${field} ${JSON.stringify(value)}`);
    for (const value of bad)
      assert.deepEqual(
        problemFields({ [field]: value }),
        [field],
        `${field} ${JSON.stringify(value)}`,
      );
  }
});

test("reports every mistake at once, each with a remedy (D13, formats)", () => {
  const problems = findSettingsProblems({
    ...VALID,
    name: "",
    domains: ["a b", "c/d"],
    tokenLifeSeconds: 1,
  });
  assert.deepEqual(
    problems.map((problem) => problem.field),
    ["name", "domains", "tokenLifeSeconds"],
  );
  assert.match(problems[1]?.message ?? "", /a b, c\/d/);
});

test("an unsupported language is refused with the list of supported ones, unless the site already has it (D13, formats)", () => {
  const [problem] = findSettingsProblems({ ...VALID, language: "la" });
  assert.match(
    problem?.message ?? "",
    /^Choose one of the widget's languages: auto, en, ar, .*, zh-CN, zh-TW\.$/,
  );
  assert.deepEqual(findSettingsProblems({ ...VALID, language: "la" }, "la"), []);
  assert.equal(findSettingsProblems({ ...VALID, language: "la" }, "de-AT").length, 1);
});

test("stores names and contacts trimmed and in NFC, domains in lower case and once (D13, formats)", () => {
  const settings = normalizeSettings({
    ...VALID,
    name: "  Cafe\u0301 ",
    contact: " Call Rene\u0301 ",
    domains: [" Example.ORG", "example.org.", "example.org", "no host"],
  });
  assert.equal(settings.name, "Caf\u00e9");
  assert.equal(normalizeSettings({ ...VALID, name: "\u202eSh\u2066op\n\u200b " }).name, "Shop");
  assert.equal(
    normalizeSettings({ ...VALID, name: "فروش\u200cگاه 👩\u200d💻" }).name,
    "فروش\u200cگاه 👩\u200d💻",
  );
  assert.equal(settings.contact, "Call Ren\u00e9");
  assert.deepEqual(settings.domains, ["example.org", "no host"]);
  assert.deepEqual(normalizeSettings(settings), settings);
});
