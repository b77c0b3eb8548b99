import assert from "node:assert/strict";
import {
  asDeleted,
  asRestored,
  withRotatedSecret,
  withSettings,
} from "@stile/core/domain/site/site";
import { newEntry } from "../account/account-fixtures.ts";
import {
  type Guarantee,
  newAccount,
  newSecret,
  newSite,
  readMinutes,
  redemptionOf,
  seedSite,
  T0,
} from "../contract-fixtures.ts";

const READING: readonly Guarantee[] = [
  {
    name: "returns a site as it was written, found by its key and by its secret (spec 2.4)",
    check: async (store) => {
      const secrets = [newSecret({ replacedAtMs: T0 + 5 }), newSecret({ lastFour: "zzzz" })];
      const site = await seedSite(store, {
        name: 'Bücher & "Café" \'; --',
        secretKeys: secrets,
        verifyPerMinute: 7,
      });
      assert.deepEqual(await store.sites.findSite(site.siteKey), site);
      for (const { digest } of secrets)
        assert.deepEqual(await store.sites.findSiteBySecret(digest), site);
    },
  },
  {
    name: "returns accounts as they were written, oldest first",
    check: async (store) => {
      const accounts = [3, 1, 2].map((age) =>
        newAccount({ accountId: `acc_${age}`, createdAtMs: T0 + age }),
      );
      for (const account of accounts) await store.sites.insertAccount(account);
      assert.deepEqual(
        (await store.sites.listAccounts()).map(({ accountId }) => accountId),
        ["acc_1", "acc_2", "acc_3"],
      );
      assert.deepEqual(await store.sites.findAccount("acc_3"), accounts[0]);
    },
  },
  {
    name: "renames one account with its audit entry, and writes none for the same name or an unknown account",
    check: async (store) => {
      const [account, other] = [newAccount(), newAccount({ accountId: "acc_2" })];
      for (const each of [account, other]) await store.sites.insertAccount(each);
      const { accountId } = account;
      const entry = newEntry({ accountId, action: "account_changed" });
      assert.equal(await store.sites.renameAccount(accountId, "Ötters 'Ltd' 🦦", entry), true);
      assert.equal(await store.sites.renameAccount(accountId, "Ötters 'Ltd' 🦦", entry), false);
      assert.equal(
        await store.sites.renameAccount(
          "acc_unknown",
          "New",
          newEntry({ accountId: "acc_unknown" }),
        ),
        false,
      );
      assert.deepEqual(await store.sites.findAccount(accountId), {
        ...account,
        name: "Ötters 'Ltd' 🦦",
      });
      assert.deepEqual(await store.sites.findAccount(other.accountId), other);
      assert.equal((await store.auditLog.list(accountId, { limit: 9 })).length, 1);
      assert.deepEqual(await store.auditLog.list("acc_unknown", { limit: 9 }), []);
    },
  },
  {
    name: "finds nothing under unknown keys, digests and accounts",
    check: async (store) => {
      await seedSite(store);
      assert.equal(await store.sites.findSite("pk_unknown"), undefined);
      assert.equal(await store.sites.findSiteBySecret("unknown"), undefined);
      assert.equal(await store.sites.findAccount("unknown"), undefined);
      assert.deepEqual(await store.sites.listSites("unknown"), []);
    },
  },
  {
    name: "lists an account's sites by name, including deleted ones, and no other account's (spec 1)",
    check: async (store) => {
      await seedSite(store, { name: "b" });
      await store.sites.insertSite(newSite({ name: "c", deletedAtMs: T0, secretKeys: [] }));
      await store.sites.insertSite(newSite({ name: "a" }));
      await store.sites.insertAccount(newAccount({ accountId: "acc_2" }));
      await store.sites.insertSite(newSite({ name: "ab", accountId: "acc_2" }));
      assert.deepEqual(
        (await store.sites.listSites("acc_1")).map(({ name }) => name),
        ["a", "b", "c"],
      );
    },
  },
  {
    name: "rejects an account or site whose key exists, a site without an account and a secret of another site",
    check: async (store) => {
      const site = await seedSite(store);
      await assert.rejects(store.sites.insertAccount(newAccount()));
      await assert.rejects(store.sites.insertSite({ ...newSite(), siteKey: site.siteKey }));
      await assert.rejects(store.sites.insertSite(newSite({ accountId: "acc_unknown" })));
      await assert.rejects(store.sites.insertSite(newSite({ secretKeys: site.secretKeys })));
      assert.deepEqual(await store.sites.listSites("acc_1"), [site]);
    },
  },
];

