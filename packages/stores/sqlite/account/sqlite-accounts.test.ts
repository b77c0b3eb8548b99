import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import {
  changed,
  newEntry,
  newLink,
  newMember,
  newSession,
  seedMembers,
  subjectsOf,
} from "../../contract/account/account-fixtures.ts";
import {
  newAccount,
  newSite,
  readMinutes,
  redeemAll,
  redemptionOf,
  seedSite,
  T0,
} from "../../contract/contract-fixtures.ts";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";

/**
 * Two connections to one file, like a server and a command that runs next to it (D16, operator).
 */
async function twoConnections(context: TestContext): Promise<readonly [Store, Store]> {
  const file = temporaryFile();
  const stores = [await openSqliteStore({ file }), await openSqliteStore({ file })] as const;
  context.after(() => Promise.all(stores.map((store) => store.close())));
  return stores;
}

test("a link used 20 times over two connections admits one member", async (context) => {
  const stores = await twoConnections(context);
  await stores[0].sites.insertAccount(newAccount());
  const link = newLink();
  await stores[0].links.insertLink(link);
  const uses = Array.from({ length: 20 }, (_, at) =>
    stores[at % 2 ? 0 : 1].links.join(
      link.tokenDigest,
      T0,
      newMember(),
      newEntry({ subject: "joined" }),
    ),
  );
  assert.deepEqual((await Promise.all(uses)).sort(), [...Array(19).fill("link_gone"), "stored"]);
  for (const store of stores) assert.equal((await store.members.listMembers("acc_1")).length, 1);
  assert.deepEqual(await subjectsOf(stores[0]), ["joined"]);
});

test("one owner remains when all owners step down over two connections", async (context) => {
  const stores = await twoConnections(context);
  const owners = await seedMembers(stores[0], ...Array(10).fill({ role: "owner" }));
  const writes = owners.map((owner, at) =>
    stores[at % 2 ? 0 : 1].members.replaceMember(changed(owner, { role: "viewer" }), 1, newEntry()),
  );
  assert.deepEqual((await Promise.all(writes)).sort(), ["last_owner", ...Array(9).fill("stored")]);
});

test("a session start and a password change over two connections never both succeed on one revision", async (context) => {
  const stores = await twoConnections(context);
  const [member] = await seedMembers(stores[0], {});
  assert.ok(member);
  const session = newSession(member);
  const [begun, replaced] = await Promise.all([
    stores[0].sessions.startSession(session, changed(member), 1, newEntry()),
    stores[1].members.replaceMember(
      changed(member, { passwordHash: "$new" }),
      1,
      newEntry(),
      "none",
    ),
  ]);
  assert.deepEqual([begun, replaced].sort(), ["conflict", "stored"]);
  const found = await stores[0].sessions.findSession(session.tokenDigest);
  assert.equal(found !== undefined, begun === "stored");
});

test("writes no change if its audit line can't be written", async (context) => {
  const [store] = await twoConnections(context);
  const [member] = await seedMembers(store, {});
  assert.ok(member);
  const link = newLink();
  await store.links.insertLink(link);
  const unwritable = newEntry({ changes: [{ field: "x", before: 1n, after: 2n }] });
  const session = newSession(member);
  for (const write of [
    () => store.members.replaceMember(changed(member, { name: "New" }), 1, unwritable),
    () => store.members.removeMember(member.userId, 1, unwritable),
    () => store.sessions.startSession(session, changed(member), 1, unwritable),
    () => store.links.join(link.tokenDigest, T0, newMember(), unwritable),
    () => store.links.removeLink("acc_1", link.linkId, unwritable),
  ]) {
    await assert.rejects(write, TypeError);
  }
  assert.deepEqual(await store.members.listMembers("acc_1"), [member]);
  assert.equal(await store.sessions.findSession(session.tokenDigest), undefined);
  assert.deepEqual(await store.links.findLink(link.tokenDigest), link);
});

test("the next purge removes rows that an interrupted purge left (D12, states)", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const [gone, kept] = [await seedSite(store), newSite()];
  await store.sites.insertSite(kept);
  await redeemAll(store, [redemptionOf(gone), redemptionOf(kept)]);
  const other = new DatabaseSync(file);
  other.prepare("DELETE FROM sites WHERE site_key = ?").run(gone.siteKey);
  other.close();
  assert.equal(await store.sites.purgeSites(T0), 0);
  assert.deepEqual(await readMinutes(store, gone.siteKey), []);
  assert.equal((await readMinutes(store, kept.siteKey)).length, 1);
  await store.close();
});
