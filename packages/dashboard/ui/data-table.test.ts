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
  const labels = [...drawn(markup, "th"), ...drawn(markup, "td")].map(
    ({ attributes }) => attributes["data-label"],
  );
  assert.deepEqual(labels.filter(Boolean), ["Name", "Number"]);
});

test("a table that scrolls can be reached by the keyboard and has a name; one that does not is no stop on the way", () => {
  assert.match(
    table([], { isLong: true }),
    /role="region" aria-label="Members of the account" tabindex="0"/,
  );
  assert.doesNotMatch(table([]), /tabindex|role=/);
});
