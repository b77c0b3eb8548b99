import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { OPERATOR } from "@stile/core/domain/account/audit";
import type { Member } from "@stile/core/domain/account/member";
import { SESSION_MS } from "@stile/core/domain/account/session";
import { requestScore } from "@stile/core/use-cases/score/request-score";
import { deleteSite } from "@stile/core/use-cases/site/delete-site";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { NO_SCORE_FIELDS } from "@stile/testkit/visits/score-fields";
import { createWorld, NOON_MS, referenceTo } from "@stile/testkit/world/world";
import { pino } from "pino";
import { type Job, startJobs } from "./jobs.ts";

const DAY_MS = 86_400_000;
const KEYS_EVERY_MS = 600_000;

/** Jobs under the test's clock: `tick` lets time pass and runs everything that is due. */
function underTest(
  t: TestContext,
  refreshKeys: () => Promise<void>,
  world = { clock: { nowMs: () => NOON_MS }, store: createMemoryStore() },
  ofParts: readonly Job[] = [],
  refreshNetworkLists = (): void => {},
  flushSecurityEvents = async (): Promise<void> => {},
) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const stop = startJobs({
    store: world.store,
    clock: world.clock,
    retention: world.clock,
    log,
    refreshKeys,
    exchange: undefined,
    followStore: undefined,
    ofParts,
    refreshNetworkLists,
    flushSecurityEvents,
  });
  const tick = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    await setImmediate();
  };
  return { stop, tick, lines };
}

