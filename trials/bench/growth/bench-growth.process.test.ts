import assert from "node:assert/strict";
import { test } from "node:test";
import { hasWrk } from "../load/wrk.ts";
import { measureGrowth } from "./bench-growth.ts";

const options = { skip: !hasWrk() && "there is no wrk" };
const PLAN = { rounds: 2, window: { seconds: 1, pauseMs: 100, connections: 4 }, warmSeconds: 0 };

// A round is invalid, and rejects, unless every answer was a redemption at its own site.
test(
  "measures redemptions at three sites in turn, with 50,000 stored tokens",
  options,
  async () => {
    const [row] = await measureGrowth(
      [{ name: "three", sites: 3, tokens: 50_000, hasStatistics: false }],
      PLAN,
    );
    assert.deepEqual([row?.name, row?.rounds], ["three", 2]);
    assert.ok((row?.cpu_ratio ?? 0) > 0, JSON.stringify(row));
    const megabytes = row?.database_mb ?? 0;
    assert.ok(megabytes > 1 && megabytes < 10, `${megabytes} MiB for 50,000 tokens`);
  },
);
