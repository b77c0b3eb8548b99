import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SitesData } from "@stile/protocol/dashboard-api";
import type { WavesData } from "@stile/protocol/dashboard-waves";
import {
  callDashboard,
  newAccount,
  newSession,
  type TestAccount,
} from "@stile/testkit/contract/dashboard";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";

const HOUR = 3_600_000;

const fixture: TimedFixture = await startInProcess({ STILE_DEMO: "off" });
after(() => fixture.stop());

const classesOf = (digest: number) => [{ now: digest, usual: digest }];

/** 400 visits of all kinds over hours, then 40 of one kind, each from another network. */
function bringWave({ site }: TestAccount): void {
  for (let at = 0; at < 440; at++) {
    const isWave = at >= 400;
    fixture.clock.advance(isWave ? 1000 : 20_000);
    const digest = isWave ? 7 : 2_654_435_761 * (at + 1);
    const visit = { era: 1, network: at, classes: classesOf(digest >>> 0), crowds: [] };
    fixture.waveMemory.record(site.siteKey, visit, fixture.clock.nowMs());
  }
}

const lookAt = async ({ site }: TestAccount, cookie: string): Promise<WavesData> => {
  const { status, body } = await callDashboard(fixture, {
    path: `sites/${site.siteKey}/waves`,
    cookie,
  });
  assert.equal(status, 200);
  return body.data as unknown as WavesData;
};

test("shows a wave's start, its visits and the usual number; refusing it lasts an hour", async () => {
  const account = await newAccount(fixture);
  const early = await newSession(fixture, account.members.developer.member);
  const { waves: none, isLearning: isEarly } = await lookAt(account, early.cookie);
  assert.deepEqual([none, isEarly], [[], true]);
  bringWave(account);
  const { cookie } = await newSession(fixture, account.members.developer.member);
  const { waves, isLearning, nowMs } = await lookAt(account, cookie);
  const [wave] = waves;
  assert.ok(wave !== undefined && waves.length === 1 && !isLearning);
  assert.deepEqual([wave.visits, wave.isOver, wave.refusedUntilMs], [40, false, null]);
  assert.ok(wave.peak.expected < 4 && nowMs - wave.sinceMs < 40_000);

  const path = `sites/${account.site.siteKey}/waves/${wave.waveId}`;
  const refuse = (isRefused: boolean) =>
    callDashboard(fixture, { method: "PUT", path, cookie, body: { isRefused } });
  const isRefused = (): boolean =>
    fixture.waveMemory.find(
      account.site.siteKey,
      { era: 1, network: 999, classes: classesOf(7), crowds: [] },
      fixture.clock.nowMs(),
    ).isRefused;
  assert.equal((await refuse(true)).status, 200);
  assert.equal((await lookAt(account, cookie)).waves[0]?.refusedUntilMs, nowMs + HOUR);
  assert.equal(isRefused(), true);
  assert.equal((await refuse(false)).status, 200);
  assert.deepEqual(
    [isRefused(), (await lookAt(account, cookie)).waves[0]?.refusedUntilMs],
    [false, null],
  );
  await refuse(true);
  fixture.clock.advance(HOUR);
  assert.equal(isRefused(), false);

  const entries = await fixture.store.auditLog.list(account.accountId, { limit: 10 });
  const told = entries.map(
    ({ action, siteKey }) => `${action} ${siteKey === account.site.siteKey}`,
  );
  assert.deepEqual(told.slice(0, 3), [
    "wave_refused true",
    "wave_released true",
    "wave_refused true",
  ]);
});

test("marks a site in the list while a wave is under way, and no longer", async () => {
  const account = await newAccount(fixture);
  const hasWave = async (): Promise<boolean | undefined> => {
    const { cookie } = await newSession(fixture, account.members.viewer.member);
    const { body } = await callDashboard(fixture, { path: "sites", cookie });
    return (body.data as unknown as SitesData).sites[0]?.hasWave;
  };
  assert.equal(await hasWave(), false);
  bringWave(account);
  assert.equal(await hasWave(), true);
  fixture.clock.advance(6 * HOUR);
  assert.equal(await hasWave(), false);
});

test("writes nothing to the audit log when a member releases a wave that is not refused", async () => {
  const account = await newAccount(fixture);
  bringWave(account);
  const { cookie } = await newSession(fixture, account.members.developer.member);
  const [wave] = (await lookAt(account, cookie)).waves;
  const path = `sites/${account.site.siteKey}/waves/${wave?.waveId}`;
  const call = { method: "PUT", path, cookie, body: { isRefused: false } };
  assert.equal((await callDashboard(fixture, call)).status, 200);
  const entries = await fixture.store.auditLog.list(account.accountId, { limit: 10 });
  assert.ok(!entries.some(({ action }) => action === "wave_released"));
});

test("refuses viewers, missing waves, another account's waves and unknown choices", async () => {
  const [account, foreign] = [await newAccount(fixture), await newAccount(fixture)];
  bringWave(account);
  const sessionOf = async (member: TestAccount["members"]["owner"]) =>
    (await newSession(fixture, member.member)).cookie;
  const developer = await sessionOf(account.members.developer);
  const [wave] = (await lookAt(account, developer)).waves;
  const path = `sites/${account.site.siteKey}/waves/${wave?.waveId}`;
  const put = async (cookie: string, to = path, body: object = { isRefused: true }) =>
    (await callDashboard(fixture, { method: "PUT", path: to, cookie, body })).status;
  assert.equal(await put(await sessionOf(account.members.viewer)), 403);
  assert.equal(await put(await sessionOf(foreign.members.owner)), 404);
  assert.equal(await put(developer, `${path}0`), 404);
  assert.equal(await put(developer, path, { isRefused: "yes" }), 400);
  assert.equal((await lookAt(account, developer)).waves[0]?.refusedUntilMs, null);
  assert.equal(await put(developer), 200);
});

test("reports that a wave has become another one, not that something is missing in the account", async () => {
  const account = await newAccount(fixture);
  bringWave(account);
  const { cookie } = await newSession(fixture, account.members.developer.member);
  const path = `sites/${account.site.siteKey}/waves/1-gone`;
  const { status, body } = await callDashboard(fixture, {
    method: "PUT",
    path,
    cookie,
    body: { isRefused: true },
  });
  assert.equal(status, 404);
  assert.match(body.error?.message ?? "", /^This wave is no longer listed\. .* try again/);
});

test("shows how many tokens one network earns at the base price, and how many networks pay more (D10, limits)", async () => {
  const account = await newAccount(fixture);
  const { cookie } = await newSession(fixture, account.members.viewer.member);
  const before = (await lookAt(account, cookie)).earnings;
  // Until the site's past was read, as many tokens are free as on a busy site.
  assert.ok(before.free === 600 || before.free === 30, `${before.free}`);
  assert.deepEqual((await lookAt(account, cookie)).earnings, { free: 30, networks: 0 });
});
