import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { createScene, GRAMMAR, READS_PER_SCENE } from "./create-scene.ts";

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

test("no scene asks for what releases of an engine lay out differently (decision 0127)", () => {
  const changed =
    /aspect-ratio|justify-self|contain-intrinsic-size|float:inline|space-(around|evenly)|(min|max)-(width|height):(calc|min|clamp)|flex:\d \d \d\d/;
  for (const scene of scenesOf(5, 500)) {
    const style = scene.split("\n")[2] ?? "";
    assert.doesNotMatch(style, changed);
    // The root moves its contents, so it holds them in any release.
    for (const [, next = ""] of style
      .replace("container-type:size;transform", "")
      .matchAll(/container-type:[^;}]+(.{15})/g)) {
      assert.equal(next, ";contain:layout");
    }
    for (const [, next = ""] of style.matchAll(/(?:justify-items|align-content):[^;}]+(.{13})/g)) {
      assert.match(next, /^;display:(flex|grid)/);
    }
  }
});

test("the grammar has a number of its own, by which a draft is known that another version began", () => {
  const scenes = createHash("sha256").update(scenesOf(6, 50).join("\n")).digest("hex").slice(0, 12);
  assert.deepEqual([GRAMMAR, scenes], [2, "2d65847c0a26"], "if the scenes changed on purpose, raise GRAMMAR");
});
