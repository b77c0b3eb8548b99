import assert from "node:assert/strict";
import { test } from "node:test";
import { SHAPE_BYTES } from "@stile/core/domain/visitor/nearest-path";
import type { NodeFeed } from "@stile/core/ports/node-feed";
import { createMemoryNodeFeeds } from "@stile/testkit/memory-store/memory-node-feed";
import { createLocalLimiter } from "./local-limiter.ts";
import { MAX_SENT, shareMemories } from "./shared-memory.ts";
import { createTokenUsage } from "./tokens/token-usage.ts";
import { createVisitMemory } from "./visit-memory.ts";
import { createVisitorMemory } from "./visitor-memory.ts";
import { createWaveMemory } from "./waves/wave-memory.ts";

const NOW_MS = 1_800_000_000_000;
const SHAPE = Int8Array.from({ length: SHAPE_BYTES }, (_, i) => (i % 2 === 0 ? -128 : 127));
const OF_A = { networks: [1], era: 7, nowMs: NOW_MS };
const OF_B = { networks: [2], era: 7, nowMs: NOW_MS + 1 };
const ATTEMPT = { scope: "email:x", perMinute: 5, nowMs: NOW_MS };

function createNode(feed: NodeFeed | undefined, aheadMs = 0) {
  const bounds = { pathsOfSite: 100, paths: 1000, behaviours: 1000 };
  const collected = createVisitMemory(bounds);
  const local = {
    ...createVisitMemory(bounds),
    collectedPaths: collected.paths,
    collectedBehaviours: collected.behaviours,
    visitors: createVisitorMemory({ maxEntries: 100 }),
    tokenUsage: createTokenUsage({ maxNetworks: 100, maxSites: 10 }),
    attempts: createLocalLimiter({ maxScopes: 100 }),
    waves: createWaveMemory({ maxSites: 10 }),
  };
  return shareMemories(local, feed, { nowMs: () => NOW_MS + aheadMs });
}

/** Two nodes. The clock of the second one is ahead by `aheadMs`. */
function twoNodes(aheadMs = 0) {
  const openFeed = createMemoryNodeFeeds();
  const [a, b] = [createNode(openFeed()), createNode(openFeed(), aheadMs)];
  const exchange = async (): Promise<void> => {
    for (const node of [a, b, a]) await node.exchange();
  };
  return { a: a.memories, b: b.memories, exchange };
}

test("shares what one node saw with the other after both have exchanged, and not before", async () => {
  const { a, b, exchange } = twoNodes();
  a.paths.record("pk_1", [SHAPE], OF_A);
  a.behaviours.record("digest", 1, NOW_MS, 1, "pk_1");
  a.visitors.demandStepUp("pk_1", "browser", NOW_MS + 1000);
  a.visitors.recordRedeemed("acc_1", "network agent", NOW_MS + 1000);
  const known = () => [
    b.paths.nearest("pk_1", [SHAPE], OF_B),
    b.behaviours.isKnown("digest", { networks: [2], era: 1, nowMs: NOW_MS }),
    b.visitors.mustStepUp("pk_1", "browser", NOW_MS),
    b.visitors.hasRedeemed("acc_1", "network agent", NOW_MS),
  ];
  assert.deepEqual(known(), [undefined, false, false, false]);
  await exchange();
  assert.deepEqual(known(), [0, true, true, true]);
});

test("adds up the counts of all nodes, each call once", async () => {
  const { a, b, exchange } = twoNodes();
  const tokens = {
    siteKey: "pk_1",
    network: "home",
    earnedAtMs: NOW_MS,
    nowMs: NOW_MS,
    hasMoved: undefined,
  };
  for (const node of [a, b])
    for (let i = 0; i < 3; i++) node.tokenUsage.recordEarned("pk_1", "home", NOW_MS);
  // Redeemed at the other node, which does not know of the token yet.
  b.tokenUsage.recordRedeemed(tokens);
  for (const node of [a, b]) for (let i = 0; i < 2; i++) node.attempts.consume(ATTEMPT);
  await exchange();
  await exchange();
  for (const node of [a, b]) {
    const usage = node.tokenUsage.find("pk_1", "home", NOW_MS + 2 * 900_000);
    assert.deepEqual(usage?.network, { earned: 6, redeemed: 1, traced: 0, moved: 0 });
    const earned = node.tokenUsage.earnedLately("pk_1", "home", NOW_MS + 900_000);
    assert.equal(earned, 6);
    assert.equal(
      node.attempts.peek(ATTEMPT).remaining,
      0,
      "one is left, and a look counts it as taken",
    );
    assert.equal(node.attempts.peek(ATTEMPT).isAdmitted, true);
  }
  assert.equal(a.attempts.consume(ATTEMPT).isAdmitted, true);
  await exchange();
  assert.equal(b.attempts.consume(ATTEMPT).isAdmitted, false, "both nodes share one budget");
});

