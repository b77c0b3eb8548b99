import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { drawScores, withLivingTable } from "./living-table.ts";
import type { Row } from "./report.ts";

const DOCUMENT = join(import.meta.dirname, "..", "..", "docs", "measurements", "red-team.md");

const row = (changes: Partial<Row>): Row => ({
  ...{ tool: "tool", kind: "automation", sessions: 3, scored: 3, p10: 0.9, p50: 0.95 },
  ...{ share_030: 1, share_060: 0.67, accepted: 0 },
  ...{
    cpu_per_accepted: null,
    sample_accepted: 0,
    cpu_per_sample_accepted: null,
    tokens_per_core_hour: null,
    wall_per_accepted: null,
    dollars_per_1000: null,
    memory_mb: 0,
    botd: 0,
    flags: [["ua_headless", 3]],
  },
  ...changes,
});

const RUN = {
  rows: [row({}), row({ tool: "person <a>", kind: "control", p50: null })],
  command: "npm run trial -- redteam",
  day: "2026-11-23",
};

test("changes only the text between the table's marks, and needs them in the document", () => {
  const document = readFileSync(DOCUMENT, "utf8");
  const written = withLivingTable(document, RUN);
  assert.ok(
    written.includes(
      "| `tool` | automated | 3 | 0.95 | 100% | 67% | 0 | - | 0 | - | - | - | `ua_headless` |",
    ),
  );
  const forged = withLivingTable(document, {
    ...RUN,
    rows: [row({ accepted: 3, cpu_per_accepted: 0.2 })],
  });
  assert.match(
    forged,
    /\| CPU s a safe token \| Accepted by our sample code \| CPU s each \| Open s \|/,
  );
  assert.match(forged, /\| 3 \| 0.20 \| 0 \| - \| - \|/);
  assert.ok(written.includes("`npm run trial -- redteam`, 2026-11-23:"));
  assert.equal(withLivingTable(written, RUN), written);
  const outside = (text: string): string =>
    text.replace(/<!-- living table: .*living table end -->/s, "");
  assert.equal(outside(written), outside(document));
  assert.throws(() => withLivingTable("none", RUN), /no place/);
});

test("draws a bar for each visitor, and no markup from a name", () => {
  const picture = drawScores(RUN);
  assert.equal(picture.match(/<rect x=/g)?.length, 2);
  assert.match(picture, /person &lt;a>/);
  assert.match(picture, /role="img" aria-labelledby="title"/);
  assert.match(picture, /<title id="title">[^<]*2026-11-23<\/title>/);
});
