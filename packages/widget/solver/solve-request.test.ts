import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { encodeBase64url } from "@stile/pow/base64url";
import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import fc from "fast-check";
import { solveHere } from "./fallback.ts";
import { toPuzzle } from "./solve-request.ts";

const bytes = Uint8Array.from({ length: 99 }, (_, i) => i);
const environment = new TextEncoder().encode('{"v":1}');
const request = {
  challenge: encodeBase64url(bytes),
  environment,
  algorithm: 2,
  k: 16,
  difficulty: 4096,
};

test("the puzzle commits to the SHA-256 of exactly the environment bytes (D9, submission)", () => {
  const puzzle = toPuzzle(request);
  assert.deepEqual(puzzle?.challengeBytes, bytes);
  const digest = new Uint8Array(createHash("sha256").update(environment).digest());
  assert.deepEqual(puzzle?.environmentDigest, digest);
});

for (const [field, values] of Object.entries({
  challenge: [undefined, "", 7, "a", "AA==", "AB", "A".repeat(1028)],
  environment: [undefined, "e30", [1], new Uint8Array(SIGNALS_BYTES_LIMIT + 1)],
  algorithm: [undefined, "2", 99, 0, "__proto__"],
  k: [undefined, 0, 256, 1.5, "16"],
  difficulty: [undefined, 16, 2 ** 40, Number.NaN, "4096"],
})) {
  test(`makes no puzzle of a request with an invalid ${field}`, () => {
    for (const value of values)
      assert.equal(toPuzzle({ ...request, [field]: value }), undefined, String(value));
  });
}

test("never throws, whatever the message", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      toPuzzle(value);
    }),
    { seed: 17 },
  );
});

test("solves the same puzzle with the fallback, reports finds, and stops on abort", async () => {
  const found: number[] = [];
  const solution = await solveHere(request, new AbortController().signal, (count) =>
    found.push(count),
  );
  assert.equal(solution?.length, 64);
  assert.equal(found.at(-1), 16);
  assert.equal(await solveHere(request, AbortSignal.abort(), () => {}), undefined);
  assert.equal(
    await solveHere({ ...request, algorithm: 99 }, new AbortController().signal, () => {}),
    undefined,
  );
});
