import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PAGE, writeSamples } from "./guide-samples.ts";

test("the guide's samples are the dashboard's code for a site", () => {
  assert.ok(
    readFileSync(PAGE, "utf8") === writeSamples(),
    "write them again: node tools/guide-samples.ts",
  );
});
