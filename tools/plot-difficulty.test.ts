import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PLOT_FILE, plotDifficulty } from "./plot-difficulty.ts";

const page = readFileSync(new URL("../docs/operations/difficulty.md", import.meta.url), "utf8");

test("the plot in the documentation is what the service does now (node tools/plot-difficulty.ts)", () => {
  assert.equal(readFileSync(PLOT_FILE, "utf8"), plotDifficulty());
});

test("the page shows the plot and names the command that draws it", () => {
  assert.match(page, /\]\(images\/difficulty\.svg\)/);
  assert.match(page, /`node tools\/plot-difficulty\.ts`/);
});

test("three visitors on two panels, on a fixture of its own", () => {
  const plot = plotDifficulty();
  assert.equal(plot.match(/stroke-width="2.5"\/>/g)?.length, 2 * 3 + 3);
  assert.match(plot, /<rect width="760" height="330" rx="10" fill="#ffffff"\/>/);
  assert.equal(/NaN|undefined|Infinity/.test(plot), false);
});

test("the usual visitor pays one step more with each doubling over 12 a minute, up to 32 times the work", () => {
  const [, usual = ""] = plotDifficulty().match(/<path d="M92[^"]*" fill="none"[^>]*>/g) ?? [];
  // 6 and 12 a minute are free, then 24, 48, ... 384 cost one step each; the axis ends at 768.
  assert.equal(usual.match(/V/g)?.length, 5);
});
