import assert from "node:assert/strict";
import { test } from "node:test";
import { asDeleted, withRotatedSecret, withSettings } from "@stile/core/domain/site/site";
import type { Sites } from "@stile/core/ports/site/sites";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { newAccount, newSecret, newSite, seedSite, T0 } from "../contract/contract-fixtures.ts";
import { temporaryFile } from "../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { createCachedDirectory } from "./cached-directory.ts";

/**
 * A directory over a real store, with a clock that the test sets and a counter of reads of the
 * store.
 */
function createSetting(maxEntries = 100) {
  const { sites } = createMemoryStore();
  const setting = { nowMs: T0, reads: 0 };
  const counted = <Answer>(read: (key: string) => Promise<Answer>) => {
    return (key: string): Promise<Answer> => {
      setting.reads += 1;
      return read(key);
    };
  };
  const directory = createCachedDirectory({
    sites: {
      findSite: counted(sites.findSite),
      findSiteBySecret: counted(sites.findSiteBySecret),
      findAccount: counted(sites.findAccount),
    },
    clock: { nowMs: () => setting.nowMs },
    maxEntries,
  });
  return { setting, sites, directory };
}

async function seed(sites: Sites, count = 1): Promise<ReturnType<typeof newSite>[]> {
  await sites.insertAccount(newAccount());
  const made = Array.from({ length: count }, () => newSite());
  for (const site of made) await sites.insertSite(site);
  return made;
}

test("answers a site and an account from memory for 999 ms, and reads the store at 1,000 ms", async () => {
  const { setting, sites, directory } = createSetting();
  const [site] = await seed(sites);
  for (const ageMs of [0, 500, 999]) {
    setting.nowMs = T0 + ageMs;
    assert.deepEqual(await directory.findSite(site!.siteKey), site);
    assert.deepEqual(await directory.findAccount("acc_1"), newAccount());
  }
  assert.equal(setting.reads, 2);
  const changed = withSettings(site!, { isEnabled: false });
  await sites.replaceSite(changed, 1);
  setting.nowMs = T0 + 1000;
  assert.deepEqual(await directory.findSite(site!.siteKey), changed);
  await directory.findAccount("acc_1");
  assert.equal(setting.reads, 4);
});

test("never returns an answer older than a second when the clock goes back", async () => {
  const { setting, sites, directory } = createSetting();
  const [site] = await seed(sites);
  await directory.findSite(site!.siteKey);
  setting.nowMs = T0 - 3_600_000;
  await directory.findSite(site!.siteKey);
  assert.equal(setting.reads, 2);
});

test("knows a site under each key that callers have asked for", async () => {
  const { setting, sites, directory } = createSetting();
  const [site] = await seed(sites);
  const { digest } = site!.secretKeys[0]!;
  assert.deepEqual(await directory.findSiteBySecret(digest), site);
  assert.deepEqual(await directory.findSite(site!.siteKey), site);
  assert.deepEqual(await directory.findSiteBySecret(digest), site);
  assert.equal(setting.reads, 1);
});

test("reads the store once for simultaneous lookups of one key", async () => {
  const { setting, sites, directory } = createSetting();
  const [site] = await seed(sites);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => directory.findSite(site!.siteKey)),
  );
  assert.equal(setting.reads, 1);
  for (const answer of answers) assert.deepEqual(answer, site);
});

test("reads the store for unknown keys, secrets and accounts each time, and so finds new ones immediately", async () => {
  const { setting, sites, directory } = createSetting();
  const site = newSite();
  const { digest } = site.secretKeys[0]!;
  for (let round = 0; round < 2; round++) {
    assert.equal(await directory.findSite(site.siteKey), undefined);
    assert.equal(await directory.findSiteBySecret(digest), undefined);
    assert.equal(await directory.findAccount("acc_1"), undefined);
  }
  assert.equal(setting.reads, 6);
  await sites.insertAccount(newAccount());
  await sites.insertSite(site);
  assert.deepEqual(await directory.findSite(site.siteKey), site);
  assert.deepEqual(await directory.findAccount("acc_1"), newAccount());
});

