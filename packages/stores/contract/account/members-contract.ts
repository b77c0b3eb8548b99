import assert from "node:assert/strict";
import type { Guarantee } from "../contract-fixtures.ts";
import { newAccount, T0 } from "../contract-fixtures.ts";
import {
  changed,
  newEntry,
  newLink,
  newMember,
  newPasskey,
  seedMembers,
  seedSession,
  subjectsOf,
} from "./account-fixtures.ts";

const READING: readonly Guarantee[] = [
  {
    name: "returns a member as it was written, found by id, email and passkey",
    check: async (store) => {
      const passkeys = [newPasskey(), newPasskey({ counter: 0, transports: [], lastUsedAtMs: T0 })];
      const totp = { sealedSecret: Uint8Array.of(0, 255, 7), lastStep: 58_000_000 };
      const [member] = await seedMembers(store, { name: "J'ö\" \\;--", role: "owner" });
      assert.ok(member);
      const recoveryCodes = ["digest 'one'", "digest two"];
      const full = changed(member, {
        totp,
        passkeys,
        recoveryCodes,
        lastSignInAtMs: T0 + 1,
        passwordHash: null,
      });
      assert.equal(await store.members.replaceMember(full, 1), "stored");
      assert.deepEqual(await store.members.findMember(full.userId), full);
      assert.deepEqual(await store.members.findMemberByEmail(full.email), full);
      for (const { passkeyId } of passkeys) {
        assert.deepEqual(await store.members.findMemberByPasskey(passkeyId), full);
      }
      const bare = changed(full, { totp: null, passkeys: [], recoveryCodes: [] });
      assert.equal(await store.members.replaceMember(bare, 2), "stored");
      assert.deepEqual(await store.members.findMember(full.userId), bare);
      assert.equal(
        await store.members.findMemberByPasskey(passkeys[0]?.passkeyId ?? ""),
        undefined,
      );
    },
  },
  {
    name: "finds nobody under unknown ids, emails and passkeys",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      assert.equal(await store.members.findMember("usr_unknown"), undefined);
      assert.equal(await store.members.findMemberByEmail(`${member?.email}x`), undefined);
      assert.equal(await store.members.findMemberByPasskey("unknown"), undefined);
      assert.deepEqual(await store.members.listMembers("unknown"), []);
    },
  },
  {
    name: "lists an account's members by name, and no other account's",
    check: async (store) => {
      await store.sites.insertAccount(newAccount({ accountId: "acc_2" }));
      await seedMembers(
        store,
        { name: "b" },
        { name: "a" },
        { name: "c" },
        { name: "ab", accountId: "acc_2" },
      );
      assert.deepEqual(
        (await store.members.listMembers("acc_1")).map(({ name }) => name),
        ["a", "b", "c"],
      );
    },
  },
];

