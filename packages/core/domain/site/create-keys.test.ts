import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { BASE62, isSecretKey, isSiteKey } from "@stile/protocol/key-formats";
import { createSecretKey, createSiteKey, toSecretKeyRecord } from "./create-keys.ts";

test("makes keys in the formats of D13 (formats), never the same twice", () => {
  const siteKeys = Array.from({ length: 200 }, () => createSiteKey(randomBytes));
  const secretKeys = Array.from({ length: 200 }, () => createSecretKey(randomBytes));
  assert.ok(siteKeys.every(isSiteKey));
  assert.ok(secretKeys.every(isSecretKey));
  assert.equal(new Set([...siteKeys, ...secretKeys]).size, 400);
});

test("every base62 character comes from the same number of byte values: no bias (D13, formats)", () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    let draws = 0;
    // The byte under test comes first, then markers: if that byte is discarded, a marker moves to
    // the front.
    const source = (length: number): Uint8Array =>
      new Uint8Array(length).fill(draws++ === 0 ? byte : 61);
    const first = createSiteKey(source).charAt(3);
    if (draws === 1) counts.set(first, (counts.get(first) ?? 0) + 1);
    else assert.ok(byte >= 248, `byte ${byte} was drawn again`);
  }
  assert.deepEqual([...counts.keys()].sort(), [...BASE62].sort());
  assert.deepEqual([...new Set(counts.values())], [4]);
});

test("stores only the digest and the last four characters of a secret key (D13, formats)", () => {
  const secretKey = createSecretKey(randomBytes);
  const record = toSecretKeyRecord(secretKey, "digest", 5);
  assert.deepEqual(record, {
    digest: "digest",
    lastFour: secretKey.slice(-4),
    createdAtMs: 5,
    replacedAtMs: null,
  });
  assert.equal(JSON.stringify(record).includes(secretKey.slice(0, -4)), false);
});
