import assert from "node:assert/strict";
import { test } from "node:test";
import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import type { SiteMode } from "@stile/protocol/site-settings";
import { challengeExpiresAtMs, createChallenge, interactionFor, mayAsk } from "./challenge.ts";
import type { ServiceSettings } from "./service-settings.ts";
import type { Site } from "./site.ts";
import { DEFAULT_SETTINGS } from "./site-settings.ts";

const SETTINGS: ServiceSettings = {
  algorithm: 2,
  limits: { verify: 1000, score: 500, challenge: 100, reserve: 100, wrongSecret: 60 },
};
const BINDING = {
  keyId: 7,
  actionDigest: new Uint8Array(8),
  userAgentDigest: new Uint8Array(8),
  addressFamily: 4,
  prefixDigest: new Uint8Array(8),
} as const;

function challengeFor(change: Partial<Site>, stage: "first" | "stepped_up") {
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
  return createChallenge(site, SETTINGS, { stage, binding: BINDING, id: new Uint8Array(16), nowMs: 5000 });
}

test("asks for a click as mode and stage say, and only where the mode may ask (D9)", () => {
  const table: Record<SiteMode, [string, string]> = {
    managed: ["none", "click"],
    interactive: ["click", "click"],
    non_interactive: ["none", "none"],
    invisible: ["none", "none"],
  };
  for (const [mode, expected] of Object.entries(table) as [SiteMode, [string, string]][]) {
    assert.deepEqual([interactionFor(mode, "first"), interactionFor(mode, "stepped_up")], expected, mode);
    assert.equal(mayAsk(mode), expected.includes("click"), mode);
    assert.equal(challengeFor({ mode }, "stepped_up").interaction, expected[1], mode);
  }
});

test("a stepped-up challenge is twice as hard, and the site's slider doubles or halves (D9; proof of work)", () => {
  const base = BASE_DIFFICULTY[SETTINGS.algorithm];
  assert.equal(challengeFor({}, "first").difficulty, base);
  assert.equal(challengeFor({}, "stepped_up").difficulty, 2 * base);
  assert.equal(challengeFor({ difficultyOffset: 2 }, "first").difficulty, 4 * base);
  assert.equal(challengeFor({ difficultyOffset: -1 }, "first").difficulty, base / 2);
  assert.equal(challengeFor({ difficultyOffset: 2 }, "stepped_up").difficulty, 8 * base);
});

test("lives 300 s from its issue (proof of work)", () => {
  assert.equal(challengeExpiresAtMs(challengeFor({}, "first")), 305_000);
});

test("carries the site, the binding and 16 nonces to find", () => {
  const challenge = challengeFor({}, "first");
  assert.deepEqual(
    [challenge.siteKey, challenge.k, challenge.keyId, challenge.addressFamily, challenge.isFallback],
    ["pk_0123456789ABCDEFabcdef", 16, 7, 4, false],
  );
});
