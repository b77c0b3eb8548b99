import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SETTINGS_PAGE, withSettingsTable } from "./settings-table.ts";

test("the operator's table of settings matches the schema (D17, settings)", () => {
  const page = readFileSync(SETTINGS_PAGE, "utf8");
  assert.ok(page === withSettingsTable(page), "write it again: node tools/settings-table.ts");
});

test("a page whose table differs, or that has no place for it, is detected", () => {
  const page = readFileSync(SETTINGS_PAGE, "utf8");
  const changed = page.replace("Port to listen on.", "Port.");
  assert.notEqual(withSettingsTable(changed), changed);
  assert.throws(() => withSettingsTable(""), /no place/);
});
