import assert from "node:assert/strict";
import { test } from "node:test";
import { RANGES } from "@stile/protocol/dashboard-statistics";
import { drawn, renderPage, textOf } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { TimeSeries } = await import("./time-series.tsx");

const HOUR = 3_600_000;
const START = Date.UTC(2026, 5, 2, 22);
const series = (values: readonly (number | null)[], more: object = {}) =>
  renderPage(
    h(TimeSeries, {
      label: "Challenges over time",
      summary: "1,204 challenges issued.",
      resolution: "hour",
      timeZone: "UTC",
      times: values.map((_, at) => START + at * HOUR),
      series: [{ label: "Issued", values }],
      ...more,
    } as Parameters<typeof TimeSeries>[0]),
  );

test("offers every part of a time series as text: summary, sums, and the last point by its slider", () => {
  const markup = series([1000, 200, 4], { isLastOpen: true });
  assert.equal(drawn(markup, "figcaption")[0]?.text, "1,204 challenges issued.");
  assert.match(textOf(markup), /Whole period Issued 1,204/);
  const [slider] = drawn(markup, "input");
  assert.equal(slider?.attributes["aria-label"], "Challenges over time: move through time");
  assert.equal(slider?.attributes["aria-valuetext"], "Wed, Jun 3, 00:00 (so far): Issued 4");
  assert.deepEqual(
    [slider?.attributes.min, slider?.attributes.max, slider?.attributes.value],
    ["0", "2", "2"],
  );
  for (const [picture] of markup.matchAll(/<svg[^>]*>/g))
    assert.match(picture, /aria-hidden="true"/);
});

test("shows an unknown point as a dash, and as a gap in the line", () => {
  assert.match(series([5, null]), /aria-valuetext="[^"]*: Issued –"/);
  const line = (values: readonly (number | null)[]) =>
    /<g class="line line-1"><path d="([^"]*)"/.exec(series(values))?.[1];
  assert.equal((line([1, 2, null, 3, 4])?.match(/M/g) ?? []).length, 2);
});

test("says that a series is empty, and draws no invalid number for any range", () => {
  assert.match(series([0, 0, 0]), /Nothing was counted in this period/);
  assert.doesNotMatch(series([0, 1]), /Nothing was counted/);
  for (const { periods } of Object.values(RANGES)) {
    for (const top of [0, 1, 7, 12_345_678]) {
      const markup = series(Array.from({ length: periods }, (_, at) => (at % 7) * top));
      assert.doesNotMatch(markup, /NaN|Infinity|undefined/);
    }
  }
  for (const values of [[], [5]]) assert.doesNotMatch(series(values), /NaN|Infinity|undefined/);
});
