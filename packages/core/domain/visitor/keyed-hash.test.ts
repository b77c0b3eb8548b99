import assert from "node:assert/strict";
import { test } from "node:test";
import { finish, hashBytes, hashText } from "./keyed-hash.ts";

const KEY = Uint32Array.of(1, 2, 3, 4);
const hash = (text: string, key = KEY): number => finish(hashText(text, key));

test("texts that differ in a character, its place, the length or half of a pair have other hashes", () => {
  const texts = [
    "",
    "a",
    "b",
    "ab",
    "ba",
    "abc",
    "acb",
    "abcd",
    "abdc",
    "ab\0",
    "a\0b",
    "\0",
    "\0\0",
    "ä",
    "中a",
    "a中",
  ];
  assert.equal(new Set(texts.map((text) => hash(text))).size, texts.length);
});

test("another key gives other hashes, the same key the same", () => {
  assert.equal(hash("Europe/Berlin"), hash("Europe/Berlin"));
  assert.notEqual(hash("Europe/Berlin"), hash("Europe/Berlin", Uint32Array.of(2, 2, 3, 4)));
  assert.notEqual(hash("Europe/Berlin"), hash("Europe/Berlin", Uint32Array.of(1, 3, 3, 4)));
});

test("100,000 similar texts spread evenly over 1,024 places", () => {
  const places = new Uint32Array(1024);
  for (let at = 0; at < 100_000; at++) {
    const place = hash(`1920 × ${at}`) & 1023;
    places[place] = (places[place] ?? 0) + 1;
  }
  const spread = places.reduce((sum, count) => sum + (count - 97.66) ** 2 / 97.66, 0);
  // Chi-squared with 1,023 degrees of freedom has the mean 1,023 and the standard deviation 45.
  assert.ok(spread > 1023 - 5 * 45 && spread < 1023 + 5 * 45, `${spread}`);
});

test("the networks of an IPv4 /8 spread evenly over 4,096 places, and their bytes count by place and number", () => {
  const places = new Uint32Array(4096);
  for (let at = 0; at < 65_536; at++) {
    const place = finish(hashBytes(Uint8Array.of(10, at >> 8, at & 255), KEY)) & 4095;
    places[place] = (places[place] ?? 0) + 1;
  }
  const spread = places.reduce((sum, count) => sum + (count - 16) ** 2 / 16, 0);
  // Chi-squared with 4,095 degrees of freedom has the mean 4,095 and the standard deviation 90.5.
  assert.ok(spread > 4095 - 5 * 90.5 && spread < 4095 + 5 * 90.5, `${spread}`);
  const others = [[], [0], [0, 0], [1, 2], [2, 1]].map((bytes) =>
    finish(hashBytes(Uint8Array.from(bytes), KEY)),
  );
  assert.equal(new Set(others).size, others.length);
});