const NAMES: readonly Guarantee[] = [
  {
    name: "keeps a name unique among the undeleted sites of an account only (D13, formats)",
    check: async (store) => {
      const site = await seedSite(store, { name: "Shop" });
      assert.equal(await store.sites.insertSite(newSite({ name: "Shop" })), "name_taken");
      await store.sites.insertAccount(newAccount({ accountId: "acc_2" }));
      assert.equal(
        await store.sites.insertSite(newSite({ name: "Shop", accountId: "acc_2" })),
        "stored",
      );
      await store.sites.replaceSite(asDeleted(site, T0), 1);
      assert.equal(await store.sites.insertSite(newSite({ name: "Shop" })), "stored");
    },
  },
  {
    name: "changes nothing when a site is renamed to a taken name, and accepts its own name (D13, formats)",
    check: async (store) => {
      const site = await seedSite(store, { name: "One" });
      await store.sites.insertSite(newSite({ name: "Two" }));
      assert.equal(
        await store.sites.replaceSite(withSettings(site, { name: "Two" }), 1),
        "name_taken",
      );
      assert.deepEqual(await store.sites.findSite(site.siteKey), site);
      assert.equal(
        await store.sites.replaceSite(withSettings(site, { theme: "dark" }), 1),
        "stored",
      );
    },
  },
  {
    name: "limits an account's sites, including deleted ones, even if 20 are created at once (D13, formats)",
    check: async (store) => {
      await store.sites.insertAccount(newAccount({ accountId: "acc_2" }));
      await store.sites.insertSite(
        newSite({ name: "Another's", accountId: "acc_2" }),
        undefined,
        1,
      );
      await seedSite(store, { deletedAtMs: T0, secretKeys: [] });
      const writes = Array.from({ length: 20 }, (_, at) =>
        store.sites.insertSite(newSite({ name: `Site ${at}` }), undefined, 4),
      );
      const outcomes = await Promise.all(writes);
      assert.deepEqual(
        ["stored", "too_many_sites"].map(
          (wanted) => outcomes.filter((outcome) => outcome === wanted).length,
        ),
        [3, 17],
      );
      assert.equal((await store.sites.listSites("acc_1")).length, 4);
      assert.equal(await store.sites.insertSite(newSite({ name: "Unbounded" })), "stored");
    },
  },
  {
    name: "stores one of 20 simultaneous sites with one name (D13, formats)",
    check: async (store) => {
      await seedSite(store);
      const writes = Array.from({ length: 20 }, () =>
        store.sites.insertSite(newSite({ name: "Shop" })),
      );
      assert.equal((await Promise.all(writes)).filter((outcome) => outcome === "stored").length, 1);
    },
  },
];

