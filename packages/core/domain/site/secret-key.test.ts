import assert from "node:assert/strict";
import { test } from "node:test";
import { type SecretKeyRecord, secretKeyState } from "./secret-key.ts";

const DAY_MS = 86_400_000;

function secret(
  digest: string,
  createdAtMs: number,
  replacedAtMs: number | null = null,
): SecretKeyRecord {
  return { digest, lastFour: digest, createdAtMs, replacedAtMs };
}

test("a replaced key works at 23:59:59.999 and stops at 24:00:00.000 (spec 5.3; D12, states)", () => {
  const replaced = secret("s", 0, 1000);
  assert.equal(secretKeyState(secret("s", 0), 100 * DAY_MS), "active");
  assert.equal(secretKeyState(replaced, 1000), "grace");
  assert.equal(secretKeyState(replaced, 1000 + DAY_MS - 1), "grace");
  assert.equal(secretKeyState(replaced, 1000 + DAY_MS), "dead");
});
