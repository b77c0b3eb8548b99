import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CONTRACT, withSettingsTable } from "./settings-table.ts";

test("the contract's table of settings matches the schema (D17)", () => {
  const contract = readFileSync(CONTRACT, "utf8");
  assert.ok(
    contract === withSettingsTable(contract),
    "write it anew: node tools/settings-table.ts",
  );
});

test("a contract whose table differs, or that has no place for it, is detected", () => {
  const contract = readFileSync(CONTRACT, "utf8");
  const changed = contract.replace("Port to listen on.", "Port.");
  assert.notEqual(withSettingsTable(changed), changed);
  assert.throws(() => withSettingsTable(""), /no place/);
});
