import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, renderPage } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { BarTable } = await import("./bar-table.tsx");

test("shows bars with their numbers and shares as text, of the given whole or of their sum", () => {
  const bars = [
    { key: "a", label: "mobile", count: 3000 },
    { key: "b", label: "desktop", count: 1000, note: "and tablets" },
  ];
  const cells = (more: object) => {
    const markup = renderPage(
      h(BarTable, { summary: "Devices", nameLabel: "Device", bars, ...more }),
    );
    return drawn(markup, "td").map(({ text }) => text);
  };
  assert.deepEqual(cells({}), ["3,000", "75%", "1,000", "25%"]);
  assert.deepEqual(cells({ total: 10_000 }), ["3,000", "30%", "1,000", "10%"]);
  assert.deepEqual(cells({ total: 0 }), ["3,000", "–", "1,000", "–"], "no share of nothing");
});

test("fills the width with the longest bar, and draws none beyond it", () => {
  const bars = [5, 0, 20].map((count) => ({ key: `${count}`, label: `${count}`, count }));
  const markup = renderPage(h(BarTable, { summary: "s", nameLabel: "n", bars }));
  assert.deepEqual(
    [...markup.matchAll(/--part:\s*([\d.]+)/g)].map(([, part]) => Number(part)),
    [0.25, 0, 1],
  );
});

test("lets names of hosts and codes break after dots and underscores, and nothing else", () => {
  const drawnWith = (bar: object) =>
    renderPage(
      h(BarTable, {
        summary: "s",
        nameLabel: "n",
        bars: [{ key: "k", label: "l", count: 1, ...bar }],
      }),
    );
  assert.match(
    drawnWith({ label: "shop.harbour.example" }),
    />shop\.<wbr\/?>harbour\.<wbr\/?>example</,
  );
  assert.match(drawnWith({ code: "token_expired" }), />token_<wbr\/?>expired</);
  const odd = "a.b\nc.b\u2028.";
  assert.ok(
    drawnWith({ label: odd })
      .replaceAll(/<wbr\/?>/g, "")
      .includes(odd),
    "nothing of a name is lost",
  );
  assert.doesNotMatch(drawnWith({ label: "1.4 to 2 s, at most." }), /<wbr/);
});
