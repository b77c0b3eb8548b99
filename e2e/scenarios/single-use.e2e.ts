import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { type TortureReport, torture } from "@stile/testkit/service/torture";

const ENVIRONMENT = { STILE_LIMIT_VERIFY: "10000000", STILE_LOG_LEVEL: "error" };
const KNOWN_WRONG = join(import.meta.dirname, "..", "..", "packages", "testkit", "service", "known-wrong-service.ts");
const SEED = 20_261_121;

async function withService<Result>(
  command: readonly string[] | undefined,
  use: (service: RunningService) => Promise<Result>,
): Promise<Result> {
  const service = await startService(ENVIRONMENT, command);
  try {
    return await use(service);
  } finally {
    await service.dispose();
  }
}

async function tortureService(service: RunningService, size: { tokens: number; kills: number }) {
  const tokens = await mintTokens({ ...service, count: size.tokens });
  return await torture(service, { tokens, racers: 8, groups: 4, kills: size.kills, seed: SEED });
}

/** How many redemptions the service's own statistics have counted. */
async function countRedeemed({ dataDirectory, siteKey }: RunningService): Promise<number> {
  const store = await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
  const whole = { siteKey, resolution: "day", fromMs: 0, toMs: Date.now() } as const;
  const sums = await store.statistics.readSums({ ...whole, kinds: ["outcome"] });
  await store.close();
  return sums.reduce((sum, { metric, count }) => (metric === "token_redeemed" ? sum + count : sum), 0);
}

function print(name: string, report: TortureReport): void {
  const figures = Object.entries(report).map(([figure, value]) => `${figure} ${value}`);
  console.log(`${name}: ${figures.join(", ")}`);
}

test("no token is redeemed twice, though 8 callers race for each and the service is killed again and again (D3, T1)", async () => {
  await withService(undefined, async (service) => {
    const report = await tortureService(service, { tokens: 1000, kills: 40 });
    const redeemed = await countRedeemed(service);
    print(`the service (statistics: ${redeemed} redeemed)`, report);
    assert.equal(report.doubles, 0);
    assert.equal(report.burned, 0);
    assert.equal(report.kills, 41);
    assert.ok(report.interrupted > 0, "no kill hit a call");
    assert.equal(report.successes + report.lost + report.unknown, 1000);
    assert.equal(redeemed, 1000, "the statistics stand in the spending transaction, so they count each token once");
  });
});

test("a service that is asked to stop answers what it has taken in: no token is spent in silence (T27)", async () => {
  await withService(undefined, async (service) => {
    const tokens = await mintTokens({ ...service, count: 500 });
    let longestStopMs = 0;
    const kill = async (): Promise<void> => {
      const startedAt = performance.now();
      assert.equal(await service.stop(), 0);
      longestStopMs = Math.max(longestStopMs, performance.now() - startedAt);
    };
    const stopping = { ...service, kill };
    const report = await torture(stopping, { tokens, racers: 8, groups: 4, kills: 20, seed: SEED });
    print(`asked to stop instead of killed (longest stop ${longestStopMs.toFixed(0)} ms)`, report);
    assert.ok(longestStopMs < 3000, "kept connections must not hold a stopping service");
    assert.equal(report.doubles, 0);
    assert.equal(report.burned, 0);
    assert.equal(report.lost, 0);
  });
});

for (const fault of ["readsThenWrites", "forgets"]) {
  test(`the torture is not blind: it sees doubles in a service whose ledger ${fault} (T1, negative control)`, async () => {
    await withService([KNOWN_WRONG, fault], async (service) => {
      const report = await tortureService(service, { tokens: 60, kills: 3 });
      print(`control ${fault}`, report);
      assert.ok(report.doubles > 0);
    });
  });
}
