import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { clientAt, codeAt, createAccountWorld, PASSWORD } from "@stile/testkit/world/account-world";
import { changePassword } from "../member/change-password.ts";
import { changeProfile } from "../member/change-profile.ts";
import { findSession } from "../session/find-session.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";

const ADA = "ada@example.org";
const WRONG = "wrong horse battery";
const MINUTE_MS = 60_000;

test("the right email and password begin a session, whatever the email's case, spaces and spelling", async () => {
  const world = await createAccountWorld();
  // Members could join with such an email before there was a rule about letters.
  const { member } = await world.addOwner();
  const spelled = { ...member, email: "jos\u00e9@example.org", revision: member.revision + 1 };
  assert.equal(await world.store.members.replaceMember(spelled, member.revision), "stored");
  const answer = await world.signIn("  JOSE\u0301@Example.org ");
  assert.ok(answer.kind === "signed_in");
  const signedIn = await findSession(world.ports, answer.token);
  assert.deepEqual(signedIn, { member: answer.member, session: answer.session });
  assert.equal(answer.member.lastSignInAtMs, world.clock.nowMs());
});

test("an unknown email, a member without a password and a wrong password get one answer for one hash each", async () => {
  const world = await createAccountWorld();
  const { member } = await world.addOwner(ADA);
  const bare = { ...member, email: "bare@example.org", userId: "usr_bare", passwordHash: null };
  const { token } = await makeInvitation(world);
  const entry = { ...(await world.audit())[0]!, subject: bare.email };
  assert.equal(await world.store.links.join(token, world.clock.nowMs(), bare, entry), "stored");
  let hashes = 0;
  const { verify } = world.ports.passwords;
  const passwords = {
    ...world.ports.passwords,
    verify: (...args: Parameters<typeof verify>) => {
      hashes += 1;
      return verify(...args);
    },
  };
  for (const email of [ADA, "bare@example.org", "nobody@example.org", "no email at all"]) {
    const before = hashes;
    const client = world.newClient();
    const claim = { email, password: WRONG, puzzle: world.work(client) };
    const answer = await signInWithPassword({ ...world.ports, passwords }, claim, client);
    assert.deepEqual(answer, { kind: "wrong_credentials" });
    assert.equal(hashes - before, 1, email);
  }
});

async function makeInvitation(world: Awaited<ReturnType<typeof createAccountWorld>>) {
  const token = "digest of an invitation";
  const life = { createdAtMs: world.clock.nowMs(), expiresAtMs: world.clock.nowMs() + MINUTE_MS };
  const link = {
    linkId: "lnk_1",
    tokenDigest: token,
    purpose: "invite",
    accountId: "acc_world",
    userId: null,
    removesSecondFactors: false,
    madeBy: null,
  } as const;
  await world.store.links.insertLink({ ...link, ...life, role: "viewer" });
  return { token };
}

test("an unknown email has exactly the limits of a known one, so the limit reveals nothing", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  const kindsOf = async (email: string): Promise<string[]> => {
    const kinds: string[] = [];
    for (let attempt = 0; attempt < 7; attempt++)
      kinds.push((await world.signIn(email, WRONG)).kind);
    return kinds;
  };
  const expected = [...Array(5).fill("wrong_credentials"), "limited", "limited"];
  assert.deepEqual(await kindsOf(ADA), expected);
  assert.deepEqual(await kindsOf("nobody@example.org"), expected);
});

test("one client gets ten attempts a minute, for any emails, and learns when to return", async () => {
  const world = await createAccountWorld();
  const client = clientAt("198.51.100.1");
  for (let attempt = 0; attempt < 10; attempt++) {
    const answer = await world.signIn(`nobody${attempt}@example.org`, WRONG, client);
    assert.equal(answer.kind, "wrong_credentials");
  }
  const refused = await world.signIn("nobody@example.org", WRONG, client);
  assert.ok(refused.kind === "limited");
  assert.ok(refused.limit.resetsInMs > 0 && refused.limit.resetsInMs <= MINUTE_MS);
  assert.equal(
    (await world.signIn("nobody@example.org", WRONG, clientAt("198.51.100.2"))).kind,
    "wrong_credentials",
  );
});

test("guesses from one network, even at once, get five tries in 15 minutes, and then even the right one fails", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  const attempts = await Promise.all(Array.from({ length: 30 }, () => world.signIn(ADA, WRONG)));
  assert.equal(attempts.filter(({ kind }) => kind !== "limited").length, 5);
  const right = await world.signIn(ADA);
  assert.ok(right.kind === "limited");
  assert.ok(right.limit.resetsInMs <= MINUTE_MS);
  world.clock.advance(30 * MINUTE_MS);
  assert.equal((await world.signIn(ADA)).kind, "signed_in", "the budget comes back");
});

test("guesses from any number of networks get 25 tries in 15 minutes; a few networks alone lock no other out", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  const guess = async (network: number): Promise<string> =>
    (await world.signIn(ADA, WRONG, clientAt(`198.18.${network}.${1 + (network % 250)}`))).kind;
  const kinds: string[] = [];
  for (let attempt = 0; attempt < 20; attempt++) kinds.push(await guess(attempt % 4));
  assert.deepEqual(kinds, Array(20).fill("wrong_credentials"));
  assert.equal((await world.signIn(ADA, PASSWORD, clientAt("198.18.50.1"))).kind, "signed_in");
  for (let network = 100; network < 140; network++) kinds.push(await guess(network));
  assert.equal(
    kinds.filter((kind) => kind === "wrong_credentials").length,
    24,
    "with the right one, 25",
  );
});

