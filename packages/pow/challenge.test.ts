import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { ALGORITHM_NUMBERS, isAlgorithmNumber } from "./algorithms/table.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { CHALLENGE_BYTES, type Challenge, packChallenge, unpackChallenge } from "./challenge.ts";
import { isPuzzleSize, MAX_DIFFICULTY } from "./puzzle.ts";

const KEY = randomBytes(32);
const macOf = (bytes: Uint8Array): Uint8Array => createHmac("sha256", KEY).update(bytes).digest();

const isAuthentic = (bytes: Uint8Array): boolean => {
  const unpacked = unpackChallenge(bytes);
  return (
    unpacked !== undefined &&
    Buffer.from(macOf(unpacked.signedBytes).subarray(0, 16)).equals(unpacked.mac)
  );
};

const SAMPLE: Challenge = {
  algorithm: 2,
  keyId: 7,
  k: 16,
  difficulty: 2 ** 19,
  siteKey: "pk_0123456789ABCDEFabcdef",
  stage: "first",
  interaction: "none",
  isFallback: false,
  actionDigest: randomBytes(8),
  userAgentDigest: randomBytes(8),
  addressFamily: 4,
  prefixDigest: randomBytes(8),
  issuedAtMs: 1_790_000_000_123,
  lifeSeconds: 300,
  id: randomBytes(16),
};

const plain = (challenge: Challenge) => ({
  ...challenge,
  actionDigest: [...challenge.actionDigest],
  userAgentDigest: [...challenge.userAgentDigest],
  prefixDigest: [...challenge.prefixDigest],
  id: [...challenge.id],
});

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const anyChallenge: fc.Arbitrary<Challenge> = fc.record({
  algorithm: fc.constantFrom(...ALGORITHM_NUMBERS),
  keyId: fc.nat({ max: 0xffff_ffff }),
  k: fc.integer({ min: 1, max: 255 }),
  difficulty: fc.integer({ min: 256, max: MAX_DIFFICULTY }),
  siteKey: fc
    .string({ unit: fc.constantFrom(...BASE62), minLength: 22, maxLength: 22 })
    .map((body) => `pk_${body}`),
  stage: fc.constantFrom("first", "stepped_up", "priced"),
  interaction: fc.constantFrom("none", "click"),
  isFallback: fc.boolean(),
  actionDigest: bytesOf(8),
  userAgentDigest: bytesOf(8),
  addressFamily: fc.constantFrom(0, 4, 6),
  prefixDigest: bytesOf(8),
  issuedAtMs: fc.nat({ max: 2 ** 48 - 1 }),
  lifeSeconds: fc.integer({ min: 1, max: 65_535 }),
  id: bytesOf(16),
});

test("unpacks every challenge as it was packed, with the MAC of exactly the bytes before it", () => {
  fc.assert(
    fc.property(anyChallenge, (challenge) => {
      const packed = packChallenge(challenge, macOf);
      assert.equal(packed.length, CHALLENGE_BYTES);
      const unpacked = unpackChallenge(packed);
      assert.ok(unpacked !== undefined);
      assert.deepEqual(plain(unpacked.challenge), plain(challenge));
      assert.deepEqual(unpacked.signedBytes, packed.slice(0, CHALLENGE_BYTES - 16));
      assert.deepEqual([...unpacked.mac], [...macOf(unpacked.signedBytes).subarray(0, 16)]);
    }),
  );
});

test("never packs two different challenges into the same signed bytes", () => {
  fc.assert(
    fc.property(anyChallenge, anyChallenge, (a, b) => {
      const isSame = JSON.stringify(plain(a)) === JSON.stringify(plain(b));
      const [packedA, packedB] = [packChallenge(a, macOf), packChallenge(b, macOf)];
      assert.equal(Buffer.from(packedA).equals(packedB), isSame);
    }),
  );
});

test("refuses every flipped bit of a packed challenge, by its form or by its MAC", () => {
  const packed = packChallenge(SAMPLE, macOf);
  assert.equal(isAuthentic(packed), true);
  for (let bit = 0; bit < CHALLENGE_BYTES * 8; bit++) {
    const flipped = packed.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.equal(isAuthentic(flipped), false, `bit ${bit}`);
  }
});

test("refuses every cut at either end, and every added byte", () => {
  const packed = packChallenge(SAMPLE, macOf);
  for (let length = 0; length < CHALLENGE_BYTES; length++) {
    assert.equal(unpackChallenge(packed.slice(0, length)), undefined);
    assert.equal(unpackChallenge(packed.slice(CHALLENGE_BYTES - length)), undefined);
  }
  assert.equal(unpackChallenge(Uint8Array.from([...packed, 0])), undefined);
  assert.equal(unpackChallenge(Uint8Array.from([0, ...packed])), undefined);
});

