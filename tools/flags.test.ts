import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FLAG_ROWS } from "@stile/risk/flag-rows";
import { FLAG_FILES, flagPage, flagVocabulary } from "./flags.ts";

test("the vocabulary of the dashboard matches the rows of the flags; else: node tools/flags.ts", () => {
  assert.equal(readFileSync(FLAG_FILES.vocabulary, "utf8"), flagVocabulary());
});

test("the page of the flags matches their rows and the comments above them; else: node tools/flags.ts", () => {
  assert.equal(readFileSync(FLAG_FILES.page, "utf8"), flagPage());
});

test("the page has each flag once, with its label and a reason", () => {
  const sections = flagPage().split("\n### ").slice(1);
  assert.deepEqual(
    sections.map((section) => section.split("\n")[0]).sort(),
    FLAG_ROWS.map(({ name }) => `\`${name}\``).sort(),
  );
  for (const { name, label } of FLAG_ROWS) {
    const [, said, reason = ""] =
      sections.find((it) => it.startsWith(`\`${name}\``))?.split("\n\n") ?? [];
    assert.equal(said, `*${label}*`);
    assert.match(reason, /^[A-Z`].{20,}[.]$/, name);
    assert.doesNotMatch(reason, /\*\//, name);
  }
});
