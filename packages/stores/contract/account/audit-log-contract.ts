import assert from "node:assert/strict";
import { AUDIT_DAYS } from "@stile/core/domain/account/audit";
import { withSettings } from "@stile/core/domain/site/site";
import { type Guarantee, newSite, seedSite, T0 } from "../contract-fixtures.ts";
import { newEntry, subjectsOf } from "./account-fixtures.ts";

const DAY_MS = 86_400_000;

/** The guarantees of every audit log. */
export const AUDIT_GUARANTEES: readonly Guarantee[] = [
  {
    name: "returns entries as they were written, newest first, page by page, with growing ids",
    check: async (store) => {
      const written = [1, 2, 3, 4].map((at) => newEntry({ subject: `${at}`, atMs: T0 - at }));
      for (const entry of written) await store.auditLog.append(entry);
      await store.auditLog.append(newEntry({ accountId: "acc_2" }));
      const first = await store.auditLog.list("acc_1", { limit: 3 });
      const ids = first.map(({ entryId }) => entryId);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => b - a),
      );
      assert.deepEqual(
        first.map(({ entryId, ...entry }) => entry),
        written.slice(1).reverse(),
      );
      const next = await store.auditLog.list("acc_1", { limit: 3, beforeId: ids.at(-1) ?? 0 });
      assert.deepEqual(
        next.map(({ subject }) => subject),
        ["1"],
      );
    },
  },
  {
    name: "writes the entry of a site's change, and none for a refused change",
    check: async (store) => {
      const site = await seedSite(store, { name: "Shop" });
      const entry = (subject: string) =>
        newEntry({ subject, siteKey: site.siteKey, actor: { userId: null, name: "x" } });
      await store.sites.insertSite(newSite({ name: "Other" }), entry("created"));
      await store.sites.insertSite(newSite({ name: "Shop" }), entry("name taken"));
      await store.sites.replaceSite(withSettings(site, { theme: "dark" }), 1, entry("changed"));
      await store.sites.replaceSite(withSettings(site, { theme: "light" }), 1, entry("stale"));
      await store.sites.replaceSite(
        { ...withSettings(site, { name: "Other" }), revision: 3 },
        2,
        entry("name taken"),
      );
      assert.deepEqual(await subjectsOf(store), ["created", "changed"]);
      const [latest] = await store.auditLog.list("acc_1", { limit: 1 });
      assert.deepEqual(
        [latest?.siteKey, latest?.actor],
        [site.siteKey, { userId: null, name: "x" }],
      );
    },
  },
  {
    name: "finds a change by its digest, with its first entry, and lists entries without the digest (D16, operator)",
    check: async (store) => {
      const first = newEntry({ changeDigest: "digest-1", siteKey: "pk_1", atMs: T0 });
      await store.auditLog.append(first);
      await store.auditLog.append({ ...first, siteKey: "pk_2", atMs: T0 + 1 });
      await store.auditLog.append(newEntry({}));
      const { atMs, siteKey } = (await store.auditLog.findChange("digest-1")) ?? {};
      assert.deepEqual([atMs, siteKey], [T0, "pk_1"]);
      assert.equal(await store.auditLog.findChange("digest-2"), undefined);
      assert.equal(
        JSON.stringify(await store.auditLog.list("acc_1", { limit: 9 })).includes("digest"),
        false,
      );
    },
  },
  {
    name: "finds a stored change by its digest, and not a refused one (D16, operator)",
    check: async (store) => {
      const site = await seedSite(store, { name: "Shop" });
      const entry = (changeDigest: string) => newEntry({ changeDigest, siteKey: site.siteKey });
      await store.sites.replaceSite(withSettings(site, { theme: "dark" }), 1, entry("stored"));
      await store.sites.replaceSite(withSettings(site, { theme: "light" }), 1, entry("stale"));
      assert.equal((await store.auditLog.findChange("stored"))?.siteKey, site.siteKey);
      assert.equal(await store.auditLog.findChange("stale"), undefined);
    },
  },
  {
    name: "prunes any number of entries older than their days, and never reuses an id",
    check: async (store) => {
      const nowMs = T0 + AUDIT_DAYS * DAY_MS;
      await store.auditLog.append(newEntry({ atMs: T0, subject: "kept" }));
      const writes = Array.from({ length: 600 }, () =>
        store.auditLog.append(newEntry({ atMs: T0 - 1 })),
      );
      await Promise.all(writes);
      const [newest] = await store.auditLog.list("acc_1", { limit: 1 });
      assert.equal(await store.auditLog.prune(nowMs), 600);
      assert.deepEqual(await subjectsOf(store), ["kept"]);
      await store.auditLog.append(newEntry({ subject: "later" }));
      const [later] = await store.auditLog.list("acc_1", { limit: 1 });
      assert.ok(later && newest && later.entryId > newest.entryId);
    },
  },
];
