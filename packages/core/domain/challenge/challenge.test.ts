import assert from "node:assert/strict";
import { test } from "node:test";
import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import { CHALLENGE_LIFE_SECONDS } from "@stile/protocol/limits";
import type { SiteMode } from "@stile/protocol/site-settings";
import type { ServiceSettings } from "../service-settings.ts";
import type { Site } from "../site/site.ts";
import { DEFAULT_SETTINGS } from "../site/site-settings.ts";
import {
  challengeExpiresAtMs,
  createChallenge,
  hasFallback,
  interactionFor,
  mayAsk,
  type Workload,
} from "./challenge.ts";
import { difficultyExponent } from "./difficulty.ts";
import { SLOWEST_DEVICE } from "./slowest-device.ts";

const SETTINGS: ServiceSettings = {
  algorithm: 2,
  limits: { verify: 1000, score: 500, challenge: 100, challengeTotal: 10_000, wrongSecret: 60 },
};
const BINDING = {
  keyId: 7,
  actionDigest: new Uint8Array(8),
  userAgentDigest: new Uint8Array(8),
  addressFamily: 4,
  prefixDigest: new Uint8Array(8),
} as const;

type Difficulty = {
  algorithm: AlgorithmNumber;
  exponent: number;
  workload: Workload;
  isWorkDone: boolean;
  isFallback: boolean;
};

function challengeFor(
  change: Partial<Site>,
  stage: "first" | "stepped_up",
  more: Partial<Difficulty> = {},
) {
  const site: Site = {
    ...DEFAULT_SETTINGS,
    name: "Shop",
    domains: ["example.org"],
    siteKey: "pk_0123456789ABCDEFabcdef",
    accountId: "acc",
    createdAtMs: 0,
    deletedAtMs: null,
    secretKeys: [],
    revision: 1,
    ...change,
  };
  const { algorithm = 1, ...asked } = more;
  const terms = {
    exponent: 0,
    workload: "full",
    isWorkDone: false,
    isFallback: false,
    ...asked,
  } as const;
  const made = { stage, ...terms, binding: BINDING, id: new Uint8Array(16), nowMs: 5000 };
  return createChallenge(site, { ...SETTINGS, algorithm }, made);
}

test("asks for a click according to mode and stage, and only where the mode allows it (D9, submission)", () => {
  const table: Record<SiteMode, [string, string]> = {
    managed: ["none", "click"],
    interactive: ["click", "click"],
    non_interactive: ["none", "none"],
    invisible: ["none", "none"],
  };
  for (const [mode, expected] of Object.entries(table) as [SiteMode, [string, string]][]) {
    assert.deepEqual(
      [interactionFor(mode, "first"), interactionFor(mode, "stepped_up")],
      expected,
      mode,
    );
    assert.equal(mayAsk(mode), expected.includes("click"), mode);
    assert.equal(challengeFor({ mode }, "stepped_up").interaction, expected[1], mode);
  }
});

test("the exponent doubles or halves the algorithm's base difficulty (proof of work)", () => {
  for (const algorithm of [1, 2] as const) {
    for (const exponent of [-1, 0, 1, 5]) {
      const { difficulty } = challengeFor({}, "first", { algorithm, exponent });
      assert.equal(difficulty, BASE_DIFFICULTY[algorithm] * 2 ** exponent);
    }
  }
});

test("a browser without WebAssembly gets 2^13, signed as a fallback, under the same exponent (proof of work)", () => {
  const challenge = challengeFor({}, "first", {
    workload: "reduced",
    exponent: 1,
    isFallback: true,
  });
  assert.deepEqual([challenge.difficulty, challenge.isFallback], [2 ** 14, true]);
  assert.equal(
    challengeFor({}, "stepped_up", { workload: "reduced", isWorkDone: true }).difficulty,
    2 ** 10,
  );
  assert.deepEqual([hasFallback(1), hasFallback(2)], [true, false]);
});

test("asks a browser without WebAssembly for at most 2^16 hashes, whatever the exponent (proof of work)", () => {
  const of = (workload: Workload, exponent: number): number =>
    challengeFor({}, "first", { workload, exponent }).difficulty;
  assert.deepEqual(
    [-1, 0, 2, 3, 5].map((exponent) => of("reduced", exponent)),
    [2 ** 12, 2 ** 13, 2 ** 15, 2 ** 16, 2 ** 16],
  );
  assert.deepEqual([of("most_interpreted", -1), of("most_interpreted", 5)], [2 ** 16, 2 ** 16]);
});

test("the slowest supported device finishes every challenge within 120 s, with and without WebAssembly (D8, challenge)", () => {
  const { compiledPerSecond, interpretedPerSecond, mostSeconds, spread } = SLOWEST_DEVICE;
  assert.ok(mostSeconds < CHALLENGE_LIFE_SECONDS / 2);
  const exponent = difficultyExponent({ risk: 9, network: 9, load: 9, site: 9 });
  const seconds = (workload: Workload, perSecond: number): number =>
    (spread * challengeFor({}, "first", { workload, exponent }).difficulty) / perSecond;
  assert.ok(seconds("full", compiledPerSecond) <= mostSeconds);
  for (const workload of ["reduced", "most_interpreted"] as const) {
    assert.ok(seconds(workload, interpretedPerSecond) <= mostSeconds, workload);
  }
});

test("lives 300 s from its issue (proof of work)", () => {
  assert.equal(challengeExpiresAtMs(challengeFor({}, "first")), 305_000);
});

test("carries the site, the binding and 16 nonces to find", () => {
  const challenge = challengeFor({}, "first");
  assert.deepEqual(
    [
      challenge.siteKey,
      challenge.k,
      challenge.keyId,
      challenge.addressFamily,
      challenge.isFallback,
    ],
    ["pk_0123456789ABCDEFabcdef", 16, 7, 4, false],
  );
});
