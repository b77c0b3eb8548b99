import assert from "node:assert/strict";
import { test } from "node:test";
import { renderPage } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { Sparkline } = await import("./sparkline.tsx");

test("draws a sparkline as a picture with a name, also without values", () => {
  for (const values of [[], [0], [0, 0], [1, 5, 2]]) {
    const markup = renderPage(h(Sparkline, { values, label: "Solved by hour: Shop" }));
    assert.match(markup, /role="img" aria-label="Solved by hour: Shop"/);
    assert.doesNotMatch(markup, /NaN|Infinity/);
  }
});
