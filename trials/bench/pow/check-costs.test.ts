import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBase64url } from "@stile/pow/base64url";
import { unpackChallenge } from "@stile/pow/challenge";
import { BASE_DIFFICULTY, nonceBound } from "@stile/pow/puzzle";
import { createSolver } from "@stile/pow/solver";
import { measureCheckCosts, type Solved } from "./check-costs.ts";
import { toBasePuzzle } from "./puzzles.ts";
import { createBenchCryptography, signChallenge } from "./signed-challenges.ts";

const cryptography = createBenchCryptography();
const NOW_MS = Date.UTC(2026, 5, 15);

function solve(challengeText: string): Solved {
  const solver = createSolver({ ...toBasePuzzle(challengeText), workerIndex: 0, workerCount: 1 });
  return { challengeText, nonces: solver.search(nonceBound(BASE_DIFFICULTY[1])).found };
}

test("measures an accepted solution, a refused one and a forged challenge", () => {
  const costs = measureCheckCosts(cryptography, [solve(signChallenge(cryptography, NOW_MS))]);
  assert.deepEqual(Object.keys(costs), ["acceptUs", "rejectUs", "forgedUs"]);
  for (const cost of Object.values(costs)) assert.ok(cost > 0 && Number.isFinite(cost));
});

test("does not take a wrong solution for an accepted one", () => {
  const { challengeText, nonces } = solve(signChallenge(cryptography, NOW_MS));
  const wrong = nonces.map((nonce) => nonce + 1);
  assert.throws(
    () => measureCheckCosts(cryptography, [{ challengeText, nonces: wrong }]),
    /found "first nonce wrong" instead of "accepted"/,
  );
});

test("does not take a challenge of another key for one of its own", () => {
  const foreign = solve(signChallenge(createBenchCryptography(), NOW_MS));
  assert.throws(
    () => measureCheckCosts(cryptography, [foreign]),
    /found "forged" instead of "accepted"/,
  );
});

test("makes no two challenges the same, each at base difficulty of algorithm 1", () => {
  const texts = Array.from({ length: 50 }, () => signChallenge(cryptography, NOW_MS));
  assert.equal(new Set(texts).size, 50);
  for (const text of texts) {
    const unpacked = unpackChallenge(decodeBase64url(text) ?? new Uint8Array(0));
    assert.equal(unpacked?.challenge.algorithm, 1);
    assert.equal(unpacked?.challenge.difficulty, BASE_DIFFICULTY[1]);
    assert.equal(toBasePuzzle(text).difficulty, BASE_DIFFICULTY[1]);
  }
});
