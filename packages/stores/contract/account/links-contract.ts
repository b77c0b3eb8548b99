import assert from "node:assert/strict";
import type { Link } from "@stile/core/domain/account/link";
import type { Role } from "@stile/protocol/roles";
import { type Guarantee, newAccount, T0 } from "../contract-fixtures.ts";
import {
  changed,
  newEntry,
  newLink,
  newMember,
  seedMembers,
  seedSession,
  subjectsOf,
} from "./account-fixtures.ts";

const KEEPING: readonly Guarantee[] = [
  {
    name: "returns a link as it was written until it is used",
    check: async (store) => {
      const link = newLink({
        purpose: "reset",
        userId: "usr_1",
        role: "admin",
        removesSecondFactors: true,
      });
      await store.links.insertLink(link, newEntry({ subject: "made" }));
      assert.deepEqual(await store.links.findLink(link.tokenDigest), link);
      assert.equal(await store.links.findLink("unknown"), undefined);
      assert.deepEqual(await subjectsOf(store), ["made"]);
    },
  },
  {
    name: "replaces an account's or member's earlier set-up or reset link, and keeps invitations next to each other",
    check: async (store) => {
      const kinds = [
        newLink({ purpose: "setup" }),
        newLink({ purpose: "setup", accountId: "acc_2" }),
        newLink({ purpose: "reset", userId: "usr_1" }),
        newLink({ purpose: "reset", userId: "usr_2" }),
        newLink(),
      ];
      for (const link of kinds) await store.links.insertLink(link);
      await store.links.insertLink(newLink({ purpose: "setup" }));
      await store.links.insertLink(newLink({ purpose: "reset", userId: "usr_1" }));
      await store.links.insertLink(newLink());
      const found = await Promise.all(kinds.map((link) => store.links.findLink(link.tokenDigest)));
      assert.deepEqual(
        found.map((link) => link !== undefined),
        [false, true, false, true, true],
      );
    },
  },
  {
    name: "lists the account's valid invitations and set-up links, newest first",
    check: async (store) => {
      const [older, newer, setup] = [
        newLink({ createdAtMs: T0 - 2 }),
        newLink({ createdAtMs: T0 - 1 }),
        newLink({ purpose: "setup" }),
      ];
      const others = [
        newLink({ accountId: "acc_2" }),
        newLink({ expiresAtMs: T0 }),
        newLink({ purpose: "reset", userId: "usr_1" }),
      ];
      for (const link of [older, ...others, newer, setup]) await store.links.insertLink(link);
      assert.deepEqual(await store.links.listLinks("acc_1", T0), [setup, newer, older]);
    },
  },
  {
    name: "removes a link of the account once, and no other account's",
    check: async (store) => {
      const link = newLink();
      await store.links.insertLink(link);
      assert.equal(
        await store.links.removeLink("acc_2", link.linkId, newEntry({ accountId: "acc_1" })),
        false,
      );
      assert.equal(
        await store.links.removeLink("acc_1", link.linkId, newEntry({ subject: "taken back" })),
        true,
      );
      assert.equal(await store.links.removeLink("acc_1", link.linkId, newEntry()), false);
      assert.equal(await store.links.findLink(link.tokenDigest), undefined);
      assert.deepEqual(await subjectsOf(store), ["taken back"]);
    },
  },
  {
    name: "prunes any number of links from the moment they expire",
    check: async (store) => {
      const living = newLink({ expiresAtMs: T0 + 1 });
      await store.links.insertLink(living);
      for (let made = 0; made < 600; made++)
        await store.links.insertLink(newLink({ expiresAtMs: T0 }));
      assert.equal(await store.links.prune(T0 - 1), 0);
      assert.equal(await store.links.prune(T0), 600);
      assert.deepEqual(await store.links.listLinks("acc_1", T0), [living]);
    },
  },
];

