import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, renderPage } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { DataTable } = await import("./data-table.tsx");

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

test("gives a table a caption and column headings, and names the row by its first column", () => {
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

test("labels each value when the table is stacked on a narrow screen", () => {
  const markup = table([{ id: 7, name: "Ada" }]);
  const labels = [...drawn(markup, "th"), ...drawn(markup, "td")].map(
    ({ attributes }) => attributes["data-label"],
  );
  assert.deepEqual(labels.filter(Boolean), ["Name", "Number"]);
});

test("makes a table focusable, with a name, only if it scrolls", () => {
  assert.match(
    table([], { isLong: true }),
    /role="region" aria-label="Members of the account" tabindex="0"/,
  );
  assert.doesNotMatch(table([]), /tabindex|role=/);
});
