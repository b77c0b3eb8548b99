import assert from "node:assert/strict";
import { test } from "node:test";
import { RANGES } from "@stile/protocol/dashboard-statistics";
import { drawn, renderPage, textOf } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { DataTable } = await import("./data-table.tsx");
const { BarTable } = await import("./charts/bar-table.tsx");
const { TimeSeries } = await import("./charts/time-series.tsx");
const { ScoreHistogram } = await import("./charts/score-histogram.tsx");
const { Sparkline } = await import("./charts/sparkline.tsx");

type Row = { readonly id: number; readonly name: string };
const table = (rows: readonly Row[], more: object = {}) =>
  renderPage(
    h(DataTable<Row>, {
      caption: "Members of the account",
      columns: [
        { key: "name", label: "Name", render: ({ name }: Row) => name },
        { key: "id", label: "Number", align: "end", render: ({ id }: Row) => id },
      ],
      rows,
      rowKey: ({ id }: Row) => id,
      ...more,
    }),
  );

test("a table has a caption and column heads, and its first column names the row", () => {
  const markup = table([
    { id: 7, name: "Ada" },
    { id: 8, name: "Bo <i>" },
  ]);
  assert.equal(drawn(markup, "caption")[0]?.text, "Members of the account");
  const heads = drawn(markup, "th").map(({ attributes, text }) => [attributes.scope, text]);
  assert.deepEqual(heads, [
    ["col", "Name"],
    ["col", "Number"],
    ["row", "Ada"],
    ["row", "Bo <i>"],
  ]);
  assert.doesNotMatch(markup, /<i>/);
});

test("stacked on a narrow screen, each value still says what it is", () => {
  const markup = table([{ id: 7, name: "Ada" }]);
  const labels = [...drawn(markup, "th"), ...drawn(markup, "td")].map(({ attributes }) => attributes["data-label"]);
  assert.deepEqual(labels.filter(Boolean), ["Name", "Number"]);
});

test("a table that scrolls can be reached by the keyboard and has a name; one that does not is no stop on the way", () => {
  assert.match(table([], { isLong: true }), /role="region" aria-label="Members of the account" tabindex="0"/);
  assert.doesNotMatch(table([]), /tabindex|role=/);
});

test("bars have their numbers and shares as text, of the whole that was named, or of their sum", () => {
  const bars = [
    { key: "a", label: "mobile", count: 3000 },
    { key: "b", label: "desktop", count: 1000, note: "and tablets" },
  ];
  const cells = (more: object) => {
    const markup = renderPage(h(BarTable, { summary: "Devices", nameLabel: "Device", bars, ...more }));
    return drawn(markup, "td").map(({ text }) => text);
  };
  assert.deepEqual(cells({}), ["3,000", "75 %", "1,000", "25 %"]);
  assert.deepEqual(cells({ total: 10_000 }), ["3,000", "30 %", "1,000", "10 %"]);
  assert.deepEqual(cells({ total: 0 }), ["3,000", "–", "1,000", "–"], "no share of nothing");
});

test("the longest bar fills its place, and none is drawn beyond it", () => {
  const bars = [5, 0, 20].map((count) => ({ key: `${count}`, label: `${count}`, count }));
  const markup = renderPage(h(BarTable, { summary: "s", nameLabel: "n", bars }));
  assert.deepEqual(
    [...markup.matchAll(/--part:\s*([\d.]+)/g)].map(([, part]) => Number(part)),
    [0.25, 0, 1],
  );
});

const HOUR = 3_600_000;
const START = Date.UTC(2026, 5, 2, 22);
const series = (values: readonly (number | null)[], more: object = {}) =>
  renderPage(
    h(TimeSeries, {
      ...{ label: "Challenges over time", summary: "1,204 challenges issued.", resolution: "hour", timeZone: "UTC" },
      times: values.map((_, at) => START + at * HOUR),
      series: [{ label: "Issued", values }],
      ...more,
    } as Parameters<typeof TimeSeries>[0]),
  );

