import assert from "node:assert/strict";
import { hkdfSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import type { KeyPurpose, KeyReference } from "@stile/core/ports/cryptography";
import { createKeyRing, type KeyRing } from "./key-ring.ts";

const MATERIAL = randomBytes(32);

function ringOf(...keyIds: readonly number[]): KeyRing {
  const ring = createKeyRing();
  ring.load(
    new Map(keyIds.map((keyId) => [keyId, keyId === 1 ? MATERIAL : randomBytes(32)])),
    keyIds.at(-1) ?? 0,
  );
  return ring;
}

const derived = (ring: KeyRing, reference: KeyReference): string | undefined =>
  ring.derive(reference)?.handle.export().toString("hex");

test("derives a key that depends on service key, purpose and day, and on nothing else (D4, sealed token)", () => {
  const ring = ringOf(1, 2);
  const names = new Set<string | undefined>();
  for (const keyId of [1, 2]) {
    for (const purpose of [
      "token",
      "binding",
      "challenge",
      "delay",
      "ticket",
      "sign-in",
    ] satisfies KeyPurpose[]) {
      for (const day of [0, 1, 20_000]) {
        const key = derived(ring, { keyId, purpose, day });
        assert.match(key ?? "", /^[0-9a-f]{64}$/);
        assert.equal(derived(ring, { keyId, purpose, day }), key);
        names.add(key);
      }
    }
  }
  assert.equal(names.size, 2 * 6 * 3);
});

test("derives by HKDF-SHA256, so that another node or version derives the same key (D4, sealed token)", () => {
  const expected = Buffer.from(hkdfSync("sha256", MATERIAL, "", "stile/token/20000", 32)).toString(
    "hex",
  );
  assert.equal(derived(ringOf(1), { keyId: 1, purpose: "token", day: 20_000 }), expected);
});

test("knows no key before one is loaded, and forgets a key that is no longer loaded", () => {
  const ring = createKeyRing();
  const reference = { keyId: 1, purpose: "token", day: 1 } as const;
  assert.equal(ring.derive(reference), undefined);
  assert.equal(ring.currentKeyId(), 0);
  ring.load(new Map([[1, MATERIAL]]), 1);
  assert.notEqual(ring.derive(reference), undefined);
  ring.load(new Map([[2, MATERIAL]]), 2);
  assert.equal(ring.derive(reference), undefined);
  assert.equal(ring.currentKeyId(), 2);
});

test("seals with the named key, even if it is not the newest", () => {
  const ring = createKeyRing();
  ring.load(
    new Map([
      [1, MATERIAL],
      [2, randomBytes(32)],
    ]),
    1,
  );
  assert.equal(ring.currentKeyId(), 1);
});

test("derives the same key again after a flood of forged days has pushed it out of memory", () => {
  const ring = ringOf(1);
  const reference = { keyId: 1, purpose: "token", day: 20_000 } as const;
  const before = derived(ring, reference);
  for (let day = 0; day < 2000; day++) ring.derive({ keyId: 1, purpose: "token", day });
  assert.equal(derived(ring, reference), before);
});
