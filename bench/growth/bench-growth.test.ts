import assert from "node:assert/strict";
import { test } from "node:test";
import { hasWrk } from "../load/wrk.ts";
import { measureGrowth } from "./bench-growth.ts";

const options = { skip: !hasWrk() && "there is no wrk" };
const PLAN = { rounds: 1, window: { seconds: 1, pauseMs: 250 }, warmSeconds: 0 };

// A round is void, and rejects, unless every answer was a redemption at its own site.
test("measures redemptions at one site, and at three beside 50,000 tokens that are kept", options, async () => {
  const cases = [
    { name: "one", sites: 1, tokens: 0, hasStatistics: false },
    { name: "three", sites: 3, tokens: 50_000, hasStatistics: false },
  ];
  const [one, three] = await measureGrowth(cases, PLAN);
  assert.deepEqual([one?.name, one?.growth, three?.name, three?.rounds], ["one", 1, "three", 1]);
  assert.ok((one?.cpu_ratio ?? 0) > 0 && (three?.growth ?? 0) > 0);
  const grown = (three?.database_mb ?? 0) - (one?.database_mb ?? 0);
  assert.ok(grown > 1 && grown < 10, `${grown} MiB for 50,000 tokens`);
});
