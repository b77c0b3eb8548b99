import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { KeyReference } from "@stile/core/ports/cryptography";
import type { ServiceKeys } from "@stile/core/ports/service-keys";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { createKeyRing, type KeyRing } from "./key-ring.ts";
import { createNodeCryptography } from "./node-cryptography.ts";
import { refreshKeyRing, ServiceKeysLost } from "./service-keys.ts";
import { WrongMasterKey } from "./wrapped-key.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 0, 1);
const MASTER_KEY = randomBytes(32);

/** A node that reads these keys at this moment. */
async function nodeAt(
  keys: ServiceKeys,
  nowMs: number,
  masterKey: Uint8Array = MASTER_KEY,
): Promise<KeyRing> {
  const ring = createKeyRing();
  await refreshKeyRing(ring, keys, masterKey, nowMs);
  return ring;
}

function sealAt(ring: KeyRing, nowMs: number) {
  const cryptography = createNodeCryptography(ring, { nowMs: () => nowMs });
  const key: KeyReference = {
    keyId: ring.currentKeyId(),
    purpose: "token",
    day: Math.floor(nowMs / DAY_MS),
  };
  const nonce = randomBytes(12);
  const sealed = cryptography.seal(key, nonce, Uint8Array.of(1, 2, 3), new Uint8Array(0));
  return {
    keyId: key.keyId,
    opensOn: (other: KeyRing): boolean =>
      createNodeCryptography(other, { nowMs: () => nowMs }).open(
        key,
        nonce,
        sealed,
        new Uint8Array(0),
      ) !== undefined,
  };
}

const idsOf = async (keys: ServiceKeys): Promise<number[]> =>
  (await keys.listServiceKeys()).map((key) => key.keyId);

test("makes one key in an empty store, and finds it again at every later start (D4, sealed token)", async () => {
  const { serviceKeys } = createMemoryStore();
  const sealed = sealAt(await nodeAt(serviceKeys, START_MS), START_MS);
  assert.equal(sealed.keyId, 1);
  assert.equal(sealed.opensOn(await nodeAt(serviceKeys, START_MS + DAY_MS)), true);
  assert.deepEqual(await idsOf(serviceKeys), [1]);
});

test("agrees on one first key if nodes race to make it (D4, sealed token)", async () => {
  const { serviceKeys } = createMemoryStore();
  const nodes = await Promise.all(Array.from({ length: 8 }, () => nodeAt(serviceKeys, START_MS)));
  assert.deepEqual(await idsOf(serviceKeys), [1]);
  for (const node of nodes) {
    const sealed = sealAt(node, START_MS);
    for (const other of nodes) assert.equal(sealed.opensOn(other), true);
  }
});

test("stores key material only wrapped", async () => {
  const { serviceKeys } = createMemoryStore();
  await nodeAt(serviceKeys, START_MS);
  const [key] = await serviceKeys.listServiceKeys();
  assert.equal(key?.wrapped.length, 12 + 32 + 16);
  const again = createMemoryStore().serviceKeys;
  await nodeAt(again, START_MS);
  assert.notDeepEqual((await again.listServiceKeys())[0]?.wrapped, key.wrapped);
});

test("makes a new key after exactly 30 days, and still opens old tokens (D4, sealed token)", async () => {
  const { serviceKeys } = createMemoryStore();
  const old = sealAt(await nodeAt(serviceKeys, START_MS), START_MS);
  await nodeAt(serviceKeys, START_MS + 30 * DAY_MS - 1);
  assert.deepEqual(await idsOf(serviceKeys), [1]);
  const rotatedAtMs = START_MS + 30 * DAY_MS;
  const rotated = await nodeAt(serviceKeys, rotatedAtMs);
  assert.deepEqual(await idsOf(serviceKeys), [1, 2]);
  assert.equal(old.opensOn(rotated), true);
});

test("seals with a new key after an hour, so that every node has loaded it and can open the result", async () => {
  const { serviceKeys } = createMemoryStore();
  await nodeAt(serviceKeys, START_MS);
  const rotatedAtMs = START_MS + 30 * DAY_MS;
  const slow = await nodeAt(serviceKeys, rotatedAtMs - 1);
  const quick = await nodeAt(serviceKeys, rotatedAtMs);
  const early = sealAt(quick, rotatedAtMs);
  assert.deepEqual([early.keyId, early.opensOn(slow)], [1, true]);
  await refreshKeyRing(quick, serviceKeys, MASTER_KEY, rotatedAtMs + HOUR_MS - 1);
  assert.equal(quick.currentKeyId(), 1);
  await refreshKeyRing(slow, serviceKeys, MASTER_KEY, rotatedAtMs + HOUR_MS - 1);
  await refreshKeyRing(quick, serviceKeys, MASTER_KEY, rotatedAtMs + HOUR_MS);
  const later = sealAt(quick, rotatedAtMs + HOUR_MS);
  assert.deepEqual([later.keyId, later.opensOn(slow)], [2, true]);
});