const WRITING: readonly Guarantee[] = [
  {
    name: "stores one of 20 simultaneous changes from one revision, and reports conflicts for the others",
    check: async (store) => {
      const site = await seedSite(store);
      const changes = Array.from({ length: 20 }, (_, index) =>
        store.sites.replaceSite(withSettings(site, { tokenLifeSeconds: 100 + index }), 1),
      );
      assert.deepEqual((await Promise.all(changes)).sort(), [
        ...Array(19).fill("conflict"),
        "stored",
      ]);
      assert.equal((await store.sites.findSite(site.siteKey))?.revision, 2);
    },
  },
  {
    name: "reports a conflict for a stale revision or an unknown site, and changes nothing",
    check: async (store) => {
      const site = await seedSite(store);
      const changed = withSettings(site, { isEnabled: false });
      assert.equal(await store.sites.replaceSite(changed, 1), "stored");
      assert.equal(
        await store.sites.replaceSite(withSettings(site, { language: "fr" }), 1),
        "conflict",
      );
      assert.equal(await store.sites.replaceSite(newSite(), 1), "conflict");
      assert.deepEqual(await store.sites.findSite(site.siteKey), changed);
    },
  },
  {
    name: "finds replaced secrets after a rotation, in order, and none after a deletion (D12, states)",
    check: async (store) => {
      const site = await seedSite(store);
      const rotated = withRotatedSecret(site, newSecret(), T0 + 1);
      assert.equal(await store.sites.replaceSite(rotated, 1), "stored");
      for (const { digest } of rotated.secretKeys) {
        assert.deepEqual(await store.sites.findSiteBySecret(digest), rotated);
      }
      const deleted = asDeleted(rotated, T0 + 2);
      assert.equal(await store.sites.replaceSite(deleted, 2), "stored");
      for (const { digest } of rotated.secretKeys)
        assert.equal(await store.sites.findSiteBySecret(digest), undefined);
      assert.deepEqual(await store.sites.findSite(site.siteKey), deleted);
    },
  },
  {
    name: "restores a deleted site unless an undeleted one has its name by then (D12, states; D13, formats)",
    check: async (store) => {
      const site = await seedSite(store, { name: "Shop" });
      const deleted = asDeleted(site, T0);
      await store.sites.replaceSite(deleted, 1);
      const namesake = newSite({ name: "Shop" });
      await store.sites.insertSite(namesake);
      const restored = asRestored(deleted, newSecret());
      assert.equal(await store.sites.replaceSite(restored, 2), "name_taken");
      await store.sites.replaceSite(asDeleted(namesake, T0), 1);
      assert.equal(await store.sites.replaceSite(restored, 2), "stored");
      assert.deepEqual(await store.sites.findSite(site.siteKey), restored);
    },
  },
  {
    name: "purges only what was deleted before the given moment, with its statistics (D12, states)",
    check: async (store) => {
      const site = await seedSite(store);
      await store.tokens.redeem(redemptionOf(site));
      await store.sites.replaceSite(asDeleted(site, T0), 1);
      await store.sites.insertSite(newSite({ name: "later", deletedAtMs: T0 + 1, secretKeys: [] }));
      await store.sites.insertSite(newSite({ name: "living" }));
      assert.equal(await store.sites.purgeSites(T0), 0);
      assert.equal(await store.sites.purgeSites(T0 + 1), 1);
      assert.equal(await store.sites.findSite(site.siteKey), undefined);
      assert.deepEqual(await readMinutes(store, site.siteKey), []);
      assert.deepEqual(
        (await store.sites.listSites("acc_1")).map(({ name }) => name),
        ["later", "living"],
      );
    },
  },
  {
    name: "completes either a restore or a purge that meet, and never a part of each (D12, states)",
    check: async (store) => {
      const site = await seedSite(store);
      await store.tokens.redeem(redemptionOf(site));
      const deleted = asDeleted(site, T0);
      await store.sites.replaceSite(deleted, 1);
      const restored = asRestored(deleted, newSecret());
      const [purged, outcome] = await Promise.all([
        store.sites.purgeSites(T0 + 1),
        store.sites.replaceSite(restored, 2),
      ]);
      const [found, sums] = [
        await store.sites.findSite(site.siteKey),
        await readMinutes(store, site.siteKey),
      ];
      if (outcome === "stored") assert.deepEqual([purged, found, sums.length], [0, restored, 1]);
      else assert.deepEqual([purged, outcome, found, sums.length], [1, "conflict", undefined, 0]);
    },
  },
];

/** The guarantees of every store of accounts and sites. */
export const SITE_GUARANTEES: readonly Guarantee[] = [...READING, ...NAMES, ...WRITING];
