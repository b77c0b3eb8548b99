import assert from "node:assert/strict";
import { test } from "node:test";
import { measureRow } from "./bench-service.ts";
import { hasWrk } from "./load/wrk.ts";

const options = { skip: !hasWrk() && "there is no wrk" };
/**
 * Few connections, each of which waits for its answers: on a busy machine many at once would get
 * overload answers.
 */
const WINDOW = { seconds: 1, pauseMs: 100, connections: 4 };

// A round is invalid, and rejects, unless the store counted as many redemptions as the load
// generator saw answers.
test(
  "measures a token's life against its control: challenges issued, solutions accepted, tokens redeemed",
  options,
  async () => {
    const told: string[] = [];
    const plan = { rounds: 1, window: WINDOW, isWarmed: false, profiles: undefined };
    const { rows, profile } = await measureRow("life", plan, (line) => told.push(line));
    const [life, control] = rows;
    assert.deepEqual([life.name, control.name, life.rounds], ["life", "life control", 1]);
    for (const row of rows) {
      for (const value of [row.rps, row.cpu_us, row.p50_ms, row.p99_ms, row.rss_mb])
        assert.ok(value > 0, JSON.stringify(row));
    }
    assert.equal(profile, undefined);
    assert.match(told.at(-1) ?? "", /^life: round 1 of 1, \d+ us a request/);
  },
);
