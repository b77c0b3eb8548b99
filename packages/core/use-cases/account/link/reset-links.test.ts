import assert from "node:assert/strict";
import { test } from "node:test";
import { codeAt, createAccountWorld, PARTY, PASSWORD } from "@stile/testkit/world/account-world";
import { createAuthenticator } from "@stile/testkit/world/authenticator";
import { changePassword } from "../member/change-password.ts";
import { beginPasskeySignIn } from "../sign-in/sign-in-with-passkey.ts";
import { acceptLink, type LinkChoice } from "./accept-link.ts";
import { findLink } from "./find-link.ts";
import { makeOperatorResetLink } from "./make-operator-reset-link.ts";
import { makeResetLink, type ResetLinkTerms } from "./make-reset-link.ts";

const NEW_PASSWORD = "a new and better one";

/** An account whose developer has an authenticator app and a passkey, and a reset link for them. */
async function guarded(terms: ResetLinkTerms = {}) {
  const world = await createAccountWorld();
  const owner = await world.addOwner();
  const developer = await world.addMember(owner, "developer");
  const { secret, recoveryCodes } = await world.enableTotp(developer);
  const authenticator = createAuthenticator();
  await world.enrol(developer, authenticator);
  world.clock.advance(60_000);
  const { ports } = world;
  const { userId, email } = developer.member;
  const made = await makeResetLink(ports, await world.refresh(owner.token), userId, terms);
  if (made.kind !== "made") throw new Error(made.kind);
  const accept = (choice: Partial<LinkChoice> = {}, token = made.token) =>
    acceptLink(
      ports,
      token,
      { email: "", name: "", password: NEW_PASSWORD, ...choice },
      world.newClient(),
    );
  const code = () => codeAt(secret, world.clock.nowMs());
  const passkeyAnswer = async () => {
    const { options, ticket } = await beginPasskeySignIn(ports, PARTY);
    return { ticket, response: authenticator.signIn(options), party: PARTY };
  };
  const ofLink = { token: made.token, accept };
  return {
    world,
    ports,
    owner,
    developer,
    userId,
    email,
    recoveryCodes,
    ...ofLink,
    code,
    passkeyAnswer,
  };
}

test("a reset link alone signs in no member with a second factor, and changes nothing", async () => {
  const { world, ports, token, email, userId, accept } = await guarded();
  const before = await ports.members.findMember(userId);
  assert.equal((await findLink(ports, token))?.secondFactor, "needed");
  assert.equal((await accept()).kind, "second_factor_needed");
  assert.equal((await accept({ code: "" })).kind, "second_factor_needed");
  // The person who opens a link could once send this. It is no longer part of the choice.
  const greedy = { removeSecondFactors: true, removesSecondFactors: true };
  assert.equal((await accept(greedy as Partial<LinkChoice>)).kind, "second_factor_needed");
  assert.deepEqual(await ports.members.findMember(userId), before);
  assert.equal((await world.signIn(email, NEW_PASSWORD)).kind, "wrong_credentials");
});

test("a password that the member chose ends earlier reset links, even one that removes the factors", async () => {
  for (const removesSecondFactors of [false, true]) {
    const terms = { removesSecondFactors, currentPassword: PASSWORD };
    const { world, ports, developer, email, accept, code } = await guarded(terms);
    const chosen = { password: "chosen by the member", currentPassword: PASSWORD };
    assert.equal(
      await changePassword(ports, await world.refresh(developer.token), chosen),
      "changed",
    );
    assert.equal((await accept({ code: code() })).kind, "link_expired");
    assert.equal((await world.signIn(email, NEW_PASSWORD)).kind, "wrong_credentials");
  }
});

test("with the app's code, a passkey or a recovery code a link signs in, and all factors keep working", async () => {
  for (const way of ["code", "passkey", "recovery"] as const) {
    const { world, email, recoveryCodes, accept, code, passkeyAnswer } = await guarded();
    const factor = {
      code: () => ({ code: code() }),
      passkey: async () => ({ passkey: await passkeyAnswer() }),
      recovery: () => ({ code: recoveryCodes[0] }),
    }[way];
    const answer = await accept(await factor());
    assert.ok(answer.kind === "signed_in", way);
    assert.ok(answer.member.totp !== null && answer.member.passkeys.length === 1);
    assert.equal(answer.recoveryCodesLeft, way === "recovery" ? 9 : undefined);
    assert.equal((await world.signIn(email, NEW_PASSWORD)).kind, "second_factor_needed");
  }
});

test("a factor used with a link is used up: neither its code nor its passkey answer works again", async () => {
  const { world, email, recoveryCodes, accept, code } = await guarded();
  const used = code();
  assert.equal((await accept({ code: used })).kind, "signed_in");
  assert.equal(
    (await world.signIn(email, NEW_PASSWORD, world.newClient(), used)).kind,
    "wrong_credentials",
  );
  const [recovery = ""] = recoveryCodes;
  assert.equal(
    (await world.signIn(email, NEW_PASSWORD, world.newClient(), recovery)).kind,
    "signed_in",
  );
  const second = await guarded();
  const passkey = await second.passkeyAnswer();
  assert.equal((await second.accept({ passkey })).kind, "signed_in");
  const { ports, userId } = second;
  const again = await makeOperatorResetLink(ports, userId, false);
  assert.equal((await second.accept({ passkey }, again?.token)).kind, "wrong_credentials");
});

