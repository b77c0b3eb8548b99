import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as pause } from "node:timers/promises";
import { NO_SCORE_FIELDS } from "@stile/testkit/visits/score-fields";
import { ACCOUNT_ID, createWorld, NOON_MS, referenceTo } from "@stile/testkit/world/world";
import { OPERATOR } from "../../domain/account/audit.ts";
import { isDecision } from "../../domain/statistics/decision.ts";
import type { Metric } from "../../domain/statistics/metrics.ts";
import type { Range } from "../../domain/statistics/windows.ts";
import { parseIpAddress } from "../../domain/visitor/ip-address.ts";
import { requestScore } from "../score/request-score.ts";
import { deleteSite } from "../site/delete-site.ts";
import { getSite } from "../site/get-site.ts";
import { rotateSecret } from "../site/rotate-secret.ts";
import { labelDecision } from "./label-decision.ts";
import { listSites } from "./list-sites.ts";
import { viewDecisions } from "./view-decisions.ts";
import { viewInstall } from "./view-install.ts";
import { viewOutcome } from "./view-outcome.ts";
import { viewScores } from "./view-scores.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ALL_TIME = { range: "13m", timeZone: "UTC" } as const;

async function shop() {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite({ name: "Shop" });
  const add = (atMs: number, counts: Readonly<Partial<Record<Metric, number>>>) =>
    world.store.statistics.add(
      Object.entries(counts).map(([metric, count = 0]) => {
        return { siteKey: site.siteKey, metric: metric as Metric, atMs, count };
      }),
    );
  const askScore = (requestId: string) =>
    requestScore(world.node, { secretKey, address: parseIpAddress("203.0.113.1") }, async () => ({
      ...NO_SCORE_FIELDS,
      requestId,
    }));
  return {
    world,
    site,
    secretKey,
    add,
    askScore,
    own: { accountId: ACCOUNT_ID, siteKey: site.siteKey },
  };
}

test("another account's, a deleted and an unknown site count as absent for every view", async () => {
  const { world, site, own, askScore } = await shop();
  await askScore("request-1");
  await world.store.decisions.flush();
  const [decision] = (await viewDecisions(world.node, own, { limit: 1 }))?.decisions ?? [];
  assert.ok(decision !== undefined);
  const isAbsent = async (reference: { accountId: string; siteKey: string }): Promise<void> => {
    assert.equal(await viewOutcome(world.node, reference, ALL_TIME), undefined);
    assert.equal(await viewScores(world.node, reference, ALL_TIME), undefined);
    assert.equal(await viewDecisions(world.node, reference, { limit: 1 }), undefined);
    assert.equal(await viewInstall(world.node, reference), undefined);
    assert.equal(await getSite(world.node, reference), undefined);
    const labelled = await labelDecision(
      world.node,
      { ...reference, actor: OPERATOR },
      decision.decisionId,
      "bot",
    );
    assert.equal(labelled, "not_found");
  };
  await isAbsent({ accountId: "acc_other", siteKey: site.siteKey });
  await isAbsent({ accountId: ACCOUNT_ID, siteKey: "pk_unknown" });
  assert.deepEqual(await listSites(world.node, "acc_other", pause), { sites: [], deleted: [] });
  await deleteSite(world.node, referenceTo(site));
  await isAbsent(own);
  const [kept] = await world.store.decisions.list({ siteKey: site.siteKey, limit: 1 });
  assert.ok(kept !== undefined && isDecision(kept) && kept.label === null);
});

test("scores show the scored and the verified visitors, by action, with the flags (spec 1)", async () => {
  const { world, site, secretKey, add, own } = await shop();
  await world.redeem(secretKey, { token: world.mint(site, { score: 0.29 }) });
  await add(NOON_MS, {
    "score:login:29": 3,
    "score:login:100": 1,
    "score::05": 9,
    "score:a:b:00": 1,
  });
  await add(NOON_MS, { "flag:velocity_ip": 2, "flag:automation_webdriver": 4 });
  const scores =
    (await viewScores(world.node, own, { range: "1h", timeZone: "UTC" })) ?? assert.fail();
  assert.deepEqual([scores.fromMs, scores.toMs], [NOON_MS - 59 * MINUTE, NOON_MS + MINUTE]);
  assert.deepEqual([scores.scored.length, scores.verified.length], [101, 101]);
  assert.deepEqual(
    [0, 5, 29, 100].map((at) => scores.scored[at]),
    [1, 9, 3, 1],
  );
  assert.deepEqual(
    [scores.verified[29], scores.verified.reduce((sum, count) => sum + count)],
    [1, 1],
  );
  assert.deepEqual(
    scores.byAction.map(({ action, scored }) => [
      action,
      scored.reduce((sum, count) => sum + count),
    ]),
    [
      ["", 9],
      ["login", 4],
      ["a:b", 1],
    ],
  );
  assert.deepEqual(scores.flags, [
    { flag: "automation_webdriver", count: 4 },
    { flag: "velocity_ip", count: 2 },
  ]);
  assert.deepEqual(scores.thresholds, site.thresholds);
});

