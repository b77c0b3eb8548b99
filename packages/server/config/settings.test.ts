import assert from "node:assert/strict";
import { test } from "node:test";
import { answerArguments } from "../lifecycle/start-arguments.ts";
import { readConfig } from "./config.ts";
import { describeSettings, SETTING_NAMES } from "./settings.ts";

const rows = describeSettings();

test("explains every setting in a sentence (D17, settings)", () => {
  assert.deepEqual(
    rows.map(({ name }) => name),
    SETTING_NAMES,
  );
  for (const { name, meaning } of rows) assert.match(meaning, /^[A-Z0-9].*[^.]\.$/, name);
});

test("takes each documented default as a value, with the same result as no value (D17, settings)", () => {
  const told = rows.flatMap(
    ({ name, standard }) =>
      /^`(.*)`$/
        .exec(standard)
        ?.slice(1)
        .map((text) => [name, text]) ?? [],
  );
  assert.ok(told.length > 8);
  const named = readConfig(Object.fromEntries(told));
  const silent = readConfig({});
  assert.ok(named.kind === "config" && silent.kind === "config");
  // One difference: `stile init` may make an installation in a place that a setting names.
  assert.deepEqual(named.config, { ...silent.config, isPlaceNamed: true });
});

test("names every setting with its default in npm start -- --help, without Markdown (D17, settings)", () => {
  const { code, text } = answerArguments(["--help"]) ?? assert.fail("the service would run");
  assert.equal(code, 0);
  for (const { name } of rows) assert.match(text, new RegExp(`^  ${name} +[A-Z0-9]`, "m"));
  assert.match(text, /^ {2}STILE_PORT +Port to listen on\. Default: 8787\.$/m);
  assert.doesNotMatch(text, /`|\]\(/);
  assert.match(
    text,
    /that nodes share \(docs\/operations\/scaling\.md\)\./,
    "a page is named by its path",
  );
  assert.match(text, /^Usage: npm start -- \[OPTION\]\n/);
});
