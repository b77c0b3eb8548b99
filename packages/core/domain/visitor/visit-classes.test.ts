import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHROME_VISITOR,
  findVisitor,
  type HonestEvidence,
  withBehaviour,
  withEnvironment,
} from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { CLASS_KINDS, digestClasses } from "./visit-classes.ts";
import { describeProperty, propertiesOf } from "./visit-properties.ts";

const KEY = Uint32Array.of(1, 2, 3, 4);
const read = ({ userAgent, environment, behaviour }: HonestEvidence, difficulty = 100_000) =>
  propertiesOf({
    userAgent,
    environment: decoded(environment),
    behaviour: decoded(behaviour),
    difficulty,
  });
const digests = (it: HonestEvidence, key = KEY) => digestClasses(read(it), key);
const wordsOf = (it: HonestEvidence) =>
  Object.fromEntries(
    [...new Set(CLASS_KINDS.flat())].map((name) => [name, describeProperty(name, read(it))]),
  );

test("a visit is described in words: its properties and its actions", () => {
  assert.deepEqual(wordsOf(CHROME_VISITOR), {
    browser: "Chromium 140",
    system: "Windows",
    screen: "1920 × 1080 at 1.25",
    window: `${CHROME_VISITOR.environment.viewport[0]} × ${CHROME_VISITOR.environment.viewport[1]}`,
    languages: CHROME_VISITOR.environment.languages.join(", "),
    timeZone: "Europe/Paris",
    processors: `${CHROME_VISITOR.environment.cores} cores, ${CHROME_VISITOR.environment.memory} GB`,
    graphics: "ANGLE (Intel, Intel(R) UHD Graphics Direct3D11 vs_5_0 ps_5_0, D3D11)",
    input: "a mouse that moved, a mouse that pressed",
    actions: "5 moves, 1 press, 1 click, 0 keys, 1 scroll",
    rhythm: "no keys",
    work: "11585 ns a hash and core",
  });
  const { browser, system, input, rhythm } = wordsOf(findVisitor("iPhone"));
  assert.deepEqual(
    [browser, system, input, rhythm],
    ["Safari 18", "iOS, with touch", "touch", "no keys"],
  );
});

test("endless values from a browser are described in 96 characters", () => {
  const long = withEnvironment(CHROME_VISITOR, {
    graphics: ["x", "y".repeat(500)],
    languages: ["z".repeat(500)],
  });
  for (const text of Object.values(wordsOf(long))) assert.ok(text.length <= 96);
});

test("an owner sees a stranger's text on one line: nothing invisible, reversed, stacked or cut inside a character", () => {
  const graphics =
    "\u202eANGLE\u2066 (\u2069\n\u2028a\u0300\u0301\u0301b\u200d\u{e0041}\u3164\ud800)\u0000 ";
  const odd = withEnvironment(CHROME_VISITOR, {
    graphics: ["x", graphics],
    languages: ["en\u200f", "\u2068de\u2069"],
  });
  const { languages, graphics: shown } = wordsOf(odd);
  assert.deepEqual([shown, languages], ["ANGLE ( \u00e0b)", "en, de"]);
  const pairs = wordsOf(
    withEnvironment(CHROME_VISITOR, { graphics: ["x", `x${"\u{1f98a}".repeat(200)}`] }),
  ).graphics;
  assert.deepEqual([pairs?.isWellFormed(), [...(pairs ?? "")].length], [true, 96]);
});

test("a value that a browser does not report is described as missing", () => {
  const silent = withEnvironment(CHROME_VISITOR, {
    graphics: null,
    languages: ["\u200b"],
    timezone: "\u2066\u2069",
    cores: null,
    memory: null,
  });
  const { graphics, languages, timeZone, processors } = wordsOf(silent);
  assert.deepEqual([graphics, languages, timeZone], ["not told", "not told", "not told"]);
  assert.equal(processors, "cores not told, memory not told");
});

test("the same visit has the same digests, and another key or kind has others", () => {
  const { classes, crowds } = digests(CHROME_VISITOR);
  assert.deepEqual(digests(CHROME_VISITOR), { classes, crowds });
  const all = [...classes.map(({ now }) => now), ...crowds];
  assert.equal(new Set(all).size, all.length);
  const other = digests(CHROME_VISITOR, Uint32Array.of(1, 2, 3, 5));
  assert.ok(other.classes.every(({ now }, at) => now !== classes[at]?.now));
  for (const digest of all) assert.ok(Number.isInteger(digest) && digest >= 0 && digest < 2 ** 32);
});

test("another version is another class now, but the same usual class", () => {
  const newer = {
    ...CHROME_VISITOR,
    userAgent: CHROME_VISITOR.userAgent.replace("Chrome/140", "Chrome/141"),
  };
  const [before, after] = [digests(CHROME_VISITOR), digests(newer)];
  assert.deepEqual(
    after.classes.map(({ usual }) => usual),
    before.classes.map(({ usual }) => usual),
  );
  assert.deepEqual(
    after.classes.map(({ now }, at) => now === before.classes[at]?.now),
    [false, false, false, true],
  );
  assert.deepEqual(after.crowds, before.crowds);
});

test("a difference changes only the classes that contain it", () => {
  const before = digests(CHROME_VISITOR).classes;
  const changed = (it: HonestEvidence) =>
    digests(it).classes.map(({ now }, at) => now !== before[at]?.now);
  assert.deepEqual(changed(withEnvironment(CHROME_VISITOR, { cores: 32, memory: 2 })).slice(0, 3), [
    true,
    false,
    false,
  ]);
  assert.deepEqual(changed(withEnvironment(CHROME_VISITOR, { timezone: "Asia/Tokyo" })), [
    true,
    true,
    false,
    false,
  ]);
  assert.deepEqual(changed(withEnvironment(CHROME_VISITOR, { viewport: [9, 9, 9, 9] })), [
    true,
    false,
    true,
    false,
  ]);
  assert.deepEqual(changed(withBehaviour(CHROME_VISITOR, { pointer: [] })), [
    false,
    false,
    false,
    true,
  ]);
  assert.deepEqual(changed(withBehaviour(CHROME_VISITOR, { solveMs: 900 })), [
    false,
    false,
    false,
    true,
  ]);
  assert.deepEqual(
    changed(
      withBehaviour(CHROME_VISITOR, {
        keys: [
          [1, 1],
          [90, 1],
        ],
      }),
    ),
    [false, false, false, true],
  );
});
