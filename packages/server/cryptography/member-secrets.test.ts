import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createVault } from "./member-secrets.ts";

const SECRET = new TextEncoder().encode("the secret of an app");

test("opens secrets that it sealed for the same owner, also after a restart with the same master key", () => {
  const masterKey = randomBytes(32);
  const sealed = createVault(masterKey).seal(SECRET, "usr_1");
  assert.deepEqual(createVault(masterKey).open(sealed, "usr_1"), SECRET);
  assert.equal(Buffer.from(sealed).includes(SECRET), false);
});

test("shares nothing between two seals of one secret", () => {
  const vault = createVault(randomBytes(32));
  const [a, b] = [vault.seal(SECRET, "usr_1"), vault.seal(SECRET, "usr_1")];
  assert.notDeepEqual(a.subarray(0, 12), b.subarray(0, 12));
  assert.notDeepEqual(a.subarray(12), b.subarray(12));
});

test("opens nothing for another owner, under another master key, or with cut, extra or flipped bits", () => {
  const masterKey = randomBytes(32);
  const vault = createVault(masterKey);
  const sealed = vault.seal(SECRET, "usr_1");
  const attempts: (Uint8Array | undefined)[] = [
    vault.open(sealed, "usr_2"),
    vault.open(sealed, ""),
    createVault(randomBytes(32)).open(sealed, "usr_1"),
    vault.open(Uint8Array.from([...sealed, 0]), "usr_1"),
  ];
  for (let length = 0; length < sealed.length; length++)
    attempts.push(vault.open(sealed.subarray(0, length), "usr_1"));
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Uint8Array.from(sealed);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    attempts.push(vault.open(flipped, "usr_1"));
  }
  assert.ok(attempts.length > 400);
  assert.deepEqual(
    attempts.filter((secret) => secret !== undefined),
    [],
  );
});

test("opens a secret only for the purpose it was sealed for, with any owner", () => {
  const masterKey = randomBytes(32);
  const [vault, devices] = [createVault(masterKey), createVault(masterKey, "device")];
  assert.equal(devices.open(vault.seal(SECRET, "usr_1"), "usr_1"), undefined);
  assert.equal(vault.open(devices.seal(SECRET, "usr_1"), "usr_1"), undefined);
  assert.deepEqual(devices.open(devices.seal(SECRET, "usr_1"), "usr_1"), SECRET);
});