const USING: readonly Guarantee[] = [
  {
    name: "accepts a link until the moment it expires, and not at that moment",
    check: async (store) => {
      await store.sites.insertAccount(newAccount());
      const [early, late] = [newLink(), newLink()];
      await store.links.insertLink(early);
      await store.links.insertLink(late);
      const [member, other] = [newMember(), newMember()];
      assert.equal(
        await store.links.join(early.tokenDigest, T0 + 59_999, member, newEntry({ subject: "in" })),
        "stored",
      );
      assert.equal(
        await store.links.join(late.tokenDigest, T0 + 60_000, other, newEntry()),
        "link_gone",
      );
      assert.equal(await store.links.join("unknown", T0, other, newEntry()), "link_gone");
      assert.deepEqual(await store.members.findMember(member.userId), member);
      assert.equal(await store.members.findMember(other.userId), undefined);
      assert.deepEqual(await subjectsOf(store), ["in"]);
    },
  },
  {
    name: "leaves the link unchanged when a member joins with a taken email",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      const link = newLink();
      await store.links.insertLink(link);
      const namesake = newMember({ email: member?.email ?? "" });
      assert.equal(
        await store.links.join(link.tokenDigest, T0, namesake, newEntry()),
        "email_taken",
      );
      assert.deepEqual(await store.links.findLink(link.tokenDigest), link);
      assert.equal(await store.links.join(link.tokenDigest, T0, newMember(), newEntry()), "stored");
    },
  },
  {
    name: "creates no member from a set-up link in an account that has one",
    check: async (store) => {
      await seedMembers(store, {});
      const link = newLink({ purpose: "setup", role: "owner" });
      await store.links.insertLink(link);
      assert.equal(
        await store.links.join(link.tokenDigest, T0, newMember({ role: "owner" }), newEntry()),
        "link_gone",
      );
      assert.equal((await store.members.listMembers("acc_1")).length, 1);
    },
  },
  {
    name: "accepts a link only while its maker has the right to make it, and the operator's always",
    check: async (store) => {
      const [admin, bob] = await seedMembers(store, { role: "admin" }, { role: "developer" });
      assert.ok(admin && bob);
      const madeBy = admin.userId;
      const toJoin = newLink({ madeBy });
      const toReset = newLink({ purpose: "reset", userId: bob.userId, role: "developer", madeBy });
      const ofNobody = newLink({ madeBy: "usr_gone" });
      const ofOperator = newLink();
      for (const link of [toJoin, toReset, ofNobody, ofOperator])
        await store.links.insertLink(link);
      assert.deepEqual(await store.links.findLink(toJoin.tokenDigest), toJoin);
      const join = (link: Link) => store.links.join(link.tokenDigest, T0, newMember(), newEntry());
      const reset = () =>
        store.links.reset(toReset.tokenDigest, T0, changed(bob), bob.revision, newEntry());
      const change = (role: Role, revision: number) =>
        store.members.replaceMember({ ...admin, role, revision: revision + 1 }, revision);
      assert.equal(await change("viewer", 1), "stored");
      assert.deepEqual(
        [await join(toJoin), await reset(), await join(ofNobody)],
        Array(3).fill("link_gone"),
      );
      assert.equal(await change("admin", 2), "stored");
      assert.deepEqual(
        [await join(toJoin), await reset(), await join(ofOperator)],
        Array(3).fill("stored"),
      );
    },
  },
  {
    name: "replaces the member on a reset, ends only that member's sessions, and uses up the link",
    check: async (store) => {
      const [ada, bob] = await seedMembers(store, {}, {});
      assert.ok(ada && bob);
      const [mine, foreign] = [await seedSession(store, ada), await seedSession(store, bob)];
      const link = newLink({ purpose: "reset", userId: ada.userId });
      await store.links.insertLink(link);
      const after = { ...ada, passwordHash: "$new", revision: 3 };
      const use = (expected: number) =>
        store.links.reset(link.tokenDigest, T0, after, expected, newEntry());
      assert.equal(await use(1), "conflict", "the sign-in made it revision 2");
      assert.ok(await store.sessions.findSession(mine.tokenDigest));
      assert.equal(await use(2), "stored");
      assert.equal(await use(3), "link_gone");
      assert.deepEqual(await store.members.findMember(ada.userId), after);
      assert.equal(await store.sessions.findSession(mine.tokenDigest), undefined);
      assert.ok(await store.sessions.findSession(foreign.tokenDigest));
      assert.equal((await subjectsOf(store)).length, 1);
    },
  },
];

