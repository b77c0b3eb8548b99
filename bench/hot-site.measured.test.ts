import assert from "node:assert/strict";
import { test } from "node:test";
import { measureHotSite } from "./hot-site.ts";

test("one hot site is measured at two nodes, with leases and without", async () => {
  const rows = await measureHotSite({ loads: [{ nodes: 2, callers: 50 }], rounds: 1, seconds: 1 });
  assert.deepEqual(
    rows.map(({ nodes, leases }) => `${nodes} ${leases}`),
    ["2 off", "2 on"],
  );
  for (const row of rows) {
    assert.ok(row.redemptions_per_s > 0 && row.redemptions_a_batch >= 1, JSON.stringify(row));
    assert.ok(row.minutes_ms > 0 && row.counts_ms > 0, JSON.stringify(row));
    assert.ok(row.batch_ms > row.minutes_ms + row.counts_ms, JSON.stringify(row));
  }
});
