import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WIDGET_ERROR_NAMES } from "@stile/widget/machine/widget-error";
import { declareTypes } from "./widget-api.ts";

const read = (file: string): string => readFileSync(join(import.meta.dirname, "..", file), "utf8");
/**
 * A page in TypeScript; lines after `@ts-expect-error` must be refused. `Real` is the widget's own
 * class.
 */
const PAGE = `
import type { StileCaptcha, StileCaptchaAttributes, WidgetError } from "../../types/stile.d.ts";
import type { StileCaptcha as Real } from "../../element/stile-captcha.ts";
import type { WidgetError as RealError } from "../../machine/widget-error.ts";
export const isServed = (real: Real): StileCaptcha => real;
export const isTold = (real: RealError): Required<WidgetError> => real;
export const isAllTold = (served: Required<WidgetError>): RealError => served;
export const token: Promise<string> = stile.execute("form");
export const made: StileCaptcha | null = document.querySelector("stile-captcha");
made?.addEventListener("stile:error", ({ detail }) => detail.name === "csp_blocked");
window.stile.render("here", { sitekey: "pk_1", callback: (given) => given.length });
export const attributes: StileCaptchaAttributes = { sitekey: "pk_1", size: "compact", tabindex: 1, callback: "shop.done", strings: "{}" };
// @ts-expect-error
export const wrong: StileCaptchaAttributes = { size: "huge" };
export const without: StileCaptchaAttributes = { "response-field": "false", form: "login" };
// @ts-expect-error
export const left: StileCaptchaAttributes = { "response-field": false };
// @ts-expect-error
made?.addEventListener("stile:error", ({ detail }) => detail.name === "made_up");
`;

test("the published types match the sources, and fit the widget's own element", () => {
  assert.equal(read("packages/widget/types/stile.d.ts"), declareTypes());
  // Next to the build: tests that run at the same time look at all sources.
  const folder = mkdtempSync(join(import.meta.dirname, "../packages/widget/dist/page-"));
  try {
    writeFileSync(join(folder, "page.ts"), PAGE);
    const config = {
      extends: "../../tsconfig.json",
      include: ["page.ts"],
      exclude: [],
      compilerOptions: { skipLibCheck: false },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { status, stdout } = spawnSync(join(import.meta.dirname, "../node_modules/.bin/tsc"), [
      "-p",
      folder,
    ]);
    assert.deepEqual([`${stdout}`, status], ["", 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const page = read("docs/reference/widget.md");

test("the page of the widget names every error, function and parameter, and each error has its anchor", () => {
  for (const name of WIDGET_ERROR_NAMES)
    assert.ok(page.includes(`<a id="${name}"></a>\`${name}\``), name);
  const declared = read("packages/widget/stile.ts");
  const names = [...declared.matchAll(/^ {2}readonly "?([\w-]+)"?\??:/gm)].map(
    (found) => found[1] ?? "",
  );
  assert.ok(names.length > 30, `${names.length} names`);
  for (const name of names) assert.match(page, new RegExp(`\`${name}[\`(]`), name);
});
