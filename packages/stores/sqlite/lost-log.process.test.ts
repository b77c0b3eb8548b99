// A killed server whose write-ahead log was deleted or not copied: only the main file is left.
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Link } from "@stile/core/domain/account/link";
import type { Member } from "@stile/core/domain/account/member";
import type { Site } from "@stile/core/domain/site/site";
import type { Store } from "@stile/core/ports/store";
import {
  changed,
  newEntry,
  newLink,
  newMember,
  newSession,
  seedMembers,
  seedSession,
} from "../contract/account/account-fixtures.ts";
import { newSecret, newSite, redemptionOf, seedSite, T0 } from "../contract/contract-fixtures.ts";
import { emptyDatabase, temporaryFile } from "../contract/temporary-file.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { openThreadedStore } from "./threaded-store.ts";

/** Opens the store as if its server were killed now and lost its log. */
async function openWithoutLog(file: string): Promise<Store> {
  const copy = temporaryFile();
  copyFileSync(file, copy);
  return await openSqliteStore({ file: copy });
}

/** Copies the log into the main file, so that only later writes can go missing with the log. */
function fold(file: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(FULL)");
  database.close();
}

/** Prepares the store. Returns an action, and a check that must pass after it, without the log. */
type Change = (
  store: Store,
  site: Site,
) => Promise<{
  readonly act: () => Promise<unknown>;
  readonly isKept: (left: Store) => Promise<unknown>;
}>;

async function seedMember(store: Store): Promise<Member> {
  const [, member] = await seedMembers(store, { role: "owner" }, {});
  return member ?? assert.fail();
}

async function seedLink(store: Store): Promise<Link> {
  const link = newLink();
  await store.links.insertLink(link);
  return link;
}

const isLinkGone = async (left: Store, { tokenDigest }: Link): Promise<boolean> =>
  (await left.links.findLink(tokenDigest)) === undefined;

const CHANGES: Readonly<Record<string, Change>> = {
  "a revoked secret key": async (store, site) => ({
    act: () => store.sites.replaceSite({ ...site, secretKeys: [newSecret()], revision: 2 }, 1),
    isKept: async (left) =>
      (await left.sites.findSiteBySecret(site.secretKeys[0]?.digest ?? "")) === undefined,
  }),
  "a new site": async (store) => {
    const made = newSite();
    return {
      act: () => store.sites.insertSite(made),
      isKept: (left) => left.sites.findSite(made.siteKey),
    };
  },
  "a service key": async (store) => ({
    act: () =>
      store.serviceKeys.insertServiceKey({ keyId: 1, createdAtMs: T0, wrapped: Uint8Array.of(1) }),
    isKept: async (left) => (await left.serviceKeys.listServiceKeys()).length === 1,
  }),
  "a removed member": async (store) => {
    const { userId, revision } = await seedMember(store);
    return {
      act: () => store.members.removeMember(userId, revision, newEntry()),
      isKept: async (left) => (await left.members.findMember(userId)) === undefined,
    };
  },
  "a changed password": async (store) => {
    const member = await seedMember(store);
    return {
      act: () =>
        store.members.replaceMember(
          changed(member, { passwordHash: "new" }),
          member.revision,
          newEntry(),
        ),
      isKept: async (left) =>
        (await left.members.findMember(member.userId))?.passwordHash === "new",
    };
  },
  "a reset password": async (store) => {
    const member = await seedMember(store);
    const { tokenDigest, ...reset } = newLink({ purpose: "reset", userId: member.userId });
    await store.links.insertLink({ ...reset, tokenDigest });
    return {
      act: () =>
        store.links.reset(tokenDigest, T0, changed(member, { passwordHash: "new" }), 1, newEntry()),
      isKept: async (left) =>
        (await left.members.findMember(member.userId))?.passwordHash === "new",
    };
  },
  "a used recovery code": async (store) => {
    const member = await seedMember(store);
    const used = changed(member, { recoveryCodes: ["left"] });
    return {
      act: () => store.sessions.startSession(newSession(member), used, member.revision, newEntry()),
      isKept: async (left) =>
        (await left.members.findMember(member.userId))?.recoveryCodes.length === 1,
    };
  },
  "a required second factor": async (store) => ({
    act: () => store.members.setSecondFactorDemand("acc_1", true, "", newEntry()),
    isKept: (left) => left.members.isSecondFactorDemanded("acc_1"),
  }),
  "an ended session": async (store) => {
    const session = await seedSession(store, await seedMember(store));
    return {
      act: () => store.sessions.removeSession(session.userId, session.sessionId, newEntry()),
      isKept: async (left) => (await left.sessions.findSession(session.tokenDigest)) === undefined,
    };
  },
  "the end of all other sessions": async (store) => {
    const session = await seedSession(store, await seedMember(store));
    return {
      act: () => store.sessions.removeOtherSessions(session.userId, "", newEntry()),
      isKept: async (left) => (await left.sessions.findSession(session.tokenDigest)) === undefined,
    };
  },
  "a withdrawn link": async (store) => {
    const link = await seedLink(store);
    return {
      act: () => store.links.removeLink(link.accountId, link.linkId, newEntry()),
      isKept: (left) => isLinkGone(left, link),
    };
  },
  "a used link": async (store) => {
    const link = await seedLink(store);
    return {
      act: () => store.links.join(link.tokenDigest, T0, newMember(), newEntry()),
      isKept: (left) => isLinkGone(left, link),
    };
  },
  "a replaced link": async (store) => {
    const link = newLink({ purpose: "setup" });
    await store.links.insertLink(link);
    return {
      act: () => store.links.insertLink(newLink({ purpose: "setup" })),
      isKept: (left) => isLinkGone(left, link),
    };
  },
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`${what} survives the loss of the log once it is answered (D3, single use; D16, operator)`, async (context) => {
    const file = await emptyDatabase();
    const store = await openThreadedStore({ file });
    context.after(() => store.close());
    const { act, isKept } = await change(store, await seedSite(store));
    fold(file);
    await act();
    const left = await openWithoutLog(file);
    assert.ok(await isKept(left));
    await left.close();
  });
}

test("a reader that prevents a checkpoint delays no answer; the first commit after it ends checkpoints the log", async (context) => {
  const file = await emptyDatabase();
  const store = await openThreadedStore({ file });
  context.after(() => store.close());
  const site = await seedSite(store);
  fold(file);
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM sites").get();
  const revoked = { ...site, secretKeys: [newSecret()], revision: 2 };
  assert.equal(await store.sites.replaceSite(revoked, 1), "stored");
  reader.close();
  await store.tokens.redeem(redemptionOf(revoked));
  const left = await openWithoutLog(file);
  assert.equal(await left.sites.findSiteBySecret(site.secretKeys[0]?.digest ?? ""), undefined);
  await left.close();
});
