import assert from "node:assert/strict";
import { test } from "node:test";
import type { GateData } from "./dashboard-layouts.ts";
import { describeGate } from "./gate-words.ts";

const GATE: GateData = {
  ...{ isOpen: false, engines: 2, visits: 120, share: 1, fallen: [] },
  needed: { engines: 2, visits: 200, share: 0.98 },
};
const words = (more: Partial<GateData> = {}): string => describeGate({ ...GATE, ...more });

test("what is still missing is said, and what to do about it", () => {
  assert.equal(words({ engines: 0, visits: 0 }), "Shadow: no pages were made yet.");
  assert.match(words({ engines: 1 }), /^Shadow: 120 of 200 visits; one engine of two\. Let another kind of browser/);
  assert.match(words({ engines: 1, visits: 900 }), /^Shadow: 200 of 200 visits; one engine of two\./);
  assert.equal(words(), "Shadow: 120 of 200 visits. It goes live by itself.");
});

test("visitors who do not agree are never rounded up to those who do", () => {
  const text = words({ visits: 1900, share: 0.97999 });
  assert.match(text, /^Shadow: visitors' browsers have 97\.9 % of their reads .* 98 % are needed\. .* choose Live\.$/);
});

test("what counts says by how much, and names releases that lay out otherwise", () => {
  const text = words({ isOpen: true, visits: 1204, share: 0.996, fallen: ["Chromium 157", "Safari 27"] });
  assert.equal(
    text,
    "Live: 1,204 visits agree in 99.6 % of their reads. Unlike the pages, and held to less until they are made anew: Chromium 157, Safari 27.",
  );
});