const WRITING: readonly Guarantee[] = [
  {
    name: "reports a conflict for a stale revision or an unknown member, and changes nothing, not even the audit log",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      assert.ok(member);
      const named = changed(member, { name: "New" });
      assert.equal(
        await store.members.replaceMember(named, 1, newEntry({ subject: "first" })),
        "stored",
      );
      assert.equal(
        await store.members.replaceMember(changed(member), 1, newEntry({ subject: "stale" })),
        "conflict",
      );
      assert.equal(
        await store.members.replaceMember(newMember(), 1, newEntry({ subject: "unknown" })),
        "conflict",
      );
      assert.equal(
        await store.members.removeMember(member.userId, 1, newEntry({ subject: "stale" })),
        "conflict",
      );
      assert.deepEqual(await store.members.findMember(member.userId), named);
      assert.deepEqual(await subjectsOf(store), ["first"]);
    },
  },
  {
    name: "keeps an email unique in the service: a change to a taken one changes nothing",
    check: async (store) => {
      await store.sites.insertAccount(newAccount({ accountId: "acc_2" }));
      const [ada, bob] = await seedMembers(
        store,
        { email: "ada@example.org" },
        { accountId: "acc_2" },
      );
      assert.ok(ada && bob);
      const greedy = changed(bob, { email: "ada@example.org" });
      assert.equal(await store.members.replaceMember(greedy, 1, newEntry()), "email_taken");
      assert.deepEqual(await store.members.findMember(bob.userId), bob);
      assert.deepEqual(await subjectsOf(store), []);
    },
  },
  {
    name: "keeps a passkey unique in the service: a change that takes another member's changes nothing",
    check: async (store) => {
      const [ada, bob] = await seedMembers(store, {}, {});
      assert.ok(ada && bob);
      const passkeys = [newPasskey()];
      const owner = changed(ada, { passkeys });
      assert.equal(await store.members.replaceMember(owner, 1), "stored");
      assert.equal(await store.members.replaceMember(changed(bob, { passkeys }), 1), "conflict");
      assert.deepEqual(
        await store.members.findMemberByPasskey(passkeys[0]?.passkeyId ?? ""),
        owner,
      );
      assert.deepEqual(await store.members.findMember(bob.userId), bob);
    },
  },
  {
    name: "ends a member's links and all its sessions but the named one on such a change, and nobody else's",
    check: async (store) => {
      const [ada, bob] = await seedMembers(store, {}, {});
      assert.ok(ada && bob);
      const [link, foreignLink, invitation] = [
        newLink({ purpose: "reset", userId: ada.userId }),
        newLink({ purpose: "reset", userId: bob.userId }),
        newLink(),
      ];
      for (const one of [link, foreignLink, invitation]) await store.links.insertLink(one);
      const [kept, ended, foreign] = [
        await seedSession(store, ada),
        await seedSession(store, ada),
        await seedSession(store, bob),
      ];
      const stored = await store.members.findMember(ada.userId);
      assert.ok(stored);
      const stale = await store.members.replaceMember(
        changed(stored),
        99,
        newEntry(),
        kept.sessionId,
      );
      assert.equal(stale, "conflict");
      assert.ok(await store.sessions.findSession(ended.tokenDigest), "a conflict ends nothing");
      assert.ok(await store.links.findLink(link.tokenDigest));
      const outcome = await store.members.replaceMember(
        changed(stored),
        stored.revision,
        newEntry(),
        kept.sessionId,
      );
      assert.equal(outcome, "stored");
      assert.equal(await store.sessions.findSession(ended.tokenDigest), undefined);
      for (const session of [kept, foreign]) {
        assert.deepEqual(await store.sessions.findSession(session.tokenDigest), session);
      }
      assert.equal(await store.links.findLink(link.tokenDigest), undefined);
      for (const one of [foreignLink, invitation])
        assert.ok(await store.links.findLink(one.tokenDigest));
    },
  },
  {
    name: "removes a member with its passkeys, sessions and links, and frees its email",
    check: async (store) => {
      const [member] = await seedMembers(store, { email: "ada@example.org" });
      assert.ok(member);
      const session = await seedSession(store, member);
      const link = newLink({ purpose: "reset", userId: member.userId });
      await store.links.insertLink(link);
      const passkeys = [newPasskey()];
      assert.equal(
        await store.members.replaceMember({ ...member, passkeys, revision: 3 }, 2),
        "stored",
      );
      assert.equal(
        await store.members.removeMember(member.userId, 3, newEntry({ subject: "gone" })),
        "stored",
      );
      assert.equal(await store.members.findMember(member.userId), undefined);
      assert.equal(
        await store.members.findMemberByPasskey(passkeys[0]?.passkeyId ?? ""),
        undefined,
      );
      assert.equal(await store.sessions.findSession(session.tokenDigest), undefined);
      assert.equal(await store.links.findLink(link.tokenDigest), undefined);
      await seedMembers(store, { email: "ada@example.org", passkeys });
      assert.deepEqual(await subjectsOf(store), ["gone"]);
    },
  },
  {
    name: "refuses to demote or remove the only owner of an account, whatever other accounts have",
    check: async (store) => {
      await store.sites.insertAccount(newAccount({ accountId: "acc_2" }));
      const [owner] = await seedMembers(
        store,
        { role: "owner" },
        { role: "admin" },
        { role: "owner", accountId: "acc_2" },
      );
      assert.ok(owner);
      const demoted = changed(owner, { role: "admin" });
      assert.equal(await store.members.replaceMember(demoted, 1, newEntry()), "last_owner");
      assert.equal(await store.members.removeMember(owner.userId, 1, newEntry()), "last_owner");
      assert.deepEqual(await store.members.findMember(owner.userId), owner);
      assert.deepEqual(await subjectsOf(store), []);
      assert.equal(await store.members.replaceMember(changed(owner, { name: "Ada" }), 1), "stored");
    },
  },
];

