import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccountWorld, PARTY, PASSWORD } from "@stile/testkit/world/account-world";
import { createAuthenticator } from "@stile/testkit/world/authenticator";
import type { OwnProof } from "../../../services/account/session/own-proof.ts";
import { changePassword } from "../member/change-password.ts";
import { removeMember } from "../member/remove-member.ts";
import { signOut } from "../sign-in/sign-out.ts";
import { findSession } from "./find-session.ts";
import { listSessions } from "./list-sessions.ts";
import { beginPasskeyProof } from "./prove-by-passkey.ts";
import { proveByPassword } from "./prove-by-password.ts";
import { revokeOtherSessions } from "./revoke-other-sessions.ts";
import { revokeSession } from "./revoke-session.ts";

const ADA = "ada@example.org";
const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;

/** A world with an owner who is signed in twice. */
async function twice() {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const second = await world.signIn(ADA);
  assert.ok(second.kind === "signed_in");
  return { world, ports: world.ports, first: owner, second };
}

test("a session that is idle for 30 minutes has ended: valid a millisecond before, and not at that moment or after", async () => {
  for (const [restMs, isAlive] of [
    [IDLE_MS - 1, true],
    [IDLE_MS, false],
    [IDLE_MS + 1, false],
  ] as const) {
    const { world, ports, first } = await twice();
    world.clock.advance(restMs);
    assert.equal((await findSession(ports, first.token)) !== undefined, isAlive, `${restMs}`);
    assert.equal(
      (await findSession(ports, first.token)) !== undefined,
      isAlive,
      "asking revives nothing",
    );
  }
});

test("a session in constant use ends after 12 hours, to the millisecond", async () => {
  for (const [lastMs, isAlive] of [
    [ABSOLUTE_MS - 1, true],
    [ABSOLUTE_MS, false],
    [ABSOLUTE_MS + 1, false],
  ] as const) {
    const { world, ports, first } = await twice();
    const startMs = world.clock.nowMs();
    for (let passedMs = 0; passedMs < ABSOLUTE_MS - IDLE_MS; passedMs += IDLE_MS - 1) {
      world.clock.setTo(startMs + passedMs);
      assert.ok(await findSession(ports, first.token));
    }
    world.clock.setTo(startMs + ABSOLUTE_MS - 60_000);
    assert.ok(await findSession(ports, first.token));
    world.clock.setTo(startMs + lastMs);
    assert.equal((await findSession(ports, first.token)) !== undefined, isAlive, `${lastMs}`);
  }
});

test("activity is recorded at most once a minute, and proves nothing", async () => {
  const { world, ports, first } = await twice();
  const { createdAtMs, provenAtMs } = first.session;
  world.clock.advance(59_999);
  assert.equal((await findSession(ports, first.token))?.session.lastSeenAtMs, createdAtMs);
  world.clock.advance(1);
  await findSession(ports, first.token);
  const stored = await world.store.sessions.findSession(first.session.tokenDigest);
  assert.deepEqual([stored?.lastSeenAtMs, stored?.provenAtMs], [createdAtMs + 60_000, provenAtMs]);
});

test("only the token itself finds a session: not its digest, its id, or another spelling", async () => {
  const { ports, first } = await twice();
  const { tokenDigest, sessionId } = first.session;
  const spellings = [
    tokenDigest,
    sessionId,
    `${first.token}=`,
    ` ${first.token}`,
    first.token.toLowerCase(),
    "",
  ];
  for (const text of spellings) assert.equal(await findSession(ports, text), undefined, text);
});

test("after signing out the token stops working, and other sessions continue", async () => {
  const { world, ports, first, second } = await twice();
  await signOut(ports, await world.refresh(first.token));
  assert.equal(await findSession(ports, first.token), undefined);
  assert.ok(await findSession(ports, second.token));
});

test("a revoked session cannot be used, and revoking it again finds nothing", async () => {
  const { world, ports, first, second } = await twice();
  const signedIn = await world.refresh(first.token);
  assert.equal(await revokeSession(ports, signedIn, second.session.sessionId), "revoked");
  assert.equal(await findSession(ports, second.token), undefined);
  assert.equal(await revokeSession(ports, signedIn, second.session.sessionId), "not_found");
});

test("nobody ends another member's session, not even in the same account", async () => {
  const { world, ports, first } = await twice();
  const viewer = await world.addMember(first, "viewer");
  const answer = await revokeSession(
    ports,
    await world.refresh(viewer.token),
    first.session.sessionId,
  );
  assert.equal(answer, "not_found");
  assert.ok(await findSession(ports, first.token));
});

test("ending all others ends exactly those, and returns how many", async () => {
  const { world, ports, first, second } = await twice();
  const viewer = await world.addMember(first, "viewer");
  const signedIn = await world.refresh(first.token);
  assert.equal(await revokeOtherSessions(ports, signedIn), 1);
  assert.equal(await revokeOtherSessions(ports, signedIn), 0);
  assert.equal(await findSession(ports, second.token), undefined);
  for (const token of [first.token, viewer.token]) assert.ok(await findSession(ports, token));
});

test("lists only the member's valid sessions, with the current one marked", async () => {
  const { world, ports, first, second } = await twice();
  await world.addMember(first, "viewer");
  world.clock.advance(IDLE_MS - 1);
  const signedIn = await world.refresh(second.token);
  world.clock.advance(1);
  const listed = await listSessions(ports, signedIn);
  assert.deepEqual(
    listed.map(({ sessionId, isCurrent, expiresAtMs }) => [sessionId, isCurrent, expiresAtMs]),
    [[second.session.sessionId, true, world.clock.nowMs() - 1 + IDLE_MS]],
  );
  assert.equal(JSON.stringify(listed).includes(second.session.tokenDigest), false);
});

