import assert from "node:assert/strict";
import { test } from "node:test";
import { packChallenge, unpackChallenge } from "@stile/pow/challenge";
import { challengeExpiresAtMs } from "../domain/challenge/challenge.ts";
import { createDelay, leftToWaitMs } from "./delay.ts";

const NOW_MS = 1_800_000_000_000;
const BINDING = {
  keyId: 1,
  actionDigest: new Uint8Array(8).fill(1),
  userAgentDigest: new Uint8Array(8).fill(2),
  addressFamily: 4,
  prefixDigest: new Uint8Array(8).fill(3),
} as const;
const delay = createDelay("pk_0123456789abcdefghijkl", {
  binding: BINDING,
  id: new Uint8Array(16).fill(4),
  nowMs: NOW_MS,
});

test("a delay has the form of a challenge, and packs as one (D18, no JavaScript)", () => {
  const packed = packChallenge(delay, () => new Uint8Array(16));
  assert.deepEqual(unpackChallenge(packed)?.challenge, delay);
});

test("a delay is over after 30 s to the millisecond, and valid for 10 minutes; the wait is never negative (D18, no JavaScript)", () => {
  assert.equal(leftToWaitMs(delay, NOW_MS), 30_000);
  assert.equal(leftToWaitMs(delay, NOW_MS + 29_999), 1);
  assert.equal(leftToWaitMs(delay, NOW_MS + 30_000), 0);
  assert.equal(leftToWaitMs(delay, NOW_MS + 500_000), 0);
  assert.equal(
    leftToWaitMs(delay, NOW_MS - 5_000),
    35_000,
    "a clock that was set back makes nobody's wait shorter",
  );
  assert.equal(challengeExpiresAtMs(delay), NOW_MS + 600_000);
});
