import assert from "node:assert/strict";
import { test } from "node:test";
import { bakeScenes, createScenes } from "./bake-bank.ts";
import { claimedEngine } from "./claimed-engine.ts";
import { READS_PER_SCENE } from "./create-scene.ts";
import { judgeLayout } from "./judge-layout.ts";
import { joinBytes, parseLayoutAnswer, splitSolution } from "./layout-answer.ts";
import { agreeOn, type BankScene, chooseScenes, enginesIn, type LayoutBank, toScenesText } from "./layout-bank.ts";

const [TEXT = ""] = createScenes(Math.random, 1);
const reads = (...values: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: READS_PER_SCENE }, (_, index) => values[index] ?? 20 + index);
const ALL = 0xffff;
const sceneOf = (answers: BankScene["answers"]): BankScene => ({ text: TEXT, answers });
const bankOf = (count: number): LayoutBank => ({
  version: 513,
  bakedAtMs: 0,
  drawnAtMs: 0,
  scenes: Array.from({ length: count }, (_, index) => ({ text: `${index}\nh00\n.a{}`, answers: {} })),
});

test("a read counts unless it says nothing, or its engine answers differently at another pixel ratio", () => {
  // The reads are six hits, then ten edges. A 1 is the root for a hit, and 4 px for an edge.
  const one = agreeOn(TEXT, [reads(0, 1, 2, 3, 4, 5, 1, 0)]);
  assert.equal(one.kept, ALL & ~0b1000_0011);
  const two = agreeOn(TEXT, [reads(2, 3, 4), reads(2, 3, 5)]);
  assert.equal(two.kept, ALL & ~0b100);
});

test("scenes are kept of which enough counts for each engine, and enough is alike for all", () => {
  const alike = reads();
  const other = Uint8Array.from(alike, (value, index) => (index < 11 ? value + 1 : value));
  const empty = new Uint8Array(READS_PER_SCENE);
  const keptOf = (blink: Uint8Array, gecko: Uint8Array): number =>
    bakeScenes(
      [TEXT],
      [
        { engine: "blink", reads: blink },
        { engine: "gecko", reads: gecko },
      ],
    ).length;
  assert.deepEqual([keptOf(alike, alike), keptOf(alike, other), keptOf(alike, empty)], [1, 0, 0]);
});

test("a browser is held against its own engine's answers, and against what all have in common where that was not asked", () => {
  const blink = { reads: reads(), kept: ALL };
  const gecko = { reads: reads(1, 2), kept: 0xff };
  const scene = sceneOf({ blink, gecko });
  assert.deepEqual(judgeLayout([scene], blink.reads, "blink"), { kept: 16, right: 16, isOtherEngine: false });
  assert.deepEqual(judgeLayout([scene], gecko.reads, "gecko"), { kept: 8, right: 8, isOtherEngine: false });
  for (const claimed of ["webkit", undefined] as const) {
    assert.deepEqual(judgeLayout([scene], gecko.reads, claimed), { kept: 6, right: 6, isOtherEngine: false });
  }
});

test("another engine is named by four reads on which both differ and three of a lead, and not by fewer", () => {
  const blink = { reads: reads(), kept: ALL };
  const differing = (count: number) => ({ reads: reads(...Array.from({ length: count }, () => 9)), kept: ALL });
  const isOther = (count: number, handed: Uint8Array, claimed: "blink" | "gecko"): boolean =>
    judgeLayout([sceneOf({ blink, gecko: differing(count) })], handed, claimed).isOtherEngine;
  assert.equal(isOther(4, differing(4).reads, "blink"), true);
  assert.equal(isOther(4, differing(4).reads, "gecko"), false);
  assert.equal(isOther(3, differing(3).reads, "blink"), false);
  // Two reads match each engine, so neither leads.
  assert.equal(isOther(4, differing(2).reads, "blink"), false);
  assert.equal(isOther(16, new Uint8Array(16), "blink"), false);
});

test("a challenge's scenes follow from its bytes, never repeat, and all of a bank is asked", () => {
  const seen = new Set<number>();
  for (let first = 0; first < 256; first++) {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => (first * 31 + index * 7) & 255);
    const chosen = chooseScenes(bankOf(40), bytes);
    assert.deepEqual(chooseScenes(bankOf(40), bytes), chosen);
    assert.equal(new Set(chosen).size, 3);
    for (const number of chosen) seen.add(number);
  }
  assert.equal(seen.size, 40);
  assert.deepEqual(chooseScenes(bankOf(3), new Uint8Array(32)).toSorted(), [0, 1, 2]);
  assert.equal(toScenesText(bankOf(3), [2, 0]), "513\n2\nh00\n.a{}\n0\nh00\n.a{}");
});

test("nonces and what was read are told apart by their length alone (D9)", () => {
  const whole = Uint8Array.from({ length: 114 }, (_, index) => index);
  const { nonces, layoutBytes } = splitSolution(whole);
  assert.deepEqual([nonces.length, layoutBytes.length], [64, 50]);
  assert.deepEqual(parseLayoutAnswer(layoutBytes), { kind: "read", version: 64 + 65 * 256, reads: whole.subarray(66) });
  assert.deepEqual(parseLayoutAnswer(splitSolution(whole.subarray(0, 66)).layoutBytes), {
    kind: "not_laid_out",
    version: 64 + 65 * 256,
  });
  for (const length of [0, 63, 64, 65, 67, 113, 115]) {
    const { nonces: all, layoutBytes: none } = splitSolution(new Uint8Array(length));
    assert.deepEqual([all.length, parseLayoutAnswer(none)], [length, undefined]);
  }
  assert.deepEqual([...joinBytes(Uint8Array.of(1), Uint8Array.of(2, 3))], [1, 2, 3]);
});

test("a user agent names an engine with its version, and whether it is older than the scenes' grammar", () => {
  const told = {
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36": [
      "blink",
      156,
      false,
    ],
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/104.0.0.0 Safari/537.36": [
      "blink",
      104,
      true,
    ],
    "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0": ["gecko", 121, false],
    "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0": ["gecko", 120, true],
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Safari/605.1.15":
      ["webkit", 15, true],
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1":
      ["webkit", 17, false],
    "Mozilla/5.0 (iPad; CPU OS 15_8 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148": [
      "webkit",
      15,
      true,
    ],
    "curl/8": [undefined, 0, false],
    "": [undefined, 0, false],
  } as const;
  for (const [userAgent, [engine, version, isOld]] of Object.entries(told)) {
    assert.deepEqual(claimedEngine(userAgent), { engine, version, isOld }, userAgent);
  }
});

test("the engines of a bank are those that answered any scene", () => {
  const some = { reads: reads(), kept: ALL };
  assert.deepEqual(enginesIn({ ...bankOf(0), scenes: [sceneOf({ blink: some }), sceneOf({ gecko: some })] }), [
    "blink",
    "gecko",
  ]);
});