test("a new password ends the other sessions in the same step, and the former one stops working", async () => {
  const { world, ports, first, second } = await twice();
  const outcome = await changePassword(ports, await world.refresh(first.token), {
    password: "a new and better one",
    currentPassword: PASSWORD,
  });
  assert.equal(outcome, "changed");
  assert.ok(await findSession(ports, first.token));
  assert.equal(await findSession(ports, second.token), undefined);
  assert.equal((await world.signIn(ADA)).kind, "wrong_credentials");
  assert.equal((await world.signIn(ADA, "a new and better one")).kind, "signed_in");
});

test("a new password always needs the current one, however fresh the proof; wrong ones count as proofs do", async () => {
  const { world, ports, first, second } = await twice();
  const signedIn = await world.refresh(first.token);
  assert.equal((await proveByPassword(ports, signedIn, PASSWORD)).kind, "proven");
  const password = "a new and better one";
  const outcomes: unknown[] = [];
  for (const currentPassword of [
    undefined,
    "",
    password,
    ...Array(7).fill("wrong horse battery"),
  ]) {
    outcomes.push(await changePassword(ports, signedIn, { password, currentPassword }));
  }
  assert.deepEqual(outcomes, [...Array(9).fill("wrong_credentials"), "limited"]);
  assert.equal(
    await changePassword(ports, signedIn, { password, currentPassword: PASSWORD }),
    "limited",
  );
  assert.ok(await findSession(ports, second.token), "nothing has changed");
  assert.equal((await world.signIn(ADA)).kind, "signed_in");
});

test("a member without a password proves with a passkey, made for this session and used once", async () => {
  const { world, ports, first } = await twice();
  const authenticator = createAuthenticator();
  await world.enrol(first, authenticator);
  const { member } = await world.refresh(first.token);
  const bare = { ...member, passwordHash: null, revision: member.revision + 1 };
  assert.equal(await ports.members.replaceMember(bare, member.revision), "stored");
  const refresh = () => world.refresh(first.token);
  const password = "a new and better one";
  const change = async (proof: OwnProof) =>
    changePassword(ports, await refresh(), { password, ...proof });
  assert.equal(await change({ currentPassword: PASSWORD }), "wrong_credentials");
  const { options, ticket } = await beginPasskeyProof(ports, PARTY, await refresh());
  const passkey = { ticket, response: authenticator.signIn(options), party: PARTY };
  assert.equal(await change({ passkey: { ...passkey, response: {} } }), "wrong_credentials");
  const again = await beginPasskeyProof(ports, PARTY, await refresh());
  const right = {
    ticket: again.ticket,
    response: authenticator.signIn(again.options),
    party: PARTY,
  };
  assert.equal(await change({ passkey: right }), "changed");
  assert.equal(
    await change({ passkey: right }),
    "wrong_credentials",
    "there is a password now, and it is asked for",
  );
});

test("a bad password changes nothing and says why", async () => {
  const { world, ports, first } = await twice();
  const signedIn = await world.refresh(first.token);
  for (const password of ["short", "x".repeat(257), ADA, "Password123"]) {
    const answer = await changePassword(ports, signedIn, { password, currentPassword: PASSWORD });
    assert.ok(typeof answer === "object" && answer.problems[0]?.field === "password", password);
  }
  assert.equal((await world.signIn(ADA)).kind, "signed_in");
});

test("a proof by password makes the session fresh, and a wrong one does not", async () => {
  const { world, ports, first } = await twice();
  world.clock.advance(15 * 60_000);
  const signedIn = await world.refresh(first.token);
  assert.deepEqual(await proveByPassword(ports, signedIn, "wrong horse battery"), {
    kind: "wrong_credentials",
  });
  assert.equal((await world.refresh(first.token)).session.provenAtMs, first.session.provenAtMs);
  const proof = await proveByPassword(ports, signedIn, PASSWORD);
  assert.ok(proof.kind === "proven");
  assert.deepEqual((await world.refresh(first.token)).session, proof.session);
  assert.equal(proof.session.provenAtMs, world.clock.nowMs());
});

test("a stolen session gets ten guesses at its member's password, and the real member can still prove", async () => {
  const { world, ports, first, second } = await twice();
  const stolen = await world.refresh(first.token);
  const kinds: string[] = [];
  for (let attempt = 0; attempt < 12; attempt++)
    kinds.push((await proveByPassword(ports, stolen, "a guess")).kind);
  assert.deepEqual(kinds, [...Array(10).fill("wrong_credentials"), "limited", "limited"]);
  assert.equal(
    (await proveByPassword(ports, await world.refresh(second.token), PASSWORD)).kind,
    "proven",
  );
});

test("a proof after the end of the session does not revive it", async () => {
  const { world, ports, first, second } = await twice();
  const stolen = await world.refresh(first.token);
  await revokeOtherSessions(ports, await world.refresh(second.token));
  await proveByPassword(ports, stolen, PASSWORD);
  assert.equal(await findSession(ports, first.token), undefined);
});

test("a removed member's sessions end at once", async () => {
  const { world, ports, first } = await twice();
  const viewer = await world.addMember(first, "viewer");
  assert.deepEqual(
    await removeMember(ports, await world.refresh(first.token), viewer.member.userId),
    {
      kind: "removed",
    },
  );
  assert.equal(await findSession(ports, viewer.token), undefined);
  assert.deepEqual(await world.store.sessions.listSessions(viewer.member.userId), []);
});
