import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answers, Claims, Styles } from "./ask-in-page.ts";
import { disagreementsOf } from "./disagreements.ts";

const MOUSE = ["(hover: hover)", "(pointer: fine)", "(any-pointer: fine)"];

const CLAIMS: Claims = {
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  isMobileByHints: false,
  touchPoints: 0,
  screenWidth: 1745,
  screenHeight: 982,
  colorDepth: 24,
  pixelRatio: 1.100000023841858,
  innerWidth: 1164,
  innerHeight: 800,
  media: MOUSE,
};
/** As Chromium answers at scale 1.1: sizes are no whole pixels. */
const STYLES: Styles = {
  ...{ deviceWidth: 1745.45, deviceHeight: 981.8, resolution: 1.1, width: 1163.6, height: 800.02, color: 8 },
  media: MOUSE,
};

function answers(claims: Partial<Claims> = {}, styles: Partial<Styles> = {}): Answers {
  const cost = { scenes: 1, characters: 1, ms: 1 };
  return { claims: { ...CLAIMS, ...claims }, styles: { ...STYLES, ...styles }, cost };
}

const told = (page: Answers, near: Answers, far: Answers): string[] =>
  disagreementsOf({ page, near, far }).map(({ way, kind }) => `${way}: ${kind}`);

test("a browser that rounds its sizes, and whose frames have another shape than its page, agrees with itself", () => {
  const frame = answers({ innerWidth: 256, innerHeight: 257 }, { width: 256, height: 257 });
  const page = answers({ media: [...MOUSE, "(orientation: landscape)"] });
  assert.deepEqual(told(page, frame, frame), []);
});

test("what a script claims in every document is told by the styles of each, and by no script", () => {
  const lying = answers({ screenWidth: 2560, pixelRatio: 1.5, touchPoints: 5, media: [...MOUSE, "(pointer: coarse)"] });
  const kinds = ["screen", "ratio", "matchMedia", "touch"];
  const ways = ["own styles", "near frame's styles", "far frame's styles"];
  assert.deepEqual(
    told(lying, lying, lying),
    ways.flatMap((way) => kinds.map((kind) => `${way}: ${kind}`)),
  );
});

test("what a driver emulates in the page's process is told by a frame in another, by script as well", () => {
  const emulated = answers({ screenWidth: 1280, screenHeight: 720 }, { deviceWidth: 1280, deviceHeight: 720 });
  assert.deepEqual(told(emulated, emulated, answers()), ["far frame's styles: screen", "far frame's script: screen"]);
});

test("a phone is one that says so and is worked by a finger", () => {
  const finger = ["(hover: none)", "(pointer: coarse)", "(any-pointer: coarse)"];
  const phone = answers({ isMobileByHints: true, touchPoints: 5, media: finger }, { media: finger });
  assert.deepEqual(told(phone, phone, phone), []);
  const named = answers({ isMobileByHints: true });
  assert.equal(told(named, named, named)[0], "own styles: mobile");
});
