import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryLayoutBanks } from "../memory/memory-layout-banks.ts";
import { createLayoutScenes } from "./layout-scenes.ts";

const T0 = 1_000_000;
const bankAt = (bakedAtMs: number) => ({ bakedAtMs, drawnAtMs: bakedAtMs, scenes: [] });

test("a process has no scenes until it reads them, and those of the newest two banks then", async () => {
  const stored = createMemoryLayoutBanks();
  const { newest, find, refresh } = createLayoutScenes(stored);
  await refresh();
  assert.equal(newest(), undefined);
  const versions: number[] = [];
  for (const bakedAtMs of [T0, T0 + 1, T0 + 2]) {
    versions.push((await stored.addBank(bankAt(bakedAtMs))) ?? 0);
    assert.notEqual(newest()?.bakedAtMs, bakedAtMs);
    await refresh();
    assert.equal(newest()?.bakedAtMs, bakedAtMs);
  }
  assert.deepEqual(
    versions.map((version) => find(version)?.bakedAtMs),
    [undefined, T0 + 1, T0 + 2],
  );
});

test("banks are read again only when there is a newer one", async () => {
  const stored = createMemoryLayoutBanks();
  await stored.addBank(bankAt(T0));
  let reads = 0;
  const listBanks = () => {
    reads++;
    return stored.listBanks();
  };
  const counted = { ...stored, listBanks };
  const { refresh } = createLayoutScenes(counted);
  await refresh();
  await refresh();
  assert.equal(reads, 1);
  await stored.addBank(bankAt(T0 + 1));
  await refresh();
  assert.equal(reads, 2);
});