test("reads a forgotten site again under its key and under its secrets (D3, single use)", async () => {
  const { sites, directory } = createSetting();
  const [site] = await seed(sites);
  const { digest } = site!.secretKeys[0]!;
  await directory.findSiteBySecret(digest);
  const deleted = asDeleted(site!, T0);
  await sites.replaceSite(deleted, 1);
  assert.deepEqual(await directory.findSite(site!.siteKey), site);
  directory.forget(site!.siteKey);
  assert.equal(await directory.findSiteBySecret(digest), undefined);
  assert.deepEqual(await directory.findSite(site!.siteKey), deleted);
});

test("reads the store again for a secret that a newer read of its site no longer has (D12, states)", async () => {
  const { sites, directory } = createSetting();
  const [site] = await seed(sites);
  const { digest } = site!.secretKeys[0]!;
  await directory.findSiteBySecret(digest);
  const revoked = { ...withRotatedSecret(site!, newSecret(), T0), secretKeys: [newSecret()] };
  await sites.replaceSite(revoked, 1);
  directory.forget(site!.siteKey);
  assert.deepEqual(await directory.findSite(site!.siteKey), revoked);
  assert.equal(await directory.findSiteBySecret(digest), undefined);
});

test("neither keeps nor shares a read that was running when its site was forgotten (D3, single use)", async () => {
  const { sites } = createMemoryStore();
  const [site] = await seed(sites);
  const gates: (() => void)[] = [];
  const slow = async (siteKey: string) => {
    const found = await sites.findSite(siteKey);
    await new Promise<void>((open) => gates.push(open));
    return found;
  };
  const directory = createCachedDirectory({
    sites: { ...sites, findSite: slow },
    clock: { nowMs: () => T0 },
    maxEntries: 10,
  });
  const changed = withSettings(site!, { theme: "dark" });
  const early = directory.findSite(site!.siteKey);
  await sites.findSite(site!.siteKey);
  await sites.replaceSite(changed, 1);
  directory.forget(site!.siteKey);
  const late = directory.findSite(site!.siteKey);
  await sites.findSite(site!.siteKey);
  gates[1]?.();
  assert.deepEqual(await late, changed);
  gates[0]?.();
  assert.deepEqual(await early, site);
  assert.deepEqual(await directory.findSite(site!.siteKey), changed);
  assert.equal(gates.length, 2);
});

test("does not keep a failed read: the next lookup reads again", async () => {
  const { sites } = createMemoryStore();
  const [site] = await seed(sites);
  let fails = true;
  const directory = createCachedDirectory({
    sites: {
      ...sites,
      findSite: async (siteKey) => {
        if (fails) throw new RangeError("store down");
        return await sites.findSite(siteKey);
      },
    },
    clock: { nowMs: () => T0 },
    maxEntries: 10,
  });
  await assert.rejects(directory.findSite(site!.siteKey), RangeError);
  fails = false;
  assert.deepEqual(await directory.findSite(site!.siteKey), site);
});

test("keeps memory bounded: evicts the site that was read longest ago", async () => {
  const { setting, sites, directory } = createSetting(10);
  const made = await seed(sites, 30);
  for (const { siteKey } of made) await directory.findSite(siteKey);
  setting.reads = 0;
  for (const { siteKey } of made.slice(20)) await directory.findSite(siteKey);
  assert.equal(setting.reads, 0);
  for (const { siteKey } of made.slice(0, 20)) await directory.findSite(siteKey);
  assert.equal(setting.reads, 20);
});

test("returns an answer from memory within one microtask", async () => {
  const store = await openSqliteStore({ file: temporaryFile() });
  const site = await seedSite(store);
  const directory = createCachedDirectory({
    sites: store.sites,
    clock: { nowMs: () => T0 },
    maxEntries: 10,
  });
  const { digest } = site.secretKeys[0]!;
  await directory.findSiteBySecret(digest);
  for (const ask of [
    () => directory.findSite(site.siteKey),
    () => directory.findSiteBySecret(digest),
  ]) {
    let isAnswered = false;
    void ask().then(() => {
      isAnswered = true;
    });
    await Promise.resolve();
    assert.equal(isAnswered, true);
  }
  await store.close();
});
