import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createCachedDirectory } from "@stile/stores/process/cached-directory";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { createKeyRing } from "../cryptography/key-ring.ts";
import { createNodeCryptography } from "../cryptography/node-cryptography.ts";
import { refreshKeyRing } from "../cryptography/service-keys.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { initialize } from "./first-start.ts";

const root = mkdtempSync(join(tmpdir(), "stile-first-"));
after(() => rmSync(root, { recursive: true }));
const clock = { nowMs: () => Date.UTC(2026, 5, 15) };

/** An empty store and an empty data directory. */
async function emptyService(name: string) {
  const store = createMemoryStore();
  const ring = createKeyRing();
  await refreshKeyRing(ring, store.serviceKeys, randomBytes(32), clock.nowMs());
  const directory = createCachedDirectory({ sites: store.sites, clock, maxEntries: 10 });
  const ports = {
    clock,
    cryptography: createNodeCryptography(ring, clock),
    sites: store.sites,
    directory,
  };
  return { store, ports, data: openDataDirectory(join(root, name)) };
}

test("creates an account and a demo site for this machine in an empty store, with matching keys (D16, operator)", async () => {
  const { store, ports, data } = await emptyService("empty");
  const { isFirst, demoKeys } = await initialize(ports, data, undefined);
  assert.equal(isFirst, true);
  assert.deepEqual(data.readDemoKeys(), demoKeys);
  const digest = Buffer.from(ports.cryptography.digest(demoKeys?.secretKey ?? "")).toString(
    "base64url",
  );
  const site = await store.sites.findSiteBySecret(digest);
  assert.equal(site?.siteKey, demoKeys?.siteKey);
  assert.deepEqual(site?.domains, ["localhost", "127.0.0.1", "[::1]"]);
  const accounts = await store.sites.listAccounts();
  assert.deepEqual([accounts.length, accounts[0]?.accountId], [1, site?.accountId]);
});

test("finds the same at every later start, and creates nothing (D16, operator)", async () => {
  const { store, ports, data } = await emptyService("later");
  const { demoKeys } = await initialize(ports, data, undefined);
  assert.deepEqual(await initialize(ports, data, undefined), { isFirst: false, demoKeys });
  assert.equal((await store.sites.listAccounts()).length, 1);
});

test("starts without demo keys on a store in use if the demo's file is missing (D16, operator)", async () => {
  const { ports, data } = await emptyService("used");
  await initialize(ports, data, undefined);
  const elsewhere = openDataDirectory(join(root, "elsewhere"));
  assert.deepEqual(await initialize(ports, elsewhere, undefined), {
    isFirst: false,
    demoKeys: undefined,
  });
});

test("does not open the demo with keys of another installation, a replaced secret or a deleted site (D16, operator)", async () => {
  const { store, ports, data } = await emptyService("restored");
  const { demoKeys } = await initialize(ports, data, undefined);
  const site = await store.sites.findSite(demoKeys?.siteKey ?? "");
  assert.ok(demoKeys && site);
  const other = await emptyService("another");
  const ofAnother = (await initialize(other.ports, other.data, undefined)).demoKeys;
  assert.ok(ofAnother);
  for (const keys of [
    ofAnother,
    { ...ofAnother, siteKey: demoKeys.siteKey },
    { ...demoKeys, secretKey: "sk_x" },
  ]) {
    data.writeDemoKeys(keys);
    assert.deepEqual(await initialize(ports, data, undefined), {
      isFirst: false,
      demoKeys: undefined,
    });
  }
  data.writeDemoKeys(demoKeys);
  await store.sites.replaceSite(
    { ...site, deletedAtMs: clock.nowMs(), revision: site.revision + 1 },
    site.revision,
  );
  assert.deepEqual(await initialize(ports, data, undefined), {
    isFirst: false,
    demoKeys: undefined,
  });
});

test("allows the demo on the host of STILE_BASE_URL too, named once (D17, settings)", async () => {
  for (const [index, [baseUrl, domains]] of [
    ["https://stile.example:8443", ["localhost", "127.0.0.1", "[::1]", "stile.example"]],
    ["http://localhost:8787", ["localhost", "127.0.0.1", "[::1]"]],
    ["http://[::1]:8787", ["localhost", "127.0.0.1", "[::1]"]],
  ].entries() as Iterable<[number, [string, string[]]]>) {
    const { store, ports, data } = await emptyService(`base${index}`);
    const { demoKeys } = await initialize(ports, data, baseUrl);
    assert.deepEqual((await store.sites.findSite(demoKeys?.siteKey ?? ""))?.domains, domains);
  }
});

test("makes the missing site in the same account after a crash between account and site", async () => {
  const { store, ports, data } = await emptyService("torn");
  const limits = { challengePerMinute: null, totalPerMinute: null };
  await store.sites.insertAccount({
    accountId: "acc_torn",
    name: "Default",
    createdAtMs: clock.nowMs(),
    ...limits,
  });
  const { isFirst, demoKeys } = await initialize(ports, data, undefined);
  assert.equal(isFirst, true);
  assert.equal((await store.sites.findSite(demoKeys?.siteKey ?? ""))?.accountId, "acc_torn");
  assert.equal((await store.sites.listAccounts()).length, 1);
});

test("makes no new demo site in an account whose owner deleted every site", async () => {
  const { store, ports, data } = await emptyService("emptied");
  await initialize(ports, data, undefined);
  const [account] = await store.sites.listAccounts();
  const [site] = await store.sites.listSites(account?.accountId ?? "");
  assert.ok(site);
  await store.sites.replaceSite(
    { ...site, deletedAtMs: 0, revision: site.revision + 1 },
    site.revision,
  );
  assert.equal(await store.sites.purgeSites(clock.nowMs()), 1);
  assert.equal((await initialize(ports, data, undefined)).isFirst, false);
  assert.deepEqual(await store.sites.listSites(account?.accountId ?? ""), []);
});