test("refuses a challenge signed with another key", () => {
  const foreign = packChallenge(SAMPLE, (bytes) =>
    createHmac("sha256", randomBytes(32)).update(bytes).digest(),
  );
  assert.ok(unpackChallenge(foreign) !== undefined);
  assert.equal(isAuthentic(foreign), false);
});

test("refuses two authentic challenges spliced at any byte", () => {
  const a = packChallenge(SAMPLE, macOf);
  const b = packChallenge(
    { ...SAMPLE, difficulty: 2 ** 18, isFallback: true, id: randomBytes(16) },
    macOf,
  );
  const differs = (byte: number, i: number): boolean => byte !== b[i];
  const firstDifference = a.findIndex(differs);
  // The last bytes are of a MAC, and may happen to be alike.
  const lastDifference = a.findLastIndex(differs);
  for (let at = firstDifference + 1; at <= lastDifference; at++) {
    const spliced = Uint8Array.from([...a.slice(0, at), ...b.slice(at)]);
    assert.equal(isAuthentic(spliced), false, `spliced at ${at}`);
  }
});

test("does not unpack an unknown version, algorithm, flag or family, or an impossible field, even with a valid MAC", () => {
  const packed = packChallenge(SAMPLE, macOf);
  const view = new DataView(packed.buffer);
  const refusedValues = (at: number): number[] =>
    Array.from({ length: 256 }, (_, value) => value).filter((value) => {
      const changed = packed.slice();
      changed[at] = value;
      return unpackChallenge(changed) === undefined;
    });
  const allBut = (isAllowed: (value: number) => boolean): number[] =>
    Array.from({ length: 256 }, (_, value) => value).filter((value) => !isAllowed(value));
  assert.deepEqual(
    refusedValues(0),
    allBut((version) => version === 1),
  );
  assert.deepEqual(refusedValues(1), allBut(isAlgorithmNumber));
  assert.deepEqual(refusedValues(2), [0]);
  assert.deepEqual(
    refusedValues(3),
    allBut((flags) => flags < 16),
  );
  assert.deepEqual(
    refusedValues(20),
    allBut((family) => [0, 4, 6].includes(family)),
  );
  for (let at = 21; at < 43; at++) {
    assert.deepEqual(
      refusedValues(at),
      allBut((code) => BASE62.includes(String.fromCharCode(code))),
    );
  }
  for (const difficulty of [0, 16, MAX_DIFFICULTY + 1, 0xffff_ffff]) {
    view.setUint32(8, difficulty, true);
    assert.equal(isPuzzleSize(16, difficulty), false);
    assert.equal(unpackChallenge(packed), undefined);
  }
  view.setUint32(8, 17, true);
  assert.ok(unpackChallenge(packed) !== undefined);
  view.setUint16(12, 0, true);
  assert.equal(unpackChallenge(packed), undefined);
});

test("throws for a field that does not fit, and never truncates a challenge", () => {
  const faults: Partial<Challenge>[] = [
    { keyId: 2 ** 32 },
    { keyId: -1 },
    { k: 0 },
    { k: 256 },
    { difficulty: 16 },
    { difficulty: 1e6 + 0.5 },
    { siteKey: "0123456789ABCDEFabcdef" },
    { siteKey: "pk_0123456789ABCDEFabcde" },
    { siteKey: "pk_0123456789ABCDEFabcdefg" },
    { siteKey: "pk_0123456789ABCDEFabcde\u0131" },
    { siteKey: "pk_0123456789ABCDEFabcde\n" },
    { actionDigest: randomBytes(7) },
    { userAgentDigest: randomBytes(9) },
    { prefixDigest: new Uint8Array() },
    { issuedAtMs: 2 ** 48 },
    { issuedAtMs: 0.5 },
    { issuedAtMs: Number.NaN },
    { lifeSeconds: 0 },
    { lifeSeconds: 65_536 },
    { id: randomBytes(15) },
  ];
  for (const fault of faults) {
    assert.throws(
      () => packChallenge({ ...SAMPLE, ...fault }, macOf),
      RangeError,
      Object.keys(fault).join(),
    );
  }
  assert.throws(() => packChallenge(SAMPLE, () => randomBytes(15)), RangeError);
});

test("unpacks from a view into a larger buffer, and keeps no reference to it", () => {
  const packed = packChallenge(SAMPLE, macOf);
  const buffer = Uint8Array.from([...randomBytes(5), ...packed, ...randomBytes(5)]);
  const unpacked = unpackChallenge(buffer.subarray(5, 5 + CHALLENGE_BYTES));
  buffer.fill(0);
  assert.ok(unpacked !== undefined);
  assert.deepEqual(plain(unpacked.challenge), plain(SAMPLE));
  assert.deepEqual([...unpacked.mac], [...packed.slice(-16)]);
});

test("gives its base64url text one spelling: no trailing bits, no padding", () => {
  const packed = packChallenge(SAMPLE, macOf);
  const text = encodeBase64url(packed);
  assert.equal(text.length, 132);
  assert.deepEqual(decodeBase64url(text), packed);
});