test("refreshes service keys every ten minutes until the service stops", async (t) => {
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

test("runs the work of an optional part at its own interval", async (t) => {
  let runs = 0;
  const run = async (): Promise<void> => {
    runs++;
  };
  const ofParts = [{ name: "refresh a file", everyMs: 3_600_000, run }];
  const { stop, tick } = underTest(t, async () => {}, undefined, ofParts);
  await tick(3_599_999);
  assert.equal(runs, 0);
  await tick(1);
  assert.equal(runs, 1);
  await stop();
});

test("logs a failed job and tries it again", async (t) => {
  let runs = 0;
  const { stop, tick, lines } = underTest(t, async () => {
    if (++runs === 1) throw new Error("the store is away");
  });
  await tick(KEYS_EVERY_MS);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? "",
    /refresh service keys.*the store is away|the store is away.*refresh service keys/s,
  );
  await tick(KEYS_EVERY_MS);
  assert.deepEqual([runs, lines.length], [2, 1]);
  await stop();
});

test("never starts a job that is still running, and waits for it when stopping", async (t) => {
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

test("keeps a deleted site restorable for 7 days, and then purges it for good (D12, states)", async (t) => {
  const world = await createWorld();
  const { site } = await world.createSite();
  await deleteSite(world.node, referenceTo(site));
  const { stop, tick } = underTest(t, async () => {}, world);
  world.clock.setTo(NOON_MS + 7 * DAY_MS);
  await tick(3_600_000);
  assert.notEqual(await world.store.sites.findSite(site.siteKey), undefined);
  world.clock.setTo(NOON_MS + 7 * DAY_MS + 1);
  await tick(3_600_000);
  assert.equal(await world.store.sites.findSite(site.siteKey), undefined);
  await stop();
});

test("sweeps spent tokens once nothing can ask for them, and keeps single use (D3, single use)", async (t) => {
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
  assert.equal(
    await reasonNow(),
    "token_already_used",
    "a clock that is set back finds it still there",
  );
  world.clock.setTo(NOON_MS + 400_000);
  await tick(30_000);
  world.clock.setTo(NOON_MS + 200_000);
  assert.equal(await reasonNow(), "token_already_used", "and the sweep is remembered");
  await stop();
});

test("writes decisions within a second and key uses within ten, and removes old data within a minute", async (t) => {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const digest = site.secretKeys[0]?.digest ?? "";
  const { stop, tick } = underTest(t, async () => {}, world);
  await world.redeem(secretKey, { token: world.mint(site) });
  await requestScore(world.node, { secretKey, address: undefined }, async () => NO_SCORE_FIELDS);
  const decisions = () => world.store.decisions.list({ siteKey: site.siteKey, limit: 10 });
  const uses = () => world.store.keyUsage.findLastUses([digest]);
  assert.deepEqual([(await decisions()).length, (await uses()).size], [0, 0]);
  await tick(1000);
  assert.deepEqual([(await decisions()).length, (await uses()).size], [1, 0]);
  await tick(9000);
  assert.equal((await uses()).get(digest), NOON_MS);
  world.clock.advance(31 * DAY_MS);
  const query = {
    siteKey: site.siteKey,
    resolution: "minute",
    kinds: ["outcome"],
    fromMs: 0,
    toMs: NOON_MS + 1,
  } as const;
  assert.equal((await world.store.statistics.readSums(query)).length, 2);
  await tick(60_000);
  await setImmediate();
  assert.deepEqual(
    [(await decisions()).length, (await world.store.statistics.readSums(query)).length],
    [0, 0],
  );
  await stop();
});

test("removes ended sessions and expired links within a minute, and keeps living ones", async (t) => {
  const world = await createWorld();
  const { sessions, links, members } = world.store;
  const createdAtMs = NOON_MS;
  const life = { accountId: "acc_jobs", userId: null, role: "owner", createdAtMs } as const;
  const makeLink = (tokenDigest: string, expiresAtMs: number) =>
    links.insertLink({
      ...life,
      linkId: tokenDigest,
      tokenDigest,
      purpose: "invite",
      removesSecondFactors: false,
      madeBy: null,
      expiresAtMs,
    });
  await makeLink("joining", NOON_MS + 1000);
  const entry = {
    accountId: life.accountId,
    atMs: NOON_MS,
    actor: OPERATOR,
    action: "member_joined",
    subject: "",
    siteKey: null,
    changes: [],
  } as const;
  const member: Member = {
    userId: "usr_jobs",
    accountId: life.accountId,
    email: "jobs@example.org",
    name: "Jobs",
    role: "owner",
    passwordHash: null,
    totp: null,
    passkeys: [],
    recoveryCodes: [],
    createdAtMs,
    lastSignInAtMs: null,
    revision: 1,
  };
  assert.equal(await links.join("joining", NOON_MS, member, entry), "stored");
  for (const [index, lastSeenAtMs] of [NOON_MS, NOON_MS + 600_000].entries()) {
    const { revision } = (await members.findMember(member.userId)) ?? member;
    const id = `ses_${index}`;
    const session = {
      sessionId: id,
      tokenDigest: id,
      userId: member.userId,
      createdAtMs,
      lastSeenAtMs,
    };
    const begun = { ...session, provenAtMs: createdAtMs, device: "" };
    assert.equal(
      await sessions.startSession(begun, { ...member, revision: revision + 1 }, revision, entry),
      "stored",
    );
  }
  await makeLink("short", NOON_MS + 1000);
  await makeLink("long", NOON_MS + DAY_MS);
  const { stop, tick } = underTest(t, async () => {}, world);
  world.clock.setTo(NOON_MS + SESSION_MS.idle + 1);
  await tick(60_000);
  assert.equal(await links.findLink("short"), undefined);
  assert.notEqual(await links.findLink("long"), undefined);
  assert.equal(await sessions.findSession("ses_0"), undefined);
  assert.notEqual(await sessions.findSession("ses_1"), undefined);
  await stop();
});

test("checks the lists of networks twice a minute, and reports and retries a damaged one", async (t) => {
  let runs = 0;
  const world = { clock: { nowMs: () => NOON_MS }, store: createMemoryStore() };
  const nothing = async (): Promise<void> => {};
  const { stop, tick, lines } = underTest(t, nothing, world, [], () => {
    runs++;
    if (runs === 1) throw new Error("line 2 is no network");
  });
  await tick(29_999);
  assert.equal(runs, 0);
  await tick(1);
  assert.ok(lines.some((line) => line.includes("line 2 is no network")));
  await tick(30_000);
  assert.equal(runs, 2);
  await stop();
});