/** Guarantees that a store breaks if it reads, waits and then writes. */
export const LINK_RACES: readonly Guarantee[] = [
  {
    name: "limits an account's members and open invitations, even with 20 invitations at once (D16, operator)",
    check: async (store) => {
      const [admin, bob] = await seedMembers(store, { role: "admin" }, {});
      assert.ok(admin && bob);
      // These do not count: another account's links, expired links, set-up and reset links, and
      // those of a maker without the right.
      for (const link of [
        newLink({ accountId: "acc_2" }),
        newLink({ expiresAtMs: T0 }),
        newLink({ purpose: "setup" }),
        newLink({ purpose: "reset", userId: bob.userId }),
        newLink({ madeBy: "usr_gone" }),
        newLink({ madeBy: bob.userId }),
      ]) {
        assert.equal(await store.links.insertLink(link, undefined, 3), true);
      }
      const writes = Array.from({ length: 20 }, () =>
        store.links.insertLink(
          newLink({ madeBy: admin.userId }),
          newEntry({ subject: "invited" }),
          6,
        ),
      );
      const outcomes = await Promise.all(writes);
      assert.deepEqual(
        [true, false].map((wanted) => outcomes.filter((outcome) => outcome === wanted).length),
        [4, 16],
      );
      assert.deepEqual(await subjectsOf(store), Array(4).fill("invited"));
      assert.equal(
        await store.links.insertLink(newLink()),
        true,
        "a link without a limit is stored",
      );
      assert.equal(
        await store.members.removeMember(admin.userId, admin.revision, newEntry()),
        "stored",
      );
      assert.equal(
        await store.links.insertLink(newLink(), undefined, 3),
        true,
        "invitations of a removed member do not count",
      );
    },
  },
  {
    name: "lets one of two simultaneous events happen: an invitation's withdrawal or its acceptance",
    check: async (store) => {
      await store.sites.insertAccount(newAccount());
      const links = Array.from({ length: 20 }, () => newLink());
      for (const link of links) await store.links.insertLink(link);
      const both = links.map((link) =>
        Promise.all([
          store.links.join(link.tokenDigest, T0, newMember(), newEntry()),
          store.links.removeLink("acc_1", link.linkId, newEntry()),
        ]),
      );
      for (const [joined, isRemoved] of await Promise.all(both))
        assert.equal(joined === "link_gone", isRemoved);
    },
  },
  {
    name: "accepts one of 20 simultaneous uses of an invitation",
    check: async (store) => {
      await store.sites.insertAccount(newAccount());
      const link = newLink();
      await store.links.insertLink(link);
      const uses = Array.from({ length: 20 }, () =>
        store.links.join(link.tokenDigest, T0, newMember(), newEntry({ subject: "joined" })),
      );
      assert.deepEqual((await Promise.all(uses)).sort(), [
        ...Array(19).fill("link_gone"),
        "stored",
      ]);
      assert.equal((await store.members.listMembers("acc_1")).length, 1);
      assert.deepEqual(await subjectsOf(store), ["joined"]);
    },
  },
  {
    name: "accepts one of 20 simultaneous uses of a reset link",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      assert.ok(member);
      const link = newLink({ purpose: "reset", userId: member.userId });
      await store.links.insertLink(link);
      const uses = Array.from({ length: 20 }, (_, at) =>
        store.links.reset(link.tokenDigest, T0, changed(member, { name: `${at}` }), 1, newEntry()),
      );
      assert.equal((await Promise.all(uses)).filter((outcome) => outcome === "stored").length, 1);
    },
  },
  {
    name: "admits five of 20 simultaneous tries at a link's second factor, and none if the link is gone",
    check: async (store) => {
      const [link, other] = [newLink({ purpose: "reset", userId: "usr_1" }), newLink()];
      await store.links.insertLink(link);
      await store.links.insertLink(other);
      const tries = await Promise.all(
        Array.from({ length: 20 }, () => store.links.countTry(link.tokenDigest, 5)),
      );
      assert.equal(tries.filter(Boolean).length, 5);
      assert.equal(await store.links.countTry(link.tokenDigest, 5), false);
      assert.equal(
        await store.links.countTry(other.tokenDigest, 5),
        true,
        "each link has its own tries",
      );
      assert.equal(await store.links.countTry("unknown", 5), false);
      assert.deepEqual(await store.links.findLink(link.tokenDigest), link);
    },
  },
  {
    name: "accepts one of ten simultaneous joins with one email",
    check: async (store) => {
      await store.sites.insertAccount(newAccount());
      const links = Array.from({ length: 10 }, () => newLink());
      for (const link of links) await store.links.insertLink(link);
      const email = "wanted@example.org";
      const uses = links.map((link) =>
        store.links.join(link.tokenDigest, T0, newMember({ email }), newEntry()),
      );
      assert.deepEqual((await Promise.all(uses)).sort(), [
        ...Array(9).fill("email_taken"),
        "stored",
      ]);
    },
  },
];

/** The guarantees of every store of links. */
export const LINK_GUARANTEES: readonly Guarantee[] = [...KEEPING, ...USING, ...LINK_RACES];