test("a course says its summary, its sums, and by its slider the last point: nothing of it is a picture alone", () => {
  const markup = series([1000, 200, 4], { isLastOpen: true });
  assert.equal(drawn(markup, "figcaption")[0]?.text, "1,204 challenges issued.");
  assert.match(textOf(markup), /Whole time Issued 1,204/);
  const [slider] = drawn(markup, "input");
  assert.equal(slider?.attributes["aria-label"], "Challenges over time: move through time");
  assert.equal(slider?.attributes["aria-valuetext"], "Wed, Jun 3, 00:00 (so far): Issued 4");
  assert.deepEqual([slider?.attributes.min, slider?.attributes.max, slider?.attributes.value], ["0", "2", "2"]);
  for (const [picture] of markup.matchAll(/<svg[^>]*>/g)) assert.match(picture, /aria-hidden="true"/);
});

test("a point where nothing is known reads as a dash, and is a gap in the line", () => {
  assert.match(series([5, null]), /aria-valuetext="[^"]*: Issued –"/);
  const line = (values: readonly (number | null)[]) =>
    /<g class="line line-1"><path d="([^"]*)"/.exec(series(values))?.[1];
  assert.equal((line([1, 2, null, 3, 4])?.match(/M/g) ?? []).length, 2);
});

test("an empty course says so, and no drawing of any range has a number that is none", () => {
  assert.match(series([0, 0, 0]), /Nothing was counted in this time/);
  assert.doesNotMatch(series([0, 1]), /Nothing was counted/);
  for (const { periods } of Object.values(RANGES)) {
    for (const top of [0, 1, 7, 12_345_678]) {
      const markup = series(Array.from({ length: periods }, (_, at) => (at % 7) * top));
      assert.doesNotMatch(markup, /NaN|Infinity|undefined/);
    }
  }
  for (const values of [[], [5]]) assert.doesNotMatch(series(values), /NaN|Infinity|undefined/);
});

const histogram = (counts: readonly number[], tried = { challenge: 0.3, block: 0.6 }) =>
  renderPage(h(ScoreHistogram, { summary: "s", counts, thresholds: tried, inForce: { challenge: 0.3, block: 0.6 } }));

test("a score equal to a threshold stands in the zone above it, in the drawing too (D6)", () => {
  const counts = Array.from({ length: 101 }, (_, score) => ([29, 30, 59, 60].includes(score) ? 5 : 0));
  const zones = [...histogram(counts).matchAll(/class="zone-(\w+)"/g)].map(([, zone]) => zone);
  assert.deepEqual(zones, ["allow", "challenge", "challenge", "block"]);
});

test("thresholds that are tried are named, and those in force stay in sight where they differ", () => {
  const counts = Array.from({ length: 101 }, () => 1);
  const lines = (markup: string) => [...markup.matchAll(/class="threshold( past)?"/g)].map(([, past]) => past ?? "");
  assert.deepEqual(lines(histogram(counts)), ["", ""]);
  assert.deepEqual(lines(histogram(counts, { challenge: 0.2, block: 0.5 })), [" past", " past", "", ""]);
  assert.match(histogram(counts), />challenge<.*>block</);
});

test("one visitor among millions still has a bar that can be seen, and nothing reaches out of the drawing", () => {
  const counts = Array.from({ length: 101 }, (_, score) => (score === 0 ? 5_000_000 : score === 100 ? 1 : 0));
  const bars = [...histogram(counts).matchAll(/<rect [^>]*y="([\d.]+)"[^>]*height="([\d.]+)"/g)];
  assert.equal(bars.length, 2);
  for (const [, y = "", height = ""] of bars) {
    assert.ok(Number(height) >= 2);
    assert.ok(Number(y) >= 0 && Number(y) + Number(height) <= 230);
  }
  assert.doesNotMatch(histogram(Array.from({ length: 101 }, () => 0)), /NaN|Infinity/);
});

test("a sparkline is a picture with a name, also of nothing", () => {
  for (const values of [[], [0], [0, 0], [1, 5, 2]]) {
    const markup = renderPage(h(Sparkline, { values, label: "Solved by hour: Shop" }));
    assert.match(markup, /role="img" aria-label="Solved by hour: Shop"/);
    assert.doesNotMatch(markup, /NaN|Infinity/);
  }
});
