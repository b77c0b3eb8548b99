import assert from "node:assert/strict";
import { test } from "node:test";
import { renderPage } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { ScoreHistogram } = await import("./score-histogram.tsx");

const histogram = (counts: readonly number[], tried = { challenge: 0.3, block: 0.6 }) =>
  renderPage(
    h(ScoreHistogram, {
      summary: "s",
      counts,
      thresholds: tried,
      inForce: { challenge: 0.3, block: 0.6 },
    }),
  );

test("draws a score equal to a threshold in the zone above it (D6, scores)", () => {
  const counts = Array.from({ length: 101 }, (_, score) =>
    [29, 30, 59, 60].includes(score) ? 5 : 0,
  );
  const zones = [...histogram(counts).matchAll(/class="zone-(\w+)"/g)].map(([, zone]) => zone);
  assert.deepEqual(zones, ["allow", "challenge", "challenge", "block"]);
});

test("names the tried thresholds, and keeps the current ones visible if they differ", () => {
  const counts = Array.from({ length: 101 }, () => 1);
  const lines = (markup: string) =>
    [...markup.matchAll(/class="threshold( past)?"/g)].map(([, past]) => past ?? "");
  assert.deepEqual(lines(histogram(counts)), ["", ""]);
  assert.deepEqual(lines(histogram(counts, { challenge: 0.2, block: 0.5 })), [
    " past",
    " past",
    "",
    "",
  ]);
  assert.match(histogram(counts), />challenge<.*>block</);
});

test("draws a visible bar for one visitor among millions, and nothing outside of the drawing", () => {
  const counts = Array.from({ length: 101 }, (_, score) =>
    score === 0 ? 5_000_000 : score === 100 ? 1 : 0,
  );
  const bars = [...histogram(counts).matchAll(/<rect [^>]*y="([\d.]+)"[^>]*height="([\d.]+)"/g)];
  assert.equal(bars.length, 2);
  for (const [, y = "", height = ""] of bars) {
    assert.ok(Number(height) >= 2);
    assert.ok(Number(y) >= 0 && Number(y) + Number(height) <= 230);
  }
  assert.doesNotMatch(histogram(Array.from({ length: 101 }, () => 0)), /NaN|Infinity/);
});
