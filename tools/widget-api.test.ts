import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WIDGET_ERROR_NAMES } from "@stile/widget/machine/widget-error";
import { declareSurface } from "./widget-api.ts";

const read = (file: string): string => readFileSync(join(import.meta.dirname, "..", file), "utf8");
const page = read("docs/reference/widget.md");

test("the report of the widget's surface is what its sources declare (node tools/widget-api.ts)", () => {
  assert.equal(read("docs/reference/widget-api.md"), declareSurface());
});

test("the page of the widget names every error, function and parameter, and each error has its anchor", () => {
  for (const name of WIDGET_ERROR_NAMES) assert.ok(page.includes(`<a id="${name}"></a>\`${name}\``), name);
  const declared = read("packages/widget/stile.ts");
  const names = [...declared.matchAll(/^ {2}readonly "?([\w-]+)"?\??:/gm)].map((found) => found[1] ?? "");
  assert.ok(names.length > 30, `${names.length} names`);
  for (const name of names) assert.match(page, new RegExp(`\`${name}[\`(]`), name);
});