test("scores show the redeemed tokens whose call named an old CAPTCHA's verdict, and no others (D2, comparing)", async () => {
  const { world, site, secretKey, own } = await shop();
  const passed = { token: world.mint(site, { score: 0.29 }), vendorVerdict: "pass" } as const;
  const failed = { token: world.mint(site, { score: 0.64 }), vendorVerdict: "fail" } as const;
  const other = await world.createSite();
  const refused = [
    { ...passed, token: world.mint(other.site) },
    { ...passed, token: "forged" },
    { ...passed, token: undefined },
    { ...passed, token: world.mint(site), remoteIp: "198.51.100.7" },
  ];
  await world.redeem(secretKey, { token: world.mint(site, { score: 0.1 }) });
  for (const fields of [passed, failed, ...refused, passed]) await world.redeem(secretKey, fields);
  const scores =
    (await viewScores(world.node, own, { range: "1h", timeZone: "UTC" })) ?? assert.fail();
  const counted = (counts: readonly number[]) =>
    counts.flatMap((count, score) => (count === 0 ? [] : [[score, count]]));
  const { pass, fail } = scores.byVendorVerdict;
  assert.deepEqual([counted(pass), counted(fail)], [[[29, 1]], [[64, 1]]]);
  assert.equal(
    scores.verified.reduce((sum, count) => sum + count),
    3,
  );
  assert.equal(scores.mayAsk, true);
});

test("scores of any span are the sums of its minutes, hours or days, as far back as each is kept", async () => {
  const { world, add, own } = await shop();
  for (const atMs of [NOON_MS, NOON_MS - DAY - 1, NOON_MS - 60 * DAY, NOON_MS - 300 * DAY]) {
    await add(atMs, { "score::05": 1 });
  }
  await world.store.statistics.prune(NOON_MS);
  const scored = async (range: Range): Promise<number | undefined> =>
    (await viewScores(world.node, own, { range, timeZone: "Asia/Tokyo" }))?.scored[5];
  const since = (fromMs: number) => scored({ fromMs, toMs: NOON_MS + 1 });
  assert.equal(await scored("1h"), 1);
  assert.equal(await scored("24h"), 1);
  assert.equal(await scored("7d"), 2);
  assert.equal(await scored("90d"), 3);
  assert.equal(await scored("13m"), 4);
  assert.equal(await since(NOON_MS - DAY), 1);
  assert.equal(await since(NOON_MS - DAY - MINUTE), 2);
  assert.equal(await since(NOON_MS - 60 * DAY), 3);
  assert.equal(await since(0), 4);
});

test("decisions come in pages of at most 100, and can be labelled", async () => {
  const { world, own, askScore } = await shop();
  for (let number = 1; number <= 102; number++) {
    await askScore(`request-${number}`);
    world.clock.advance(20);
  }
  await world.store.decisions.flush();
  const view = async (query: Parameters<typeof viewDecisions>[2]) =>
    (await viewDecisions(world.node, own, query)) ?? assert.fail();
  const first = await view({ limit: 1e9 });
  assert.deepEqual([first.decisions.length, first.hasMore], [100, true]);
  assert.equal(first.decisions[0]?.requestId, "request-102");
  const last = await view({ limit: 100, beforeId: first.decisions.at(-1)?.decisionId });
  assert.deepEqual([last.decisions.length, last.hasMore], [2, false]);
  assert.equal((await view({ limit: -5 })).decisions.length, 1);
  const [found] = (await view({ limit: 10, requestId: "request-7" })).decisions;
  assert.ok(found !== undefined && found.outcome !== "refused" && !("siteKey" in found));
  assert.deepEqual(
    [found.source, found.outcome, found.recommendation],
    ["score", "answered", "challenge"],
  );
  const reference = { ...own, actor: OPERATOR };
  assert.equal(await labelDecision(world.node, reference, found.decisionId, "person"), "labelled");
  const [labelled] = (await view({ limit: 1, requestId: "request-7" })).decisions;
  assert.deepEqual(labelled, { ...found, label: "person" });
  assert.equal(await labelDecision(world.node, reference, "0", "person"), "not_found");
  const [entry] = await world.store.auditLog.list(ACCOUNT_ID, { limit: 1 });
  assert.deepEqual(
    [entry?.action, entry?.subject, entry?.actor, entry?.changes],
    [
      "decision_labelled",
      `${found.decisionId} of Shop`,
      OPERATOR,
      [{ field: "label", before: null, after: "person" }],
    ],
  );
});

