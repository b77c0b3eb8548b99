import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { BASE62, crc32, isSecretKey, isSiteKey, secretKeyChecksum } from "./key-formats.ts";

const base62Text = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE62), minLength: length, maxLength: length });
const secretKeys = base62Text(43).map((body) => `sk_${body}${secretKeyChecksum(`sk_${body}`)}`);

test("computes CRC-32 as in IEEE 802.3 (D13, formats)", () => {
  assert.equal(crc32("123456789"), 0xcbf43926);
  assert.equal(crc32(""), 0);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      assert.equal(crc32(text), zlibCrc32(text));
    }),
  );
});

test("writes a secret key's checksum in six characters for any CRC, leading zeros kept (D13, formats)", () => {
  fc.assert(
    fc.property(base62Text(43), (body) => {
      const checksum = secretKeyChecksum(`sk_${body}`);
      assert.match(checksum, /^[0-9A-Za-z]{6}$/);
      const value = [...checksum].reduce(
        (sum, character) => sum * 62 + BASE62.indexOf(character),
        0,
      );
      assert.equal(value, zlibCrc32(`sk_${body}`));
    }),
  );
});

test("accepts every secret key with a correct checksum (D13, formats)", () => {
  fc.assert(fc.property(secretKeys, (key) => isSecretKey(key)));
});

test("refuses a secret key with a typo in any one character (D13, formats)", () => {
  const [key] = fc.sample(secretKeys, { numRuns: 1, seed: 7 }) as [string];
  for (let at = 0; at < key.length; at++) {
    for (const character of `${BASE62}_- `) {
      if (character === key[at]) continue;
      const typo = key.slice(0, at) + character + key.slice(at + 1);
      assert.equal(isSecretKey(typo), false, `"${typo}" at ${at}`);
    }
  }
});

test("refuses a secret key with two neighbouring characters swapped (D13, formats)", () => {
  fc.assert(
    fc.property(secretKeys, fc.nat(50), (key, at) => {
      const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
      return swapped === key || !isSecretKey(swapped);
    }),
  );
});

test("refuses a secret key that is shorter, longer, padded or no text (D13, formats)", () => {
  const [key] = fc.sample(secretKeys, { numRuns: 1, seed: 8 }) as [string];
  const others = [
    "",
    "sk_",
    key.slice(1),
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
  ];
  for (const text of [...others, null, undefined, 7, {}, [key]])
    assert.equal(isSecretKey(text), false, String(text));
});

test("accepts as site key exactly pk_ and 22 base62 characters (D13, formats)", () => {
  fc.assert(fc.property(base62Text(22), (body) => isSiteKey(`pk_${body}`)));
  const body = "0123456789ABCDEFabcdef";
  const others = [
    body,
    `sk_${body}`,
    `pk_${body}0`,
    `pk_${body.slice(1)}`,
    `pk_${body}\n`,
    `PK_${body}`,
    "pk_é",
  ];
  for (const text of [...others, null, undefined, 7, {}, [`pk_${body}`]]) {
    assert.equal(isSiteKey(text), false, String(text));
  }
});
