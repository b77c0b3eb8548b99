import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "@stile/core/ports/clock";
import { createSteadyClock } from "@stile/server/clock/steady-clock";
import { createRetentionClock } from "@stile/server/jobs/retention-clock";
import {
  handIn,
  type InProcessService,
  makeChallenge,
  redeemAt,
  type SiteWithSecret,
  startInProcess,
} from "@stile/testkit/service/in-process-service";

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2026, 5, 15, 12);
const ENVIRONMENT = Buffer.from('{"v":1}');

/** A machine with a settable clock. Time passes only when the test advances it. */
function createMachine() {
  const at = { steadyMs: 0, setMs: 0 };
  const wallMs = (): number => NOON_MS + at.steadyMs + at.setMs;
  const sources = { wallMs, steadyMs: () => at.steadyMs, sinceBootMs: () => at.steadyMs };
  return {
    at,
    wall: { nowMs: wallMs },
    steady: createSteadyClock(sources, { notBeforeMs: 0, onChange: () => {} }),
  };
}

/** A token, or "" if the work for one was refused. */
async function earn(target: InProcessService, site: SiteWithSecret): Promise<string> {
  const challenge = makeChallenge(target, site, 2);
  const solution = challenge.solve(ENVIRONMENT);
  const token = await handIn(target, site, {
    challenge: challenge.text,
    solution,
    environment: ENVIRONMENT,
  });
  return token ?? "";
}

async function countDays(
  { service }: InProcessService,
  { siteKey }: SiteWithSecret,
): Promise<number> {
  await service.store.statistics.flush();
  const query = { siteKey, resolution: "day", fromMs: 0, toMs: NOON_MS + 1000 * DAY_MS } as const;
  const sums = await service.store.statistics.readSums({ ...query, kinds: ["outcome"] });
  return sums.find(({ metric }) => metric === "token_redeemed")?.count ?? 0;
}

/**
 * The state after a jump of so many days: verdicts on ten fresh tokens, and redemptions still in
 * statistics.
 */
async function afterJump(
  days: number,
  choose: (machine: ReturnType<typeof createMachine>) => Clock,
) {
  const machine = createMachine();
  const clock = choose(machine);
  const target = await startInProcess(clock);
  const retention = createRetentionClock(clock, () => machine.at.steadyMs, NOON_MS);
  const pass = async (ms: number): Promise<void> => {
    machine.at.steadyMs += ms;
    // The work of the background jobs, which run every half minute and every minute.
    await target.service.store.housekeeping.sweep(clock.nowMs());
    await target.service.store.statistics.prune(retention.nowMs());
  };
  try {
    const site = await target.makeSite("Shop");
    const held = await earn(target, site);
    assert.equal(await redeemAt(target, site, await earn(target, site)), "verified");
    await pass(SECOND_MS);
    machine.at.setMs = days * DAY_MS;
    const during = [
      await redeemAt(target, site, held),
      await redeemAt(target, site, await earn(target, site)),
    ];
    await pass(65 * SECOND_MS);
    machine.at.steadyMs += 600 * SECOND_MS;
    await pass(65 * SECOND_MS);
    machine.at.setMs = 0;
    await pass(SECOND_MS);
    const after = [];
    for (let i = 0; i < 10; i++) after.push(await redeemAt(target, site, await earn(target, site)));
    return { during, after: [...new Set(after)], counted: await countDays(target, site) };
  } finally {
    await target.dispose();
  }
}

for (const days of [1, 40, 400, -1]) {
  test(`a clock that is ${days} days off for a while refuses no token and loses no statistics (D3, single use)`, async () => {
    const { during, after, counted } = await afterJump(days, ({ steady }) => steady);
    assert.deepEqual(during, ["verified", "verified"]);
    assert.deepEqual(after, ["verified"]);
    assert.equal(counted, 13);
  });
}

test("the test detects a service that follows every jump: it refuses fresh tokens (negative control)", async () => {
  const { during, after } = await afterJump(1, ({ wall }) => wall);
  assert.deepEqual(during[0], "token_expired");
  assert.ok(!after.includes("verified"), `${after}`);
});
