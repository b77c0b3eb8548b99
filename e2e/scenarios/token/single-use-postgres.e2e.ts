import assert from "node:assert/strict";
import { after, test } from "node:test";
import { raceForLimit } from "@stile/testkit/torture/race-for-limit";
import { REDEEM_WAYS } from "@stile/testkit/torture/redeem-call";
import { startPostgresCluster } from "@stile/testkit/torture/shared-cluster";
import { torture } from "@stile/testkit/torture/torture";

const SERVERS = 2;
/** The figure in the documents is for `TOKENS=3000`. */
const TOKENS = Number(process.env.TOKENS ?? 1500);
const KILLS = 5;
const BREAKS = 5;
const LIMIT = 100;

const cluster = await startPostgresCluster({ servers: SERVERS });
after(cluster.dispose);

test("servers on one PostgreSQL redeem no token twice and forget none through any vendor's call, even if they, it or the network fail (D3, single use)", async () => {
  const mint = await cluster.openMint(cluster.site);
  const plan = {
    tokens: TOKENS,
    mint,
    racers: 3,
    ways: REDEEM_WAYS,
    groups: 4,
    kills: KILLS,
    breaks: BREAKS,
    seed: 20_261_122,
  };
  const report = await torture(cluster.target, plan);
  const redeemed = await cluster.countRedeemed(cluster.site);
  console.log(`PostgreSQL (statistics: ${redeemed} redeemed): ${JSON.stringify(report)}`);
  const { doubles, forgotten, burned, repeatsRefused, expired } = report;
  const wrong = { doubles, forgotten, burned, repeatsRefused, expired };
  assert.deepEqual(wrong, { doubles: 0, forgotten: 0, burned: 0, repeatsRefused: 0, expired: 0 });
  assert.equal(report.kills, KILLS + SERVERS + 1);
  assert.equal(report.breaks, BREAKS);
  assert.ok(report.cut + report.unavailable > 0, "no fault hit a call");
  assert.equal(report.successes + report.lost + report.unknown, TOKENS);
  assert.equal(redeemed, TOKENS, "the spending statement also counts, so each token counts once");
});

test("servers that are asked at once admit as many as a site's limit allows, and no more (D10, limits)", async () => {
  const limit = await raceForLimit(cluster, { perMinute: LIMIT, crossesEdge: false });
  console.log(`PostgreSQL, a limit of ${LIMIT}: ${JSON.stringify(limit)}`);
  assert.equal(limit.over, 0);
  // If a minute ends during the rush, the service may admit some more.
  assert.ok(limit.admitted >= LIMIT, `${limit.admitted}`);
});