test("the install check shows when each step last happened in the past 48 hours", async () => {
  const { world, add, own } = await shop();
  const view = async () => (await viewInstall(world.node, own)) ?? assert.fail();
  const nothing = {
    refusedHosts: [],
    lastChallengeAtMs: null,
    lastTokenAtMs: null,
    lastVerifiedAtMs: null,
    lastRefusal: null,
  };
  assert.deepEqual(await view(), { ...nothing, nowMs: NOON_MS });
  world.clock.advance(30_000);
  const at = (minutes: number): number => NOON_MS - minutes * MINUTE;
  await add(at(49 * 60), { token_issued: 1, token_redeemed: 1 });
  await add(at(47 * 60), { challenge_issued: 1, token_issued: 1 });
  await add(at(3), { challenge_issued: 1, "refused:token_expired": 1 });
  await add(at(2), { "refused:missing_token": 1 });
  assert.deepEqual(await view(), {
    lastChallengeAtMs: at(3),
    lastTokenAtMs: at(47 * 60),
    lastVerifiedAtMs: null,
    lastRefusal: { atMs: at(2), reasonCode: "missing_token" },
    refusedHosts: [],
    nowMs: NOON_MS + 30_000,
  });
});

test("a long list of sites lets other work run after each 50", async () => {
  const { world } = await shop();
  for (let made = 1; made < 101; made++) await world.createSite({ name: `Site ${made}` });
  let pauses = 0;
  const { sites } = await listSites(world.node, ACCOUNT_ID, async () => {
    pauses += 1;
    await pause();
  });
  assert.deepEqual(
    [sites.length, new Set(sites.map(({ name }) => name)).size, pauses],
    [101, 101, 2],
  );
});

test("List Sites returns the active sites with their last 24 hours, and the restorable deleted ones (D12, states)", async () => {
  const { world, site, secretKey, add } = await shop();
  const { site: gone } = await world.createSite({ name: "Gone" });
  await deleteSite(world.node, referenceTo(gone));
  await world.redeem(secretKey, { token: world.mint(site) });
  await world.redeem(secretKey, { token: "forged" });
  await add(NOON_MS, {
    challenge_issued: 5,
    challenge_solved: 4,
    challenge_blocked: 1,
    token_issued: 3,
    "solve:7": 4,
  });
  await add(NOON_MS - 23 * HOUR, { challenge_solved: 2 });
  await add(NOON_MS - 23 * HOUR - 1, { challenge_solved: 1000, "refused:token_expired": 1000 });
  const { sites, deleted } = await listSites(world.node, ACCOUNT_ID, pause);
  const zeros = new Array(22).fill(0);
  assert.deepEqual(sites, [
    {
      siteKey: site.siteKey,
      name: "Shop",
      domains: ["shop.example"],
      mode: "managed",
      isEnabled: true,
      lastFour: secretKey.slice(-4),
      issued: 5,
      solved: 6,
      tokens: 3,
      verified: 1,
      passRate: 0.5,
      blockRate: 1 / 6,
      solveP50Ms: 1200,
      solveP95Ms: 1380,
      sparkline: [2, ...zeros, 4],
      isNeverVerified: false,
      hasWave: false,
    },
  ]);
  assert.deepEqual(deleted, [
    { siteKey: gone.siteKey, name: "Gone", deletedAtMs: NOON_MS, purgedAtMs: NOON_MS + 7 * DAY },
  ]);
});

test("a site shows when each of its keys was last accepted, so that an expiring key in use is noticed (D12, states)", async () => {
  const { world, site, secretKey, own } = await shop();
  const rotated = await rotateSecret(world.node, referenceTo(site));
  assert.ok(rotated.kind === "rotated");
  world.clock.advance(5000);
  await world.redeem(secretKey, { token: "forged" });
  await world.redeem("sk_wrong", { token: "forged" });
  await world.store.keyUsage.flush();
  const found = (await getSite(world.node, own)) ?? assert.fail();
  const lastUses = found.site.secretKeys.map(({ digest }) => found.lastUses.get(digest));
  assert.deepEqual(lastUses, [NOON_MS + 5000, undefined]);
  assert.equal(found.lastUses.size, 1);
});
