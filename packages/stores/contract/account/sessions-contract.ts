import assert from "node:assert/strict";
import { SESSION_MS } from "@stile/core/domain/account/session";
import { type Guarantee, T0 } from "../contract-fixtures.ts";
import {
  changed,
  newEntry,
  newMember,
  newSession,
  seedMembers,
  seedSession,
  subjectsOf,
} from "./account-fixtures.ts";

const KEEPING: readonly Guarantee[] = [
  {
    name: "begins a session together with its member's change and its audit entry",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      assert.ok(member);
      const session = newSession(member, { device: "Fi\"re'fox" });
      const after = changed(member, { lastSignInAtMs: T0 });
      assert.equal(
        await store.sessions.startSession(session, after, 1, newEntry({ subject: "in" })),
        "stored",
      );
      assert.deepEqual(await store.sessions.findSession(session.tokenDigest), session);
      assert.deepEqual(await store.members.findMember(member.userId), after);
      const late = newSession(member);
      assert.equal(
        await store.sessions.startSession(late, changed(member), 1, newEntry()),
        "conflict",
      );
      assert.equal(await store.sessions.findSession(late.tokenDigest), undefined);
      const stranger = newMember();
      assert.equal(
        await store.sessions.startSession(newSession(stranger), stranger, 1, newEntry()),
        "conflict",
      );
      assert.deepEqual(await subjectsOf(store), ["in"]);
    },
  },
  {
    name: "lists a member's sessions, last seen first, and nobody else's",
    check: async (store) => {
      const [ada, bob] = await seedMembers(store, {}, {});
      assert.ok(ada && bob);
      const older = await seedSession(store, ada, { lastSeenAtMs: T0 + 1 });
      const newer = await seedSession(store, ada, { lastSeenAtMs: T0 + 2 });
      await seedSession(store, bob);
      assert.deepEqual(await store.sessions.listSessions(ada.userId), [newer, older]);
      assert.deepEqual(await store.sessions.listSessions("usr_unknown"), []);
    },
  },
  {
    name: "records activity and proofs, takes neither back, and revives no session",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      assert.ok(member);
      const session = await seedSession(store, member);
      const find = () => store.sessions.findSession(session.tokenDigest);
      await store.sessions.touchSession(session.sessionId, { lastSeenAtMs: T0 + 5 });
      assert.deepEqual(await find(), { ...session, lastSeenAtMs: T0 + 5 });
      await store.sessions.touchSession(session.sessionId, {
        lastSeenAtMs: T0 + 7,
        provenAtMs: T0 + 7,
      });
      await store.sessions.touchSession(session.sessionId, {
        lastSeenAtMs: T0 + 6,
        provenAtMs: T0 + 6,
      });
      assert.deepEqual(await find(), { ...session, lastSeenAtMs: T0 + 7, provenAtMs: T0 + 7 });
      assert.equal(
        await store.sessions.removeSession(member.userId, session.sessionId, newEntry()),
        true,
      );
      await store.sessions.touchSession(session.sessionId, {
        lastSeenAtMs: T0 + 9,
        provenAtMs: T0 + 9,
      });
      assert.equal(await find(), undefined);
    },
  },
  {
    name: "ends a session once, of its own member only, and logs that in the audit log",
    check: async (store) => {
      const [ada, bob] = await seedMembers(store, {}, {});
      assert.ok(ada && bob);
      const session = await seedSession(store, ada);
      assert.equal(
        await store.sessions.removeSession(bob.userId, session.sessionId, newEntry()),
        false,
      );
      assert.ok(await store.sessions.findSession(session.tokenDigest));
      assert.equal(
        await store.sessions.removeSession(
          ada.userId,
          session.sessionId,
          newEntry({ subject: "out" }),
        ),
        true,
      );
      assert.equal(
        await store.sessions.removeSession(ada.userId, session.sessionId, newEntry()),
        false,
      );
      assert.deepEqual(await subjectsOf(store), ["out"]);
    },
  },
  {
    name: "ends all sessions of a member but one, returns how many, and logs it if there were any",
    check: async (store) => {
      const [ada, bob] = await seedMembers(store, {}, {});
      assert.ok(ada && bob);
      const [kept, foreign] = [await seedSession(store, ada), await seedSession(store, bob)];
      for (let begun = 0; begun < 3; begun++) await seedSession(store, ada);
      const end = () =>
        store.sessions.removeOtherSessions(
          ada.userId,
          kept.sessionId,
          newEntry({ subject: "ended" }),
        );
      assert.equal(await end(), 3);
      assert.equal(await end(), 0);
      assert.deepEqual(await store.sessions.listSessions(ada.userId), [kept]);
      assert.ok(await store.sessions.findSession(foreign.tokenDigest));
      assert.deepEqual(await subjectsOf(store), ["ended"]);
    },
  },
  {
    name: "prunes sessions past their idle or absolute life, to the millisecond",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      assert.ok(member);
      const nowMs = T0 + SESSION_MS.absolute;
      const idle = { createdAtMs: nowMs - SESSION_MS.idle, lastSeenAtMs: nowMs - SESSION_MS.idle };
      const living = [
        await seedSession(store, member, { ...idle, lastSeenAtMs: idle.lastSeenAtMs + 1 }),
        await seedSession(store, member, { createdAtMs: T0 + 1, lastSeenAtMs: nowMs }),
      ];
      await seedSession(store, member, idle);
      await seedSession(store, member, { createdAtMs: T0, lastSeenAtMs: nowMs });
      assert.equal(await store.sessions.prune(nowMs), 2);
      const kept = (await store.sessions.listSessions(member.userId)).map(
        ({ sessionId }) => sessionId,
      );
      assert.deepEqual(kept.sort(), living.map(({ sessionId }) => sessionId).sort());
    },
  },
];

/** Guarantees that a store breaks if it reads, waits and then writes. */
export const SESSION_RACES: readonly Guarantee[] = [
  {
    name: "begins one of 20 simultaneous sessions from one revision of their member",
    check: async (store) => {
      const [member] = await seedMembers(store, {});
      assert.ok(member);
      const starts = Array.from({ length: 20 }, () =>
        store.sessions.startSession(newSession(member), changed(member), 1, newEntry()),
      );
      assert.deepEqual((await Promise.all(starts)).sort(), [
        ...Array(19).fill("conflict"),
        "stored",
      ]);
      assert.equal((await store.sessions.listSessions(member.userId)).length, 1);
    },
  },
];

/** The guarantees of every store of sessions. */
export const SESSION_GUARANTEES: readonly Guarantee[] = [...KEEPING, ...SESSION_RACES];
