import assert from "node:assert/strict";
import { test } from "node:test";
import type { BankScene, LayoutBank } from "@stile/core/domain/layout/layout-bank";
import { diagnoseLayouts } from "./diagnose-layouts.ts";

const DAY_MS = 86_400_000;
const answers = { reads: new Uint8Array(16), kept: 0xffff };
const scene = (engines: BankScene["answers"]): BankScene => ({ text: "<a>", answers: engines });
const bank: LayoutBank = {
  version: 1,
  bakedAtMs: 5 * DAY_MS,
  drawnAtMs: 0,
  scenes: [scene({ blink: answers, gecko: answers }), scene({ blink: answers })],
};

test("without a bank it says so, and what makes one; that is no fault", () => {
  const { level, text } = diagnoseLayouts(undefined, 0);
  assert.equal(level, "ok");
  assert.match(text, /no pages were baked \(Run: npm run stile -- bake\)/);
});

test("a bank is told by its size, its browsers and its age; from a week on it is old", () => {
  const fresh = diagnoseLayouts(bank, 7 * DAY_MS - 1);
  assert.deepEqual(fresh, {
    level: "ok",
    text: "Visitors' browsers lay out 2 pages, made 6 days ago and baked by Chromium and Firefox",
  });
  const old = diagnoseLayouts(bank, 7 * DAY_MS);
  assert.deepEqual([old.level, old.fix], ["warn", "Run: npm run stile -- bake"]);
  // A clock that was set back makes no bank of the future.
  assert.match(diagnoseLayouts(bank, -DAY_MS).text, /made 0 days ago/);
});