test("with an authenticator app the password alone is not enough, and a wrong code is a wrong credential", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const { secret } = await world.enableTotp(owner);
  world.clock.advance(30_000);
  assert.equal((await world.signIn(ADA)).kind, "second_factor_needed");
  assert.equal(
    (await world.signIn(ADA, WRONG)).kind,
    "wrong_credentials",
    "nothing is told before the password is right",
  );
  const code = codeAt(secret, world.clock.nowMs());
  const wrongCode = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  assert.equal(
    (await world.signIn(ADA, PASSWORD, world.newClient(), wrongCode)).kind,
    "wrong_credentials",
  );
  assert.equal((await world.signIn(ADA, PASSWORD, world.newClient(), code)).kind, "signed_in");
});

test("no code works twice: not after enrolment, after a sign-in or at the same moment, and no older one", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const { secret } = await world.enableTotp(owner);
  const enrolled = codeAt(secret, world.clock.nowMs());
  assert.equal(
    (await world.signIn(ADA, PASSWORD, world.newClient(), enrolled)).kind,
    "wrong_credentials",
  );
  world.clock.advance(90_000);
  const [older, code] = [
    codeAt(secret, world.clock.nowMs() - 30_000),
    codeAt(secret, world.clock.nowMs()),
  ];
  const both = await Promise.all(
    Array.from({ length: 2 }, () => world.signIn(ADA, PASSWORD, world.newClient(), code)),
  );
  assert.deepEqual(both.map(({ kind }) => kind).sort(), ["signed_in", "wrong_credentials"]);
  assert.equal(
    (await world.signIn(ADA, PASSWORD, world.newClient(), older)).kind,
    "wrong_credentials",
  );
});

test("guesses at codes with the right password have the limits of passwords", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  await world.enableTotp(owner);
  const kinds: string[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    kinds.push((await world.signIn(ADA, PASSWORD, world.newClient(), `00000${attempt}`)).kind);
  }
  assert.deepEqual(kinds.slice(5), ["limited", "limited"]);
});

test("each sign-in begins a session of its own, and no text from a client becomes one (no fixation)", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const answers = [await world.signIn(ADA), await world.signIn(ADA)];
  const tokens = [
    owner.token,
    ...answers.map((answer) => (answer.kind === "signed_in" ? answer.token : "")),
  ];
  assert.equal(new Set(tokens).size, 3);
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  const kept = JSON.stringify(await world.store.sessions.listSessions(owner.member.userId));
  for (const token of tokens) assert.equal(kept.includes(token), false, "only digests are kept");
});

test("two sign-ins of one member at the same moment both succeed", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  const answers = await Promise.all([world.signIn(ADA), world.signIn(ADA)]);
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ["signed_in", "signed_in"],
  );
});

test("if a password changes while the former one is being checked, the former one does not sign in", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const { verify } = world.ports.passwords;
  const passwords = {
    ...world.ports.passwords,
    verify: async (...args: Parameters<typeof verify>) => {
      const isRight = await verify(...args);
      const signedIn = await world.refresh(owner.token);
      const choice = { password: "a new and better one", currentPassword: PASSWORD };
      assert.equal(await changePassword(world.ports, signedIn, choice), "changed");
      return isRight;
    },
  };
  const client = world.newClient();
  const claim = { email: ADA, password: PASSWORD, puzzle: world.work(client) };
  const answer = await signInWithPassword({ ...world.ports, passwords }, claim, client);
  assert.equal(answer.kind, "wrong_credentials");
  assert.equal((await world.store.sessions.listSessions(owner.member.userId)).length, 1);
});

test("the audit log shows sign-ins and failures of known emails, and nothing of unknown ones or of typed text", async () => {
  const world = await createAccountWorld();
  await world.addOwner(ADA);
  await world.signIn(ADA, WRONG);
  await world.signIn("nobody@example.org", WRONG);
  await nextTurn();
  const entries = await world.audit();
  assert.deepEqual(
    entries.map(({ action, actor, subject }) => [action, actor.name, subject]),
    [
      ["sign_in_failed", "somebody", ADA],
      ["signed_in", ADA, "Chrome on Linux"],
      ["member_joined", ADA, ADA],
    ],
  );
  const text = JSON.stringify(entries);
  for (const secret of [WRONG, PASSWORD, "nobody", "203.0.113", "$argon2id"])
    assert.equal(text.includes(secret), false);
});

test("nobody can pose as the command line or another member in the audit log by choosing a name", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner(ADA);
  const viewer = await world.addMember(owner, "viewer", "vic@example.org");
  for (const name of ["command line", ADA]) {
    const signedIn = await world.refresh(viewer.token);
    const profile = { name, email: "vic@example.org" };
    assert.equal((await changeProfile(world.ports, signedIn, profile)).kind, "changed");
    assert.equal((await world.audit())[0]?.actor.name, "vic@example.org");
  }
  const signedIn = await world.refresh(viewer.token);
  const answer = await changeProfile(world.ports, signedIn, { name: "Vic", email: "command line" });
  assert.equal(answer.kind, "invalid");
});
