import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryLayoutBanks } from "../../memory/memory-layout-banks.ts";
import { createMemoryLayoutVotes } from "../../memory/memory-layout-votes.ts";
import { createLayoutScenes } from "../layout-scenes.ts";
import { createLayoutVotes } from "./layout-votes.ts";

const T0 = Date.UTC(2026, 4, 20);
const DAY_MS = 86_400_000;
const ANSWERS = { reads: new Uint8Array(16), kept: 0xffff };
const BANK = { bakedAtMs: T0, drawnAtMs: T0, scenes: [{ text: "<a>", answers: { blink: ANSWERS, gecko: ANSWERS } }] };

async function createNode(stored = createMemoryLayoutVotes(), banks = createMemoryLayoutBanks(), maxNetworks = 1000) {
  const scenes = createLayoutScenes(banks);
  const votes = createLayoutVotes(stored, scenes, { maxNetworks });
  const refresh = async (nowMs = T0) => {
    await scenes.refresh();
    await votes.refresh(nowMs);
  };
  const vote = (count: number, share = 1, release = "Chromium 156", nowMs = T0) => {
    for (let at = 0; at < count; at++)
      votes.record({ network: `${release} ${share} ${at}`, provider: undefined, release, share, nowMs });
  };
  return { stored, banks, votes, refresh, vote };
}

test("a network has one vote a day, whatever it answers", async () => {
  const { votes, vote, refresh } = await createNode();
  const one = (share: number, nowMs: number) =>
    votes.record({ network: "n", provider: undefined, release: "Chromium 156", share, nowMs });
  for (let times = 0; times < 50; times++) one(1, T0 + times);
  one(0.8, T0 + DAY_MS - 1);
  await refresh();
  assert.equal(votes.gate().visits, 1);
  one(1, T0 + DAY_MS);
  vote(7);
  await refresh();
  assert.equal(votes.gate().visits, 9);
});

test("what two nodes see opens the gate on both, and over a restart", async () => {
  const one = await createNode();
  const other = await createNode(one.stored, one.banks);
  await one.banks.addBank(BANK);
  one.vote(120);
  other.vote(80, 0.99);
  for (const node of [one, other, one]) await node.refresh();
  assert.deepEqual([one.votes.gate().isOpen, other.votes.gate().isOpen], [true, true]);
  const again = await createNode(one.stored, one.banks);
  assert.equal(again.votes.gate().isOpen, false);
  await again.refresh();
  assert.deepEqual([again.votes.gate().isOpen, again.votes.gate().visits], [true, 200]);
});

test("a release that fell stands again with the next bank", async () => {
  const { banks, votes, vote, refresh } = await createNode();
  await banks.addBank(BANK);
  vote(30, 0.8, "Chromium 157");
  await refresh();
  assert.deepEqual([votes.isFallen("Chromium 157"), votes.isFallen("Chromium 156")], [true, false]);
  await banks.addBank({ ...BANK, bakedAtMs: T0 + 1 });
  await refresh();
  assert.deepEqual([votes.isFallen("Chromium 157"), votes.gate().visits], [false, 0]);
});

test("what may have been written is not written again", async () => {
  const stored = createMemoryLayoutVotes();
  let isUnheard = true;
  const addVotes: typeof stored.addVotes = async (votes, nowMs) => {
    await stored.addVotes(votes, nowMs);
    if (isUnheard) throw new Error("the answer was lost");
  };
  const { votes, vote, refresh } = await createNode({ ...stored, addVotes });
  vote(10);
  await assert.rejects(refresh());
  isUnheard = false;
  vote(5, 0.9);
  await refresh();
  await refresh();
  assert.equal(votes.gate().visits, 15);
});

test("names that somebody makes up do not fill the memory", async () => {
  const { votes, vote, refresh } = await createNode();
  vote(3);
  for (let version = 0; version < 5000; version++) vote(1, 1, `Firefox ${version}`);
  await refresh();
  assert.ok(votes.gate().visits <= 103);
  assert.ok(votes.gate().visits >= 100);
});
