import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PARAMETERS } from "./render.ts";

test("stile.render takes the parameters that its type names, and the endpoint, which it refuses if it is foreign", () => {
  const types = readFileSync(join(import.meta.dirname, "../stile.ts"), "utf8");
  const declared = /type RenderParameters = \{[\s\S]*?\n\};/.exec(types)?.[0] ?? "";
  const names = [...declared.matchAll(/^ {2}readonly "?([\w-]+)"?\?:/gm)].map(([, name]) => name);
  assert.ok(names.includes("sitekey"));
  assert.deepEqual([...PARAMETERS].sort(), ["endpoint", ...names].sort());
});
