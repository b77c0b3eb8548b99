import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccountWorld, PARTY, PASSWORD } from "@stile/testkit/world/account-world";
import { createAuthenticator } from "@stile/testkit/world/authenticator";
import { endMemberSessions } from "../session/end-member-sessions.ts";
import { findSession } from "../session/find-session.ts";
import { beginPasskeySignIn, finishPasskeySignIn } from "../sign-in/sign-in-with-passkey.ts";
import { demandSecondFactor } from "./demand-second-factor.ts";
import { disableTotp } from "./disable-totp.ts";
import { removePasskey } from "./remove-passkey.ts";

const VIC = "vic@example.org";

/** An owner with an app, a viewer with only a passkey, a developer without a second factor. */
async function household() {
  const world = await createAccountWorld();
  const owner = await world.addOwner();
  await world.enableTotp(owner);
  const viewer = await world.addMember(owner, "viewer", VIC);
  const authenticator = createAuthenticator();
  const added = await world.enrol(viewer, authenticator);
  const developer = await world.addMember(owner, "developer");
  const demand = async (isDemanded: boolean) =>
    demandSecondFactor(world.ports, await world.refresh(owner.token), isDemanded);
  const codes = added.kind === "added" ? (added.recoveryCodes ?? []) : [];
  return { world, ports: world.ports, owner, viewer, developer, authenticator, codes, demand };
}

test("a member without a second factor cannot demand one of others", async () => {
  const world = await createAccountWorld();
  const owner = await world.addOwner();
  const signedIn = await world.refresh(owner.token);
  assert.equal(await demandSecondFactor(world.ports, signedIn, true), "factor_missing");
  assert.equal(await world.ports.members.isSecondFactorDemanded(owner.member.accountId), false);
  await world.enableTotp(owner);
  assert.equal(
    await demandSecondFactor(world.ports, await world.refresh(owner.token), true),
    "set",
  );
  assert.equal(await world.ports.members.isSecondFactorDemanded(owner.member.accountId), true);
});

test("raising the demand ends the sessions that may have begun with a password alone, with one audit entry", async () => {
  const { world, ports, owner, viewer, developer, demand } = await household();
  await demand(true);
  await demand(true);
  assert.ok(await findSession(ports, owner.token));
  for (const { token } of [viewer, developer])
    assert.equal(await findSession(ports, token), undefined);
  await demand(false);
  const lines = (await world.audit()).filter(({ action }) => action === "account_changed");
  assert.deepEqual(
    lines.map(({ subject, changes }) => [subject, changes]),
    [
      ["Account acc_world", [{ field: "secondFactorDemanded", before: true, after: false }]],
      ["Account acc_world", [{ field: "secondFactorDemanded", before: false, after: true }]],
    ],
  );
});

test("under the demand a password alone signs in no member with a passkey; the passkey or a recovery code does", async () => {
  const { world, ports, authenticator, codes, demand } = await household();
  assert.equal(
    (await world.signIn(VIC)).kind,
    "signed_in",
    "a passkey alone does not disable the password",
  );
  await demand(true);
  assert.equal((await world.signIn(VIC)).kind, "second_factor_needed");
  assert.equal(
    (await world.signIn(VIC, PASSWORD, world.newClient(), "123456")).kind,
    "wrong_credentials",
  );
  assert.equal((await world.signIn(VIC, PASSWORD, world.newClient(), codes[0])).kind, "signed_in");
  const { options, ticket } = await beginPasskeySignIn(ports, PARTY);
  const response = authenticator.signIn(options);
  const entered = await finishPasskeySignIn(ports, PARTY, { ticket, response }, world.newClient());
  assert.equal(entered.kind, "signed_in");
});

test("a session begun with a password alone ends when another session adds a first factor, or an app", async () => {
  const { world, ports, viewer, developer, demand } = await household();
  const waiting = await world.signIn("developer@example.org");
  const early = await world.signIn(VIC);
  assert.ok(waiting.kind === "signed_in" && early.kind === "signed_in");
  await world.enrol(developer, createAuthenticator());
  await world.enableTotp(viewer);
  // A member with an app keeps their sessions when the demand begins.
  await demand(true);
  for (const { token } of [waiting, early])
    assert.equal(await findSession(ports, token), undefined);
  assert.ok(await findSession(ports, viewer.token), "the one that set it up stays");
});

test("a password alone begins no session during the demand, whichever of the two is written first", async () => {
  const { world, ports, demand } = await household();
  const { isSecondFactorDemanded } = ports.members;
  // The owner's write happens between the look at the demand and the start of the session.
  ports.members.isSecondFactorDemanded = async (accountId) => {
    ports.members.isSecondFactorDemanded = isSecondFactorDemanded;
    const before = await isSecondFactorDemanded(accountId);
    assert.equal(await demand(true), "set");
    return before;
  };
  assert.equal((await world.signIn(VIC)).kind, "second_factor_needed");
  const { userId } = (await ports.members.findMemberByEmail(VIC)) ?? assert.fail();
  assert.deepEqual(await ports.sessions.listSessions(userId), []);
});

test("a member without a factor still signs in, to set one up", async () => {
  const { world, demand } = await household();
  await demand(true);
  assert.equal((await world.signIn("developer@example.org")).kind, "signed_in");
});

test("under the demand the last factor cannot be removed, and any other can", async () => {
  const { world, ports, owner, demand } = await household();
  await demand(true);
  const refresh = () => world.refresh(owner.token);
  assert.equal(await disableTotp(ports, await refresh()), "demanded");
  const authenticator = createAuthenticator();
  await world.enrol(owner, authenticator);
  assert.equal(await disableTotp(ports, await refresh()), "disabled");
  assert.equal(await removePasskey(ports, await refresh(), authenticator.passkeyId), "demanded");
  await demand(false);
  assert.equal(await removePasskey(ports, await refresh(), authenticator.passkeyId), "removed");
});

test("the demand of one account does not affect another", async () => {
  const { world, demand } = await household();
  await world.addAccount("acc_other");
  const stranger = await world.addOwner("eve@example.org", "acc_other");
  await world.enrol(stranger, createAuthenticator());
  await demand(true);
  assert.ok(await findSession(world.ports, stranger.token));
  assert.equal((await world.signIn("eve@example.org")).kind, "signed_in");
});

test("an admin ends every session of lower ranks, and an owner every session but the current one", async () => {
  const { world, ports, owner, viewer, developer } = await household();
  const admin = await world.addMember(owner, "admin");
  const second = await world.signIn(VIC);
  assert.ok(second.kind === "signed_in");
  const as = (session: typeof owner) => world.refresh(session.token);
  const end = async (by: typeof owner, userId: string) =>
    endMemberSessions(ports, await as(by), userId);
  assert.deepEqual(await end(admin, viewer.member.userId), { kind: "ended", count: 2 });
  for (const { token } of [viewer, second])
    assert.equal(await findSession(ports, token), undefined);
  assert.deepEqual(await end(admin, viewer.member.userId), { kind: "ended", count: 0 });
  assert.equal((await end(admin, owner.member.userId)).kind, "not_allowed");
  assert.equal((await end(developer, admin.member.userId)).kind, "not_allowed");
  assert.equal((await end(admin, "usr_nobody")).kind, "not_found");
  assert.deepEqual(
    await end(owner, owner.member.userId),
    { kind: "ended", count: 0 },
    "its own one stays",
  );
  const lines = (await world.audit()).filter(({ action }) => action === "member_sessions_ended");
  assert.deepEqual(
    lines.map(({ actor, subject }) => [actor.name, subject]),
    [["admin@example.org", VIC]],
  );
});
