import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startSqliteCluster } from "@stile/testkit/torture/cluster";
import { toTortured } from "@stile/testkit/torture/faults";
import { REDEEM_WAYS } from "@stile/testkit/torture/redeem-call";
import { type TortureReport, torture } from "@stile/testkit/torture/torture";

const KNOWN_WRONG = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "packages",
  "testkit",
  "service",
  "known-wrong-service.ts",
);
const SEED = 20_261_121;
/** The figure in the documents is for `TOKENS=3000`. */
const TOKENS = Number(process.env.TOKENS ?? 1500);
const KILLS = 8;
const STOPS = 5;
const RACERS = 3;
const PLAN = { racers: RACERS, ways: REDEEM_WAYS, groups: 4, seed: SEED };

async function withCluster<Result>(
  command: readonly string[] | undefined,
  use: (cluster: Awaited<ReturnType<typeof startSqliteCluster>>) => Promise<Result>,
): Promise<Result> {
  const cluster = await startSqliteCluster(command);
  try {
    return await use(cluster);
  } finally {
    await cluster.dispose();
  }
}

function print(name: string, report: TortureReport): void {
  const figures = Object.entries(report).map(([figure, value]) => `${figure} ${value}`);
  console.log(`${name}: ${figures.join(", ")}`);
}

test("no token is redeemed twice or forgotten, though callers race and the service is killed repeatedly (D3, single use)", async () => {
  await withCluster(undefined, async (cluster) => {
    const mint = await cluster.openMint(cluster.site);
    const report = await torture(cluster.target, { ...PLAN, tokens: TOKENS, mint, kills: KILLS });
    const redeemed = await cluster.countRedeemed(cluster.site);
    print(`SQLite (statistics: ${redeemed} redeemed)`, report);
    const { doubles, forgotten, burned, repeatsRefused, expired } = report;
    assert.deepEqual(
      { doubles, forgotten, burned, repeatsRefused, expired },
      { doubles: 0, forgotten: 0, burned: 0, repeatsRefused: 0, expired: 0 },
    );
    assert.equal(report.kills, KILLS + 1);
    assert.ok(report.cut > 0, "no kill hit a call");
    assert.equal(report.successes + report.lost + report.unknown, TOKENS);
    assert.equal(
      redeemed,
      TOKENS,
      "the spending transaction also counts, so each token counts once",
    );
  });
});

test("a stopping service answers every request that it has received: it spends no token silently", async () => {
  await withCluster(undefined, async ({ service, target, site, openMint }) => {
    let longestStopMs = 0;
    const kill = async (): Promise<void> => {
      const startedAtMs = performance.now();
      assert.equal(await service.stop(), 0);
      longestStopMs = Math.max(longestStopMs, performance.now() - startedAtMs);
    };
    const stopping = toTortured({ ...service, kill }, "server");
    const [servers, faults] = [[stopping], [stopping.kill]];
    const plan = { ...PLAN, tokens: 300, mint: await openMint(site), kills: STOPS };
    const report = await torture({ ...target, servers, faults }, plan);
    print(`asked to stop instead of killed (longest stop ${longestStopMs.toFixed(0)} ms)`, report);
    assert.ok(longestStopMs < 4500, "kept connections must not hold a stopping service");
    assert.equal(report.kills, STOPS + 1);
    const { doubles, burned, lost } = report;
    assert.deepEqual({ doubles, burned, lost }, { doubles: 0, burned: 0, lost: 0 });
  });
});

for (const fault of ["readsThenWrites", "forgets"]) {
  test(`the torture test detects doubles in a service whose ledger ${fault} (negative control)`, async () => {
    await withCluster([KNOWN_WRONG, fault], async (cluster) => {
      const mint = await cluster.openMint(cluster.site);
      const report = await torture(cluster.target, {
        ...PLAN,
        racers: 8,
        tokens: 60,
        mint,
        kills: 1,
      });
      print(`control ${fault}`, report);
      assert.ok(report.doubles > 0);
    });
  });
}
