import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProofOfBrowser } from "@stile/protocol/site-settings";
import { createRandom } from "@stile/risk/seeded-random";
import { createMemoryLayoutBanks } from "@stile/stores/memory/memory-layout-banks";
import { createLayoutScenes } from "@stile/stores/process/layout-scenes";
import { issueTo } from "@stile/testkit/minting/solving";
import { createWorld, NOON_MS } from "@stile/testkit/world/world";
import { bakeScenes, createScenes } from "../../domain/layout/bake-bank.ts";
import { READS_PER_SCENE } from "../../domain/layout/create-scene.ts";
import { askLayout, findLayout, learnScenes } from "./ask-layout.ts";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
const OLD_CHROME = CHROME.replace("156", "100");
const HOUR_MS = 3_600_000;

/** Answers of no real engine, which are enough to compare others with. */
function bankAt(bakedAtMs: number) {
  const texts = createScenes(createRandom(7), 20);
  const random = createRandom(8);
  const reads = Uint8Array.from({ length: READS_PER_SCENE * texts.length }, () => 2 + Math.floor(random() * 60));
  return { bakedAtMs, drawnAtMs: bakedAtMs, scenes: bakeScenes(texts, [{ engine: "blink", reads }]) };
}

/** A site with a bank baked at that time, and a challenge for one of its visitors. */
async function asked(proofOfBrowser: ProofOfBrowser = "live", bakedAtMs = NOON_MS - HOUR_MS) {
  const world = await createWorld();
  const { site } = await world.createSite({ proofOfBrowser });
  const { challenge } = await issueTo(world, site);
  const stored = createMemoryLayoutBanks();
  const layoutScenes = createLayoutScenes(stored);
  const { refresh } = layoutScenes;
  await stored.addBank(bankAt(bakedAtMs));
  await refresh();
  const ports = { ...world.node, layoutScenes };
  const text = askLayout(ports, site, challenge);
  const [version = "", ...lines] = text?.split("\n") ?? [];
  const known = layoutScenes.newest()?.scenes ?? [];
  const right = [0, 3, 6].flatMap((at) => {
    const scene = known.find((one) => one.text === lines.slice(at, at + 3).join("\n"));
    return [...(scene?.answers.blink?.reads ?? [])];
  });
  const judge = (layout: readonly number[], userAgent = CHROME, networks: readonly string[] = ["network"]) => {
    const solutionBytes = Uint8Array.from([...new Uint8Array(64), ...layout]);
    return findLayout(ports, { site, challenge, solutionBytes, userAgent, networks, nowMs: NOON_MS })?.evidence;
  };
  const bytes = [Number(version) & 255, Number(version) >> 8];
  return { text, right, judge, bytes, stored, refresh };
}

test("a challenge asks the same three scenes whenever it is looked at, and the right answers to them are neutral", async () => {
  const { right, judge, bytes } = await asked();
  assert.equal(right.length, 48);
  const found = judge([...bytes, ...right]);
  assert.deepEqual(found, { isLive: true, isOld: false, share: 1, isEngineKnown: true, isOtherEngine: false });
  const off = [...right.slice(0, 8).map((value) => value + 1), ...right.slice(8)];
  assert.equal(judge([...bytes, ...off])?.share, 40 / 48);
});

test("where the site asks for nothing, nothing is sent and nothing is made of an answer", async () => {
  const { text, judge } = await asked("off");
  assert.deepEqual([text, judge([])], [undefined, undefined]);
});

test("without a bank nobody is asked, and nothing is missed", async () => {
  const world = await createWorld();
  const { site } = await world.createSite({ proofOfBrowser: "live" });
  const { challenge, scenes } = await issueTo(world, site);
  assert.equal(scenes, undefined);
  const laidOut = {
    site,
    challenge,
    solutionBytes: new Uint8Array(64),
    userAgent: CHROME,
    networks: ["network"],
    nowMs: NOON_MS,
  };
  assert.equal(findLayout(world.node, laidOut), undefined);
});

test("what is not said is missing, however it is not said", async () => {
  const { judge, bytes, right } = await asked("shadow");
  const missing = { isLive: false, isOld: false, share: undefined, isEngineKnown: false, isOtherEngine: false };
  for (const layout of [[], bytes, [bytes[0] ?? 0, 77, ...right], [1, 2, 3]]) assert.deepEqual(judge(layout), missing);
});

test("whoever got their challenge before every node had the scenes misses nothing", async () => {
  const { judge, bytes, right } = await asked("live", NOON_MS - 119_999);
  assert.equal(judge([]), undefined);
  assert.equal(judge([...bytes, ...right])?.share, 1);
  assert.notEqual((await asked("live", NOON_MS - 120_000)).judge([]), undefined);
});

test("the scenes of the bank before are still judged, those of the one before that are not", async () => {
  const { judge, bytes, right, stored, refresh } = await asked();
  await stored.addBank(bankAt(NOON_MS - HOUR_MS + 1));
  await refresh();
  assert.equal(judge([...bytes, ...right])?.share, 1);
  await stored.addBank(bankAt(NOON_MS - HOUR_MS + 2));
  await refresh();
  assert.equal(judge([...bytes, ...right])?.share, undefined);
});

/** How many of so many visits by browsers that are too old go without a flag, each from the networks of its number. */
const countExcused = (
  judge: Awaited<ReturnType<typeof asked>>["judge"],
  visits: number,
  of: (at: number) => string[],
) => Array.from({ length: visits }, (_, at) => judge([], OLD_CHROME, of(at))).filter((found) => !found?.isOld).length;

test("a network has three visits a minute for nothing by browsers too old for the scenes (layout_unsupported)", async () => {
  assert.equal(
    countExcused((await asked()).judge, 10, () => ["network"]),
    3,
  );
  // A challenge drawn elsewhere is paid for there as well.
  assert.equal(
    countExcused((await asked()).judge, 5, (at) => ["drawn here", `handed in at ${at}`]),
    3,
  );
});

test("all networks of a site together have as many as one in ten of those who lay out right, and six at least", async () => {
  const own = (at: number): string[] => [`network ${at}`];
  assert.equal(countExcused((await asked()).judge, 50, own), 6);
  const { judge, bytes, right } = await asked();
  const wrong = right.map((value) => value + 1);
  for (let visit = 0; visit < 200; visit++) judge([...bytes, ...(visit < 100 ? right : wrong)]);
  assert.equal(countExcused(judge, 50, own), 10);
});

test("answers to scenes that nobody made lead to no more than a look a second", async () => {
  const { node } = await createWorld();
  let looks = 0;
  const layoutScenes = { ...node.layoutScenes, refresh: async () => void looks++ };
  const solutionBytes = Uint8Array.from([...new Uint8Array(64), 9, 9]);
  for (let visit = 0; visit < 200; visit++)
    await learnScenes({ ...node, layoutScenes }, { solutionBytes, nowMs: NOON_MS });
  await learnScenes({ ...node, layoutScenes }, { solutionBytes: new Uint8Array(64), nowMs: NOON_MS + 120_000 });
  assert.equal(looks, 60);
});