for (const [ahead, aheadMs] of [
  ["two minutes", 120_000],
  ["two hours", 7_200_000],
  ["three days", 3 * 86_400_000],
] as const) {
  for (const [which, sign] of [
    ["ahead", 1],
    ["behind", -1],
  ] as const) {
    test(`neither resets nor ends a count when another node's clock is ${ahead} ${which}`, async () => {
      const itsMs = NOW_MS + sign * aheadMs;
      const { a, b, exchange } = twoNodes(sign * aheadMs);
      for (let i = 0; i < 5; i++) a.attempts.consume(ATTEMPT);
      for (let i = 0; i < 3; i++) a.tokenUsage.recordEarned("pk_1", "home", NOW_MS);
      b.attempts.consume({ ...ATTEMPT, nowMs: itsMs });
      b.tokenUsage.recordEarned("pk_1", "home", itsMs);
      await exchange();
      assert.equal(
        a.attempts.consume(ATTEMPT).isAdmitted,
        false,
        "a client that asks both nodes in turn has one budget",
      );
      a.tokenUsage.recordEarned("pk_1", "home", NOW_MS);
      assert.equal(a.tokenUsage.earnedLately("pk_1", "home", NOW_MS), 4);
      assert.equal(b.tokenUsage.earnedLately("pk_1", "home", itsMs), 1);
    });
  }
}

test("shares counts between nodes whose clocks differ by half a minute", async () => {
  const { a, b, exchange } = twoNodes(30_000);
  for (let i = 0; i < 5; i++) b.attempts.consume({ ...ATTEMPT, nowMs: NOW_MS + 30_000 });
  await exchange();
  assert.equal(a.attempts.consume(ATTEMPT).isAdmitted, false);
});

test("works alone without a feed", async () => {
  const { memories, exchange } = createNode(undefined);
  memories.behaviours.record("digest", 1, NOW_MS, 1, "pk_1");
  await exchange();
  assert.equal(
    memories.behaviours.isKnown("digest", { networks: [2], era: 1, nowMs: NOW_MS }),
    true,
  );
});

test("loses only unsent entries if the feed fails; local memory and later entries are unaffected", async () => {
  const openFeed = createMemoryNodeFeeds();
  const feed = openFeed();
  let isDown = true;
  const fragile = (): void => {
    if (isDown) throw new Error("the store does not answer");
  };
  const a = createNode({
    ...feed,
    publish: async (entries) => {
      fragile();
      await feed.publish(entries);
    },
  });
  const b = createNode(openFeed());
  a.memories.behaviours.record("lost", 1, NOW_MS, 1, "pk_1");
  b.memories.behaviours.record("heard", 1, NOW_MS, 1, "pk_1");
  await b.exchange();
  await assert.rejects(a.exchange(), /does not answer/);
  isDown = false;
  a.memories.behaviours.record("told", 1, NOW_MS, 1, "pk_1");
  await a.exchange();
  await b.exchange();
  const knows = ({ memories }: typeof a) =>
    ["lost", "heard", "told"].map((digest) =>
      memories.behaviours.isKnown(digest, { networks: [2], era: 1, nowMs: NOW_MS }),
    );
  assert.deepEqual(
    [knows(a), knows(b)],
    [
      [true, true, true],
      [false, true, true],
    ],
  );
});

