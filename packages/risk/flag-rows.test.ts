import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RISK_FLAGS } from "@stile/protocol/risk-flags";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { raises } from "@stile/testkit/visits/raises";
import { FLAG_ROWS } from "./flag-rows.ts";

const folder = join(import.meta.dirname, "flags");

test("gives every flag of the vocabulary its own row (spec 2.2)", () => {
  assert.deepEqual(
    FLAG_ROWS.map(({ name }) => name),
    Object.keys(RISK_FLAGS),
  );
  assert.equal(
    new Set(FLAG_ROWS.map((row) => ("grade" in row ? row.grade : row.detect))).size,
    FLAG_ROWS.length,
  );
});

test("keeps every row in a file of its own that is named after it, and leaves no file out", () => {
  const files = globSync("*.ts", { cwd: folder }).filter((name) => !name.endsWith(".test.ts"));
  const names = files.map((file) => file.replace(".ts", "").replaceAll("-", "_"));
  assert.deepEqual(names.sort(), FLAG_ROWS.map(({ name }) => name as string).sort());
  for (const file of files) {
    const said = readFileSync(join(folder, file), "utf8").match(/^ {2}name: "(\w+)",$/gm);
    assert.deepEqual(said, [`  name: "${file.replace(".ts", "").replaceAll("-", "_")}",`]);
  }
});

test("gives every flag a weight, including shadow flags, which count for some visits", () => {
  for (const { name, weight } of FLAG_ROWS) assert.ok(weight > 0, name);
});

for (const row of FLAG_ROWS) {
  test(`${row.name} is raised by no honest visitor`, () => {
    const accused = HONEST_VISITORS.filter(({ evidence }) => raises(row, evidence)).map(
      ({ name }) => name,
    );
    assert.deepEqual(accused, []);
  });
}

test("requires of every flag a test that names it and raises it by a real cause", () => {
  const texts = globSync("*.test.ts", { cwd: folder }).map((name) =>
    readFileSync(join(folder, name), "utf8"),
  );
  const untested = FLAG_ROWS.filter(
    ({ name }) => !texts.some((text) => text.includes(`test("${name}: raised`)),
  );
  assert.deepEqual(untested, []);
});