test("a link allows five codes, however many addresses try them at once, and is then invalid", async () => {
  const { world, email, accept, code } = await guarded();
  const right = code();
  const wrong = Array.from({ length: 20 }, (_, at) =>
    String((Number(right) + 1 + at) % 1_000_000).padStart(6, "0"),
  );
  const answers = await Promise.all(wrong.map((guess) => accept({ code: guess })));
  assert.equal(answers.filter(({ kind }) => kind === "wrong_credentials").length, 5);
  assert.equal(answers.filter(({ kind }) => kind === "link_expired").length, 15);
  assert.equal((await accept({ code: right })).kind, "link_expired");
  const failures = (await world.audit()).filter(
    ({ action, subject }) => action === "sign_in_failed" && subject === email,
  );
  assert.equal(failures.length, 1, "one bounded record of them all");
});

test("a maker of links gains no further tries at a member's code by making more links", async () => {
  const { world, ports, owner, userId, accept, code } = await guarded();
  const right = Number(code());
  const answers: string[] = [];
  let token: string | undefined;
  for (let link = 0; link < 20; link++) {
    const made = await makeResetLink(ports, await world.refresh(owner.token), userId);
    token = made.kind === "made" ? made.token : undefined;
    for (let at = 0; at < 5; at++) {
      const guess = String((right + 1 + 5 * link + at) % 1_000_000).padStart(6, "0");
      answers.push((await accept({ code: guess }, token)).kind);
    }
  }
  assert.deepEqual(answers, [...Array(10).fill("wrong_credentials"), ...Array(90).fill("limited")]);
  assert.equal(
    (await accept({ code: code() }, token)).kind,
    "limited",
    "the right one comes too late",
  );
  world.clock.advance(30 * 60_000);
  assert.equal(
    (await accept({ code: code() }, token)).kind,
    "signed_in",
    "a try that was not checked does not count against the link",
  );
});

test("an invalid password costs no try of the code, and uses nothing up", async () => {
  const { accept, code } = await guarded();
  for (let at = 0; at < 6; at++)
    assert.equal((await accept({ password: "short", code: code() })).kind, "invalid");
  assert.equal((await accept({ code: code() })).kind, "signed_in");
});

test("another member's passkey or recovery code opens no link", async () => {
  const { world, ports, owner, accept } = await guarded();
  const authenticator = createAuthenticator();
  await world.enrol(owner, authenticator);
  const { options, ticket } = await beginPasskeySignIn(ports, PARTY);
  const passkey = { ticket, response: authenticator.signIn(options), party: PARTY };
  assert.equal((await accept({ passkey })).kind, "wrong_credentials");
  const other = await guarded();
  assert.equal((await accept({ code: other.recoveryCodes[0] })).kind, "wrong_credentials");
});

test("a link's maker may decide to remove the factors, with a separate proof and an audit entry", async () => {
  const { world, ports, owner, userId, token, accept } = await guarded();
  const signedIn = await world.refresh(owner.token);
  for (const proof of [{}, { currentPassword: "" }, { currentPassword: "wrong horse battery" }]) {
    const refused = await makeResetLink(ports, signedIn, userId, {
      removesSecondFactors: true,
      ...proof,
    });
    assert.equal(refused.kind, "wrong_credentials");
  }
  assert.ok(await findLink(ports, token), "a refused link replaces none");
  const terms = { removesSecondFactors: true, currentPassword: PASSWORD };
  const made = await makeResetLink(ports, signedIn, userId, terms);
  assert.ok(made.kind === "made");
  assert.equal((await findLink(ports, made.token))?.secondFactor, "removed");
  const answer = await accept({}, made.token);
  assert.ok(answer.kind === "signed_in");
  const { totp, passkeys, recoveryCodes } = answer.member;
  assert.deepEqual([totp, passkeys, recoveryCodes], [null, [], []]);
  const lines = await world.audit();
  const line = lines.find(({ action }) => action === "factor_removal_link_made");
  assert.deepEqual([line?.actor.name, line?.subject], ["ada@example.org", "developer@example.org"]);
  const change = lines.find(({ action }) => action === "password_changed");
  assert.deepEqual(change?.changes, [{ field: "secondFactors", before: "kept", after: "removed" }]);
});

test("an admin cannot make such a link for a higher rank, and guesses at their own password are counted", async () => {
  const { world, ports, owner, userId } = await guarded();
  const admin = await world.addMember(owner, "admin");
  const signedIn = await world.refresh(admin.token);
  const terms = { removesSecondFactors: true, currentPassword: PASSWORD };
  assert.equal(
    (await makeResetLink(ports, signedIn, owner.member.userId, terms)).kind,
    "not_allowed",
  );
  const kinds: string[] = [];
  for (let tries = 0; tries < 12; tries++) {
    kinds.push(
      (await makeResetLink(ports, signedIn, userId, { ...terms, currentPassword: "wrong horse" }))
        .kind,
    );
  }
  assert.deepEqual(kinds, [...Array(10).fill("wrong_credentials"), "limited", "limited"]);
  assert.equal(
    (await makeResetLink(ports, signedIn, userId, terms)).kind,
    "limited",
    "the right one comes too late",
  );
});

test("the operator's link keeps the factors, unless the operator asks to remove them", async () => {
  const { ports, userId, accept } = await guarded();
  const kept = await makeOperatorResetLink(ports, userId, false);
  assert.equal((await accept({}, kept?.token)).kind, "second_factor_needed");
  const bare = await makeOperatorResetLink(ports, userId, true);
  assert.equal((await accept({}, bare?.token)).kind, "signed_in");
  assert.equal(await makeOperatorResetLink(ports, "usr_nobody", true), undefined);
});

test("nobody makes a reset link for themselves, which would avoid the current password", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner("ada@example.org");
  const made = await makeResetLink(
    world.ports,
    await world.refresh(owner.token),
    owner.member.userId,
  );
  assert.equal(made.kind, "not_allowed");
});