test("sends a bounded number of entries of a flood, and counts all of them locally", async () => {
  const openFeed = createMemoryNodeFeeds();
  let told = 0;
  const feed = openFeed();
  const publish = async (entries: readonly string[]): Promise<void> => {
    told += entries.length;
  };
  const { memories, exchange } = createNode({ ...feed, publish });
  for (let i = 0; i < MAX_SENT + 500; i++)
    memories.attempts.consume({ ...ATTEMPT, perMinute: 1e9 });
  await exchange();
  assert.equal(told, MAX_SENT);
  assert.equal(memories.attempts.countThisMinute(ATTEMPT.scope, NOW_MS), MAX_SENT + 500);
});

test("ignores unknown entries from a node of another version", async () => {
  const openFeed = createMemoryNodeFeeds();
  const { memories, exchange } = createNode(openFeed());
  const strange = [
    ["moods", "record", 1],
    ["paths", "forgetAll"],
    ["paths", "constructor"],
    ["__proto__", "toString"],
  ];
  const broken = ["", "null", '["paths","record","pk_1",5,null]'];
  const sound = '["behaviours","record","digest",1,5,1,"pk_1"]';
  const other = openFeed();
  await other.publish([...strange.map((entry) => JSON.stringify(entry)), sound]);
  await exchange();
  await other.publish([...broken, sound.replace("digest", "another")]);
  await assert.rejects(exchange(), /3 entries from other nodes can't be read/);
  assert.equal(memories.behaviours.isKnown("another", { networks: [2], era: 1, nowMs: 5 }), true);
  assert.equal(memories.behaviours.isKnown("digest", { networks: [2], era: 1, nowMs: 5 }), true);
});

test("detects a wave that is spread over the nodes on each node, and refuses it on all once one refuses it", async () => {
  const { a, b, exchange } = twoNodes();
  const nodes = [a, b] as const;
  const visitOf = (digest: number, network: number) => {
    return { era: 1, network, classes: [{ now: digest, usual: digest }], crowds: [] };
  };
  let nowMs = NOW_MS;
  for (let at = 0; at < 420; at++) {
    const isWave = at >= 400;
    if (at % 100 === 0) await exchange();
    nowMs += isWave ? 1000 : 20_000;
    nodes[at % 2]?.waves.record(
      "pk_1",
      visitOf(isWave ? 7 : (2_654_435_761 * at) >>> 0, at),
      nowMs,
    );
  }
  const isSeen = (): boolean[] =>
    nodes.map(({ waves }) => waves.find("pk_1", visitOf(7, 999), nowMs).surge !== undefined);
  assert.deepEqual(isSeen(), [false, false], "half of the wave is too little to detect");
  await exchange();
  assert.deepEqual(isSeen(), [true, true]);
  const waveId = a.waves.find("pk_1", visitOf(7, 999), nowMs).surge?.waveId ?? "";
  a.waves.refuse("pk_1", waveId, nowMs + 1000);
  await exchange();
  assert.equal(b.waves.find("pk_1", visitOf(7, 999), nowMs).isRefused, true);
});

test("refuses a wave on the other nodes even if it was refused in a flood or while the store did not answer", async () => {
  const openFeed = createMemoryNodeFeeds();
  const feed = openFeed();
  let isDown = true;
  const publish = async (entries: readonly string[]): Promise<void> => {
    if (isDown) throw new Error("the store does not answer");
    await feed.publish(entries);
  };
  const [a, b] = [createNode({ ...feed, publish }), createNode(openFeed())];
  for (let i = 0; i < MAX_SENT + 500; i++)
    a.memories.attempts.consume({ ...ATTEMPT, perMinute: 1e9 });
  a.memories.waves.refuse("pk_1", "0-7", NOW_MS + 1000);
  await assert.rejects(a.exchange(), /does not answer/);
  isDown = false;
  await a.exchange();
  await b.exchange();
  const visit = { era: 1, network: 1, classes: [{ now: 7, usual: 7 }], crowds: [] };
  assert.equal(b.memories.waves.find("pk_1", visit, NOW_MS).isRefused, true);
  assert.equal(
    b.memories.attempts.countThisMinute(ATTEMPT.scope, NOW_MS),
    0,
    "counted calls are not sent again",
  );
});