const DEMANDING: readonly Guarantee[] = [
  {
    name: "demands a second factor in one account from the setting's change until the next change",
    check: async (store) => {
      await seedMembers(store, {});
      await store.sites.insertAccount(newAccount({ accountId: "acc_2" }));
      const set = (isDemanded: boolean, subject: string) =>
        store.members.setSecondFactorDemand("acc_1", isDemanded, "", newEntry({ subject }));
      assert.equal(await store.members.isSecondFactorDemanded("acc_1"), false);
      assert.equal(await set(false, "as before"), false);
      assert.equal(await set(true, "on"), true);
      assert.equal(await set(true, "as before"), false);
      assert.equal(await store.members.isSecondFactorDemanded("acc_1"), true);
      assert.equal(await store.members.isSecondFactorDemanded("acc_2"), false);
      assert.equal(await set(false, "off"), true);
      assert.equal(await store.members.isSecondFactorDemanded("acc_1"), false);
      assert.deepEqual(await subjectsOf(store), ["on", "off"]);
    },
  },
  {
    name: "ends sessions that may have begun with a password alone when the demand begins, except the named one",
    check: async (store) => {
      await store.sites.insertAccount(newAccount({ accountId: "acc_2" }));
      const totp = { sealedSecret: Uint8Array.of(1), lastStep: 1 };
      const people = await seedMembers(store, {}, {}, { totp }, { accountId: "acc_2" });
      const [owner, bare, guarded, foreign] = people;
      assert.ok(owner && bare && guarded && foreign);
      const kept = [
        await seedSession(store, owner),
        await seedSession(store, guarded),
        await seedSession(store, foreign),
      ];
      const ended = [await seedSession(store, owner), await seedSession(store, bare)];
      const keptId = kept[0]?.sessionId ?? "";
      assert.equal(
        await store.members.setSecondFactorDemand("acc_1", true, keptId, newEntry()),
        true,
      );
      for (const session of kept) assert.ok(await store.sessions.findSession(session.tokenDigest));
      for (const session of ended)
        assert.equal(await store.sessions.findSession(session.tokenDigest), undefined);
      const later = await seedSession(store, bare);
      assert.equal(await store.members.setSecondFactorDemand("acc_1", false, "", newEntry()), true);
      assert.ok(await store.sessions.findSession(later.tokenDigest), "lowering it ends nothing");
    },
  },
];

/** Guarantees that a store breaks if it reads, waits and then writes. */
export const MEMBER_RACES: readonly Guarantee[] = [
  {
    name: "stores one of 20 simultaneous changes of a member from one revision",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      assert.ok(member);
      const writes = Array.from({ length: 20 }, (_, at) =>
        store.members.replaceMember(changed(member, { name: `Name ${at}` }), 1, newEntry()),
      );
      assert.deepEqual((await Promise.all(writes)).sort(), [
        ...Array(19).fill("conflict"),
        "stored",
      ]);
      assert.equal((await subjectsOf(store)).length, 1);
    },
  },
  {
    name: "keeps one of ten owners who step down at the same moment",
    check: async (store) => {
      const owners = await seedMembers(store, ...Array(10).fill({ role: "owner" }));
      const writes = owners.map((owner) =>
        store.members.replaceMember(changed(owner, { role: "viewer" }), 1),
      );
      assert.deepEqual((await Promise.all(writes)).sort(), [
        "last_owner",
        ...Array(9).fill("stored"),
      ]);
      const roles = (await store.members.listMembers("acc_1")).map(({ role }) => role);
      assert.equal(roles.filter((role) => role === "owner").length, 1);
    },
  },
  {
    name: "keeps one of ten owners who are removed at the same moment",
    check: async (store) => {
      const owners = await seedMembers(store, ...Array(10).fill({ role: "owner" }));
      await Promise.all(
        owners.map(({ userId }) => store.members.removeMember(userId, 1, newEntry())),
      );
      assert.equal((await store.members.listMembers("acc_1")).length, 1);
    },
  },
  {
    name: "gives an email to one of ten members who take it at the same moment",
    check: async (store) => {
      const members = await seedMembers(store, ...Array(10).fill({}));
      const email = "wanted@example.org";
      const writes = members.map((member) =>
        store.members.replaceMember(changed(member, { email }), 1),
      );
      assert.deepEqual((await Promise.all(writes)).sort(), [
        ...Array(9).fill("email_taken"),
        "stored",
      ]);
    },
  },
];

/** The guarantees of every store of members. */
export const MEMBER_GUARANTEES: readonly Guarantee[] = [
  ...READING,
  ...WRITING,
  ...DEMANDING,
  ...MEMBER_RACES,
];
