import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import type { KeyReference } from "@stile/core/ports/cryptography";
import { createKeyRing } from "./key-ring.ts";
import { createNodeCryptography } from "./node-cryptography.ts";

const DAY_MS = 86_400_000;
const KEY: KeyReference = { keyId: 1, purpose: "token", day: 20_000 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function createParts() {
  const clock = { atMs: 20_000 * DAY_MS, nowMs: () => clock.atMs };
  const ring = createKeyRing();
  ring.load(
    new Map([
      [1, randomBytes(32)],
      [2, randomBytes(32)],
    ]),
    2,
  );
  return { clock, ring, cryptography: createNodeCryptography(ring, clock) };
}

test("makes SHA-256 digests, of texts by their UTF-8 bytes", () => {
  const { cryptography } = createParts();
  for (const text of ["", "abc", "é€😀"]) {
    const expected = createHash("sha256").update(text).digest("hex");
    assert.equal(Buffer.from(cryptography.digest(text)).toString("hex"), expected);
    assert.equal(Buffer.from(cryptography.digest(bytesOf(text))).toString("hex"), expected);
  }
});

test("makes HMAC-SHA256 MACs under the derived key, and none for an unknown service key", () => {
  const { cryptography, ring } = createParts();
  const key = ring.derive(KEY);
  assert.ok(key);
  const expected = createHmac("sha256", key.handle).update("abc").digest("hex");
  assert.equal(Buffer.from(cryptography.mac(KEY, bytesOf("abc")) ?? []).toString("hex"), expected);
  assert.equal(cryptography.mac({ ...KEY, keyId: 9 }, bytesOf("abc")), undefined);
});

test("makes keyed digests of 16 bytes that differ by data, purpose, day and service key, and none for an unknown key", () => {
  const { cryptography } = createParts();
  const references = [
    KEY,
    { ...KEY, purpose: "binding" },
    { ...KEY, day: 20_001 },
    { ...KEY, keyId: 2 },
  ] as const;
  const digestOf = (key: KeyReference, text: string): string | undefined => {
    const digest = cryptography.keyedDigest(key, bytesOf(text));
    assert.equal(digest?.length, 16);
    return Buffer.from(digest).toString("hex");
  };
  const digests = references.flatMap((key) => [
    digestOf(key, "abc"),
    digestOf(key, "abd"),
    digestOf(key, ""),
  ]);
  assert.equal(new Set(digests).size, references.length * 3);
  assert.equal(digestOf(KEY, "abc"), digestOf(KEY, "abc"));
  assert.equal(cryptography.keyedDigest({ ...KEY, keyId: 9 }, bytesOf("abc")), undefined);
});

test("seals with AES-256-GCM, ciphertext and 16 bytes of tag, and opens the result (D4, sealed token)", () => {
  const { cryptography } = createParts();
  for (const length of [0, 1, 500]) {
    const [nonce, plaintext] = [randomBytes(12), randomBytes(length)];
    const sealed = cryptography.seal(KEY, nonce, plaintext, bytesOf("header"));
    assert.equal(sealed.length, length + 16);
    assert.deepEqual(
      Buffer.from(cryptography.open(KEY, nonce, sealed, bytesOf("header")) ?? [1]),
      plaintext,
    );
  }
});

test("opens nothing with a flipped bit, a cut, or another nonce, header, purpose, day or service key (D4, sealed token)", () => {
  const { cryptography } = createParts();
  const [nonce, header] = [randomBytes(12), bytesOf("header")];
  const sealed = cryptography.seal(KEY, nonce, bytesOf("a secret text"), header);
  let accepted = 0;
  const attempt = (
    key: KeyReference,
    otherNonce: Uint8Array,
    bytes: Uint8Array,
    data: Uint8Array,
  ): void => {
    if (cryptography.open(key, otherNonce, bytes, data) !== undefined) accepted++;
  };
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Uint8Array.from(sealed);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    attempt(KEY, nonce, flipped, header);
  }
  for (let length = 0; length < sealed.length; length++)
    attempt(KEY, nonce, sealed.subarray(0, length), header);
  attempt(KEY, nonce, Uint8Array.from([...sealed, 0]), header);
  attempt(KEY, randomBytes(12), sealed, header);
  attempt(KEY, nonce, sealed, bytesOf("Header"));
  attempt(KEY, nonce, sealed, new Uint8Array(0));
  for (const change of [
    { purpose: "challenge" },
    { purpose: "binding" },
    { day: 20_001 },
    { keyId: 2 },
    { keyId: 3 },
  ]) {
    attempt({ ...KEY, ...change } as KeyReference, nonce, sealed, header);
  }
  assert.equal(accepted, 0);
  assert.match(new Error("still told where from").stack ?? "", /node-cryptography\.test/);
  assert.notEqual(cryptography.open(KEY, nonce, sealed, header), undefined);
});

test("refuses to seal with a service key it does not have", () => {
  const { cryptography } = createParts();
  assert.throws(
    () => cryptography.seal({ ...KEY, keyId: 3 }, randomBytes(12), bytesOf("x"), bytesOf("")),
    /unknown/,
  );
});

test("issues random bytes once, and no other caller can change them (pool)", () => {
  const { cryptography } = createParts();
  const seen = new Set<string>();
  let drawn = 0;
  for (const length of [12, 16, 16, 32, 4000, 8192, 8193, 20_000]) {
    for (let i = 0; i < 200; i++) {
      const bytes = cryptography.randomBytes(length);
      assert.equal(bytes.length, length);
      seen.add(Buffer.from(bytes.subarray(0, 12)).toString("hex"));
      bytes.fill(0);
      drawn++;
    }
  }
  assert.equal(seen.size, drawn);
  const first = cryptography.randomBytes(16);
  const second = cryptography.randomBytes(16);
  const copy = Uint8Array.from(second);
  first.fill(7);
  assert.deepEqual(Uint8Array.from(second), copy);
  assert.ok(
    first.buffer.byteLength <= 64 || first.buffer !== second.buffer,
    "callers must not get the pool itself",
  );
});

test("gives an address one name per UTC day, a different one in each process (D14, client address)", () => {
  const { cryptography, clock } = createParts();
  const address = Uint8Array.of(192, 0, 2, 7);
  const name = cryptography.addressDigest(address);
  assert.match(name, /^[A-Za-z0-9_-]{22}$/);
  assert.notEqual(cryptography.addressDigest(Uint8Array.of(192, 0, 2, 8)), name);
  clock.atMs += DAY_MS - 1;
  assert.equal(cryptography.addressDigest(address), name);
  clock.atMs += 1;
  assert.notEqual(cryptography.addressDigest(address), name);
  clock.atMs -= DAY_MS;
  assert.notEqual(cryptography.addressDigest(address), name, "the former day's key is gone");
  assert.notEqual(createParts().cryptography.addressDigest(address), name);
});

test("compares by content, and returns false for another length without throwing", () => {
  const { isEqual } = createParts().cryptography;
  assert.equal(isEqual(bytesOf("same"), bytesOf("same")), true);
  assert.equal(isEqual(bytesOf("same"), bytesOf("sbme")), false);
  assert.equal(isEqual(bytesOf("same"), bytesOf("samer")), false);
  assert.equal(isEqual(new Uint8Array(0), bytesOf("a")), false);
});
