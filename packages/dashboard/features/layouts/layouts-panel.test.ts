import assert from "node:assert/strict";
import { test } from "node:test";
import type { LayoutsData } from "@stile/protocol/dashboard-layouts";
import { actionsOf, renderPage, textOf } from "@stile/testkit/page/render-page";
import { h } from "preact";
import type { Baking } from "./baking.ts";

const { Layouts } = await import("./layouts-panel.tsx");
const now = Date.now();
const BANK = { scenes: 1812, drawnAtMs: now - 7_200_000, browsers: ["Chromium"] };
const GATE = {
  ...{ isOpen: false, engines: 1, visits: 120, share: 1, fallen: [] },
  needed: { engines: 2, visits: 200, share: 0.98 },
};
const draw = (more: Partial<LayoutsData> = {}, baking: Baking = { state: "idle" }) => {
  const browser = { name: "Firefox 153", isNew: true };
  return renderPage(h(Layouts, { data: { nowMs: now, bank: null, gate: GATE, browser, ...more }, baking }));
};

test("without pages it says that nobody is asked, and offers to make them", () => {
  assert.match(textOf(draw()), /No pages were made yet: visitors' browsers are asked for nothing\./);
  assert.deepEqual(actionsOf(draw()), ["Make pages with this browser"]);
});

test("pages are told by their number, age and browsers; a new kind of browser may answer, one that did only anew", () => {
  assert.match(textOf(draw({ bank: BANK })), /Pages 1,812 Made 2 hours ago Answered by Chromium/);
  assert.deepEqual(actionsOf(draw({ bank: BANK })), ["Let Firefox 153 answer, too", "Make new pages"]);
  const known = draw({ bank: BANK, browser: { name: "Chromium 156", isNew: false } });
  assert.deepEqual(actionsOf(known), ["Make new pages"]);
});

test("whether layouts count by themselves is said, with what is missing", () => {
  assert.match(textOf(draw({ bank: BANK })), /set to Automatic: Shadow: 120 of 200 visits; one engine of two\./);
});

test("a browser that cannot be asked is told where to go, and offered nothing", () => {
  const page = draw({ browser: null });
  assert.match(textOf(page), /Open this page in a current Chromium, Firefox or Safari\./);
  assert.deepEqual(actionsOf(page), []);
});

test("how far it is stands in words and in a bar; it can be stopped, and goes on", () => {
  const at = { browser: "Chromium 156", done: 1240, scenes: 2000 };
  const running = draw({}, { state: "running", ...at });
  assert.match(textOf(running), /1,240 of 2,000 pages; Chromium 156/);
  assert.deepEqual(actionsOf(running), ["Stop"]);
  assert.deepEqual(actionsOf(draw({}, { state: "stopped", ...at })), ["Go on"]);
});

test("what went wrong is said, beside what can be done", () => {
  const page = draw({}, { state: "failed", message: "Another tab of this browser is already doing this." });
  assert.match(textOf(page), /Error: Another tab of this browser is already doing this\./);
  assert.equal(actionsOf(page).length, 1);
});
