import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const TEXTS = [
  "*.md",
  "{deploy,docs,e2e,packages,tools,trials}/**/*.{conf,css,html,js,md,mjs,service,ts,tsx,yaml,yml}",
];
const texts = globSync(TEXTS, {
  cwd: root,
  exclude: (path) => /node_modules|\bdist\b|\.cache/.test(path),
}).filter((path) => !path.endsWith("plain-words.test.ts"));

/** Phrases without an honest use, each with a better word. */
const WORDS: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\bfor ever\b/i, "forever, without limit"],
  [/\bin the place of\b/i, "instead of"],
  [/\banew\b/i, "again, from scratch"],
  [/\bmend(s|ed|ing)?\b/i, "fix, repair"],
  [/\b(whoever|whosoever)\b/i, "name the actor: the visitor, the caller"],
  [/\b(deeds|doings)\b/i, "actions"],
  [/\buproot/i, "disconnect"],
  [/\b(hand|hands|handed|handing) out\b/i, "issue, return"],
  [/\b(gives|gave|given|giving) out\b/i, "issue, return"],
  [/\b(dearer|dearest|as dear)\b/i, "more expensive, most expensive"],
  [/\bstands? behind\b/i, "is next to, means, follows"],
];

/** A test, suite or subtest whose title begins with a relative clause or a pronoun. */
const TITLE = /\b(?:describe|it|suite|test)(?:\.\w+)?\(\s*["'`](who|of|what|it|that)\b/gi;

/** Texts for users, who find the sections by the link in their help. */
const FOR_USERS = ["packages/server/config/settings.ts", "packages/protocol/schemas/answers.ts"];

/** A section of the contract in parentheses without the name of its rule, as in "(D9)". */
const BARE_CITATION = /\((?:[^()]*?[,;][\s*/]+)?(D\d+)(?=[);]|,[\s*/]+D\d)/g;

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Splits the names of a line into words: `beginAnew` and `BEGIN_ANEW` contain "anew". */
const inWords = (line: string): string =>
  line.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").replaceAll("_", " ");

function findPhrases(path: string, text: string): readonly string[] {
  return text.split("\n").flatMap((line, at) =>
    WORDS.flatMap(([phrase, better]) => {
      const [found] = phrase.exec(inWords(line)) ?? [];
      return found === undefined ? [] : [`${path}:${at + 1}: "${found}"; better: ${better}`];
    }),
  );
}

function findTitles(path: string, text: string): readonly string[] {
  return [...text.matchAll(TITLE)].map(
    ({ 1: word, index }) =>
      `${path}:${lineOf(text, index)}: a title begins with "${word}"; better: begin with a verb or the actor`,
  );
}

function findBareCitations(path: string, text: string): readonly string[] {
  const place = path.replaceAll("\\", "/");
  if (!place.startsWith("packages/") || FOR_USERS.includes(place)) return [];
  return [...text.matchAll(BARE_CITATION)].map(
    ({ 0: found, 1: section, index }) =>
      `${path}:${lineOf(text, index + found.length)}: "${section}" does not name its rule; better: "(D9, submission)"`,
  );
}

const findIn = (find: (path: string, text: string) => readonly string[]): readonly string[] =>
  texts.flatMap((path) => find(path, readFileSync(join(root, path), "utf8")));

test("every text is free of phrases that a reader has to decode", () => {
  assert.deepEqual(findPhrases("a.md", "Fine.\nIt waits for ever.\n"), [
    'a.md:2: "for ever"; better: forever, without limit',
  ]);
  assert.deepEqual(findPhrases("a.ts", "BEGIN_ANEW(WAIT_FOR_EVER);\nbeginAnew();\n"), [
    'a.ts:1: "FOR EVER"; better: forever, without limit',
    'a.ts:1: "ANEW"; better: again, from scratch',
    'a.ts:2: "Anew"; better: again, from scratch',
  ]);
  assert.ok(texts.length > 1500);
  assert.deepEqual(findIn(findPhrases), []);
});

test("every test title begins with a verb or the actor", () => {
  const title = `\ntest(\n  "of two callers one wins", () => {});\ntest("rejects a token", () => {});`;
  assert.deepEqual(findTitles("a.test.ts", title), [
    'a.test.ts:2: a title begins with "of"; better: begin with a verb or the actor',
  ]);
  assert.deepEqual(findIn(findTitles), []);
});

test("every citation of the contract names its rule", () => {
  const cited = [
    "/** Issues (spec 4.3; D8,",
    " * D9). It is (D9, submission) */",
    "// As decided (D2).",
  ];
  assert.deepEqual(findBareCitations("packages/a.ts", cited.join("\n")), [
    'packages/a.ts:1: "D8" does not name its rule; better: "(D9, submission)"',
    'packages/a.ts:3: "D2" does not name its rule; better: "(D9, submission)"',
  ]);
  assert.deepEqual(findIn(findBareCitations), []);
});
