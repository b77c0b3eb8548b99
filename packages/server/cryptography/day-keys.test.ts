import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createMemoryNodeFeeds } from "@stile/testkit/memory-store/memory-node-feed";
import { refreshDayKeys } from "./day-keys.ts";
import { createKeyRing } from "./key-ring.ts";
import { createNodeCryptography } from "./node-cryptography.ts";
import { WrongMasterKey } from "./wrapped-key.ts";

const DAY_MS = 86_400_000;
const NOON_MS = 20_000.5 * DAY_MS;
const ADDRESS = Uint8Array.of(192, 0, 2, 7);

function createNodes() {
  const openFeed = createMemoryNodeFeeds();
  const masterKey = randomBytes(32);
  const clock = { atMs: NOON_MS, nowMs: () => clock.atMs };
  const createNode = () => {
    const ring = createKeyRing();
    const feed = openFeed();
    const cryptography = createNodeCryptography(ring, clock);
    return {
      refresh: (key = masterKey) => refreshDayKeys(ring, feed, key, clock.nowMs()),
      digest: () => cryptography.addressDigest(ADDRESS),
    };
  };
  return { clock, createNode };
}

test("gives an address the same name on nodes that agreed on the keys of days, over midnight too (D14, client address)", async () => {
  const { clock, createNode } = createNodes();
  const [a, b] = [createNode(), createNode()];
  assert.notEqual(a.digest(), b.digest(), "until then each counts for itself");
  await Promise.all([a.refresh(), b.refresh()]);
  const today = a.digest();
  assert.equal(today, b.digest());
  clock.atMs = NOON_MS + DAY_MS;
  assert.equal(a.digest(), b.digest(), "tomorrow's key was fetched ahead");
  assert.notEqual(a.digest(), today);
  const late = createNode();
  await late.refresh();
  assert.equal(late.digest(), a.digest());
});

test("counts under keys of its own on a node that could not agree with the others for days", async () => {
  const { clock, createNode } = createNodes();
  const [a, b] = [createNode(), createNode()];
  await Promise.all([a.refresh(), b.refresh()]);
  clock.atMs = NOON_MS + 2 * DAY_MS;
  assert.notEqual(a.digest(), b.digest());
  await a.refresh();
  await b.refresh();
  assert.equal(a.digest(), b.digest());
});

test("refuses a node with another master key", async () => {
  const { createNode } = createNodes();
  await createNode().refresh();
  await assert.rejects(createNode().refresh(randomBytes(32)), WrongMasterKey);
});
