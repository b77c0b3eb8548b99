import assert from "node:assert/strict";
import { test } from "node:test";
import { startPostgresCluster } from "@stile/testkit/torture/cluster";
import { torture } from "@stile/testkit/torture/torture";

const TOKENS = 3000;
const KILLS = 5;
const BREAKS = 5;

test("no token is redeemed twice or forgotten by servers on one PostgreSQL, though they, it and the network between break (D3, T1)", async () => {
  const cluster = await startPostgresCluster({ servers: 2 });
  try {
    const tokens = await cluster.mint(cluster.site, TOKENS);
    const plan = { tokens, racers: 2, groups: 6, kills: KILLS, breaks: BREAKS, seed: 20_261_122 };
    const report = await torture(cluster.target, plan);
    const redeemed = await cluster.countRedeemed(cluster.site);
    console.log(`PostgreSQL (statistics: ${redeemed} redeemed): ${JSON.stringify(report)}`);
    const { doubles, forgotten, burned, repeatsRefused } = report;
    assert.deepEqual(
      { doubles, forgotten, burned, repeatsRefused },
      { doubles: 0, forgotten: 0, burned: 0, repeatsRefused: 0 },
    );
    assert.equal(report.kills, KILLS + 3);
    assert.equal(report.breaks, BREAKS);
    assert.ok(report.cut + report.unavailable > 0, "no fault hit a call");
    assert.equal(report.successes + report.lost + report.unknown, TOKENS);
    assert.equal(redeemed, TOKENS, "the statistics stand in the spending statement, so they count each token once");
  } finally {
    await cluster.dispose();
  }
});