test("drops a replaced key two days later, in the store and in every ring", async () => {
  const { serviceKeys } = createMemoryStore();
  const old = sealAt(await nodeAt(serviceKeys, START_MS), START_MS);
  const rotatedAtMs = START_MS + 30 * DAY_MS;
  const [a, b] = [await nodeAt(serviceKeys, rotatedAtMs), await nodeAt(serviceKeys, rotatedAtMs)];
  await refreshKeyRing(a, serviceKeys, MASTER_KEY, rotatedAtMs + 2 * DAY_MS - 1);
  assert.deepEqual([await idsOf(serviceKeys), old.opensOn(a)], [[1, 2], true]);
  await refreshKeyRing(a, serviceKeys, MASTER_KEY, rotatedAtMs + 2 * DAY_MS);
  await refreshKeyRing(b, serviceKeys, MASTER_KEY, rotatedAtMs + 2 * DAY_MS);
  assert.deepEqual([await idsOf(serviceKeys), old.opensOn(a), old.opensOn(b)], [[2], false, false]);
});

test("makes one key if nodes race to rotate, and one after months of sleep", async () => {
  const { serviceKeys } = createMemoryStore();
  await nodeAt(serviceKeys, START_MS);
  const lateMs = START_MS + 200 * DAY_MS;
  const nodes = await Promise.all(Array.from({ length: 8 }, () => nodeAt(serviceKeys, lateMs)));
  assert.deepEqual(await idsOf(serviceKeys), [1, 2]);
  const sealed = nodes.map((node) => sealAt(node, lateMs));
  for (const one of sealed) for (const node of nodes) assert.equal(one.opensOn(node), true);
});

test("names a wrong master key, and changes nothing even when a rotation is due", async () => {
  const { serviceKeys } = createMemoryStore();
  const sealed = sealAt(await nodeAt(serviceKeys, START_MS), START_MS);
  for (const nowMs of [START_MS, START_MS + 31 * DAY_MS]) {
    await assert.rejects(nodeAt(serviceKeys, nowMs, randomBytes(32)), (error: Error) => {
      assert.ok(error instanceof WrongMasterKey);
      assert.match(error.message, /STILE_MASTER_KEY/);
      assert.match(error.message, /master\.key/);
      return true;
    });
    assert.deepEqual(await idsOf(serviceKeys), [1]);
  }
  assert.equal(sealed.opensOn(await nodeAt(serviceKeys, START_MS + 31 * DAY_MS)), true);
});

test("opens no wrapped key that was changed, cut or moved to another id", async () => {
  const { serviceKeys } = createMemoryStore();
  await nodeAt(serviceKeys, START_MS);
  const [key] = await serviceKeys.listServiceKeys();
  assert.ok(key);
  const flipped = Uint8Array.from(key.wrapped);
  flipped[20] = (flipped[20] ?? 0) ^ 1;
  const changes = [
    { wrapped: flipped },
    { keyId: 2 },
    { wrapped: key.wrapped.slice(0, 30) },
    { wrapped: new Uint8Array(0) },
  ];
  for (const change of changes) {
    const other = createMemoryStore().serviceKeys;
    await other.insertServiceKey({ ...key, ...change });
    await assert.rejects(nodeAt(other, START_MS), WrongMasterKey, JSON.stringify(change));
  }
});

test("seals with a new key at once after all were retired, and keeps the old ones to recognize expired tokens (D3, single use)", async () => {
  const { serviceKeys } = createMemoryStore();
  const old = sealAt(await nodeAt(serviceKeys, START_MS), START_MS);
  const retired: ServiceKeys = {
    ...serviceKeys,
    listServiceKeys: async () =>
      (await serviceKeys.listServiceKeys()).map((key) => ({
        ...key,
        isRetired: key.keyId === old.keyId,
      })),
  };
  const node = await nodeAt(retired, START_MS + 1000);
  const fresh = sealAt(node, START_MS + 1000);
  assert.equal(fresh.keyId, old.keyId + 1);
  assert.deepEqual([node.isRetired(old.keyId), node.isRetired(fresh.keyId)], [true, false]);
  assert.equal(old.opensOn(node), true, "an exact repeat can still be recognised");
  assert.equal((await nodeAt(retired, START_MS + DAY_MS)).currentKeyId(), fresh.keyId);
  assert.deepEqual(await idsOf(retired), [1, 2], "one retirement makes one key");
});

test("reports keys that were lost while it runs, keeps those in memory, and never reuses an id (D4, sealed token)", async () => {
  const { serviceKeys } = createMemoryStore();
  const ring = await nodeAt(serviceKeys, START_MS);
  const sealed = sealAt(ring, START_MS);
  await serviceKeys.deleteServiceKey(1);
  for (const atMs of [START_MS, START_MS + 31 * DAY_MS]) {
    await assert.rejects(refreshKeyRing(ring, serviceKeys, MASTER_KEY, atMs), ServiceKeysLost);
  }
  assert.deepEqual(await idsOf(serviceKeys), []);
  assert.equal(sealed.opensOn(ring), true);
  assert.equal(sealAt(await nodeAt(serviceKeys, START_MS), START_MS).keyId, 2);
  await refreshKeyRing(ring, serviceKeys, MASTER_KEY, START_MS);
  assert.equal(ring.currentKeyId(), 2);
});
