import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createMemoryStore } from "@stile/stores/memory/store";
import { pino } from "pino";
import { createWorld, NOON_MS } from "../../core/fixtures/world.ts";
import { deleteSite } from "../../core/flows/delete-site.ts";
import { startJobs } from "./jobs.ts";

const DAY_MS = 86_400_000;
const KEYS_EVERY_MS = 600_000;

/** Jobs under a clock of the test: `tick` lets time pass and everything due be done. */
function underTest(
  t: TestContext,
  refreshKeys: () => Promise<void>,
  world = { clock: { nowMs: () => NOON_MS }, store: createMemoryStore() },
) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const stop = startJobs({ store: world.store, clock: world.clock, log, refreshKeys });
  const tick = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    await setImmediate();
  };
  return { stop, tick, lines };
}

test("service keys are looked after every ten minutes, until the service stops", async (t) => {
  let runs = 0;
  const { stop, tick } = underTest(t, async () => {
    runs++;
  });
  await tick(KEYS_EVERY_MS - 1);
  assert.equal(runs, 0);
  await tick(1);
  await tick(KEYS_EVERY_MS);
  assert.equal(runs, 2);
  await stop();
  await tick(10 * KEYS_EVERY_MS);
  assert.equal(runs, 2);
});

test("a job that fails is told in the log and tried again", async (t) => {
  let runs = 0;
  const { stop, tick, lines } = underTest(t, async () => {
    if (++runs === 1) throw new Error("the store is away");
  });
  await tick(KEYS_EVERY_MS);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /refresh service keys.*the store is away|the store is away.*refresh service keys/s);
  await tick(KEYS_EVERY_MS);
  assert.deepEqual([runs, lines.length], [2, 1]);
  await stop();
});

test("a job that is still running is not started again, and stopping waits for it", async (t) => {
  const held = Promise.withResolvers<void>();
  let runs = 0;
  const { stop, tick } = underTest(t, () => {
    runs++;
    return held.promise;
  });
  await tick(KEYS_EVERY_MS);
  await tick(KEYS_EVERY_MS);
  assert.equal(runs, 1);
  let hasStopped = false;
  const stopping = stop().then(() => {
    hasStopped = true;
  });
  await setImmediate();
  assert.equal(hasStopped, false);
  held.resolve();
  await stopping;
  assert.equal(hasStopped, true);
});

test("a deleted site stays restorable for 7 days and is then purged for good (D12)", async (t) => {
  const world = await createWorld();
  const { site } = await world.createSite();
  await deleteSite(world.node, { accountId: site.accountId, siteKey: site.siteKey });
  const { stop, tick } = underTest(t, async () => {}, world);
  world.clock.setTo(NOON_MS + 7 * DAY_MS);
  await tick(3_600_000);
  assert.notEqual(await world.store.sites.findSite(site.siteKey), undefined);
  world.clock.setTo(NOON_MS + 7 * DAY_MS + 1);
  await tick(3_600_000);
  assert.equal(await world.store.sites.findSite(site.siteKey), undefined);
  await stop();
});

test("marks of spent tokens are swept once nothing can ask for them, and single use still holds (D3)", async (t) => {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const token = world.mint(site);
  await world.redeem(secretKey, { token });
  const { stop, tick } = underTest(t, async () => {}, world);
  world.clock.setTo(NOON_MS + 359_999);
  await tick(30_000);
  const reasonNow = async (): Promise<string> => {
    const answer = await world.redeem(secretKey, { token });
    return answer.kind === "refused" ? answer.reasonCode : answer.kind;
  };
  assert.equal(await reasonNow(), "token_expired");
  world.clock.setTo(NOON_MS + 200_000);
  assert.equal(await reasonNow(), "token_already_used", "a clock that is set back finds the mark still there");
  world.clock.setTo(NOON_MS + 400_000);
  await tick(30_000);
  world.clock.setTo(NOON_MS + 200_000);
  assert.equal(await reasonNow(), "token_already_used", "and the sweep is remembered");
  await stop();
});
