import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { createScene, READS_PER_SCENE } from "./create-scene.ts";

const scenesOf = (seed: number, count: number): string[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => createScene(random));
};

test("the same numbers make the same scenes, other numbers others", () => {
  assert.deepEqual(scenesOf(1, 20), scenesOf(1, 20));
  assert.equal(new Set([...scenesOf(1, 200), ...scenesOf(2, 200)]).size, 400);
});

test("a scene is a closed tree of divs with a letter each, 16 reads, and a style sheet (proof of browser)", () => {
  for (const scene of scenesOf(3, 500)) {
    const [tree = "", reads = "", style = "", ...rest] = scene.split("\n");
    assert.deepEqual(rest, []);
    const letters = tree.replaceAll(/[<>]/g, "");
    assert.ok(letters.length >= 9 && letters.length <= 14, letters);
    assert.equal([...letters].toSorted().join(""), "abcdefghijklmn".slice(0, letters.length));
    assert.equal(tree.split("<").length, tree.split(">").length);
    assert.match(tree, /^(<[a-z]|>)+$/);
    assert.equal(reads.split(" ").length, READS_PER_SCENE);
    for (const read of reads.split(" ")) assert.match(read, new RegExp(`^(h[0-o]{2}|r[ltwh][${letters}])$`));
    assert.equal(style.split("{").length, style.split("}").length);
    assert.ok(scene.length < 4096, `${scene.length} characters`);
  }
});

test("no scene depends on fonts, on the screen or on anything but itself, and none fetches", () => {
  for (const scene of scenesOf(4, 500)) {
    const style = scene.split("\n")[2] ?? "";
    assert.doesNotMatch(
      style,
      /url\(|\d(em|rem|ex|ch|vw|vh|vmin|vmax)\b|@media|@import|color|font-family|overflow:(auto|scroll)/,
    );
    for (const [, number] of style.matchAll(/(-?\d+)px/g)) {
      const isEven = Number(number) % 4 === 0;
      // Thresholds of container queries are 2 px off any size that a container can have.
      assert.ok(isEven || style.includes(`>${number}px)`) || number === "1", `${number}px`);
    }
  }
});
