import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ACCOUNT_ID,
  clientAt,
  createAccountWorld,
  PASSWORD,
} from "@stile/testkit/world/account-world";
import { changeRole } from "../member/change-role.ts";
import { hasMember } from "../member/has-member.ts";
import { inviteMember } from "../member/invite-member.ts";
import { listMembers } from "../member/list-members.ts";
import { removeMember } from "../member/remove-member.ts";
import { revokeInvitation } from "../member/revoke-invitation.ts";
import { findSession } from "../session/find-session.ts";
import { viewAudit } from "../view-audit.ts";
import { acceptLink, type LinkChoice } from "./accept-link.ts";
import { findLink } from "./find-link.ts";
import { makeResetLink, type ResetLinkTerms } from "./make-reset-link.ts";
import { makeSetupLink } from "./make-setup-link.ts";

const NEW_PASSWORD = "a new and better one";
const BOB = { email: "bob@example.org", name: "Bob", password: PASSWORD };

/** An account with an owner and a developer. */
async function household() {
  const world = await createAccountWorld();
  const owner = await world.addOwner();
  const developer = await world.addMember(owner, "developer");
  const accept = (token: string, choice: Partial<LinkChoice> = {}) =>
    acceptLink(world.ports, token, { ...BOB, ...choice }, world.newClient());
  const invite = async (role: "viewer" | "admin" = "viewer") => {
    const invited = await inviteMember(world.ports, owner, role);
    if (invited.kind !== "invited") throw new Error(invited.kind);
    return invited;
  };
  const reset = async (by = owner, terms: ResetLinkTerms = {}) => {
    const made = await makeResetLink(
      world.ports,
      await world.refresh(by.token),
      developer.member.userId,
      terms,
    );
    if (made.kind !== "made") throw new Error(made.kind);
    return made;
  };
  return { world, ports: world.ports, owner, developer, accept, invite, reset };
}

/**
 * The same ports, and the number of passwords hashed through them: members wait in the same queue.
 */
function withCountedHashes(ports: Awaited<ReturnType<typeof household>>["ports"]) {
  let hashes = 0;
  const passwords: typeof ports.passwords = {
    ...ports.passwords,
    hash: (password) => {
      hashes += 1;
      return ports.passwords.hash(password);
    },
  };
  return { ports: { ...ports, passwords }, count: () => hashes };
}

test("a set-up link makes the first owner and signs them in, and then no longer exists", async () => {
  const world = await createAccountWorld();
  const made = await makeSetupLink(world.ports, ACCOUNT_ID);
  assert.ok(made);
  assert.equal(await hasMember(world.ports), false);
  const link = await findLink(world.ports, made.token);
  assert.deepEqual(
    [link?.purpose, link?.role, link?.email, link?.accountName],
    ["setup", "owner", null, "Account acc_world"],
  );
  const answer = await acceptLink(world.ports, made.token, BOB, world.newClient());
  assert.ok(answer.kind === "signed_in");
  const { role, accountId, email } = (await world.refresh(answer.token)).member;
  assert.deepEqual([role, accountId, email], ["owner", ACCOUNT_ID, BOB.email]);
  assert.equal(await makeSetupLink(world.ports, ACCOUNT_ID), undefined);
  assert.equal(await hasMember(world.ports), true);
});

test("a new set-up link ends the former one, and none makes a second owner", async () => {
  const world = await createAccountWorld();
  const former = await makeSetupLink(world.ports, ACCOUNT_ID);
  const latest = await makeSetupLink(world.ports, ACCOUNT_ID);
  assert.ok(former && latest);
  assert.equal(
    (await acceptLink(world.ports, former.token, BOB, world.newClient())).kind,
    "link_expired",
  );
  assert.equal(
    (await acceptLink(world.ports, latest.token, BOB, world.newClient())).kind,
    "signed_in",
  );
  // Stored as if it had been made a moment before the owner joined.
  await world.store.links.insertLink(latest.link);
  const eve = { ...BOB, email: "eve@example.org" };
  assert.equal(
    (await acceptLink(world.ports, latest.token, eve, world.newClient())).kind,
    "link_expired",
  );
});

test("the audit log names the inviter of a new member, and the role", async () => {
  const { world, ports, owner, accept } = await household();
  const admin = await world.addMember(owner, "admin");
  const invited = await inviteMember(ports, admin, "viewer");
  assert.ok(invited.kind === "invited");
  await accept(invited.token);
  const joined = (await viewAudit(ports, ACCOUNT_ID, { limit: 50 })).filter(
    ({ action }) => action === "member_joined",
  );
  assert.deepEqual(
    joined.map(({ subject, changes }) => [subject, ...changes.map(({ after }) => after)]),
    [
      [BOB.email, "viewer", "admin@example.org"],
      ["admin@example.org", "admin", "ada@example.org"],
      ["developer@example.org", "developer", "ada@example.org"],
      ["ada@example.org", "owner", "command line"],
    ],
  );
});

test("ten simultaneous uses of a link make one member", async () => {
  const { world, ports, invite } = await household();
  const { token } = await invite();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      acceptLink(ports, token, { ...BOB, email: `bob${at}@example.org` }, world.newClient()),
    ),
  );
  assert.deepEqual(answers.map(({ kind }) => kind).sort(), [
    ...Array(9).fill("link_expired"),
    "signed_in",
  ]);
  assert.equal((await world.store.members.listMembers(ACCOUNT_ID)).length, 3);
});

test("links live 15 minutes, 3 days and an hour, to the millisecond", async () => {
  for (const [purpose, lifeMs] of [
    ["setup", 900_000],
    ["invite", 259_200_000],
    ["reset", 3_600_000],
  ] as const) {
    for (const [offMs, isAlive] of [
      [-1, true],
      [0, false],
      [1, false],
    ] as const) {
      const { world, ports, invite, reset } = await household();
      await world.addAccount("acc_empty");
      const made = {
        setup: () => makeSetupLink(ports, "acc_empty"),
        invite: () => invite(),
        reset: () => reset(),
      };
      const token = (await made[purpose]())?.token ?? "";
      world.clock.advance(lifeMs + offMs);
      assert.equal((await findLink(ports, token)) !== undefined, isAlive, `${purpose} ${offMs}`);
      const answer = await acceptLink(ports, token, BOB, world.newClient());
      assert.equal(answer.kind, isAlive ? "signed_in" : "link_expired", `${purpose} ${offMs}`);
    }
  }
});

test("an invalid choice says why and does not use the link up", async () => {
  const { accept, invite } = await household();
  const { token } = await invite();
  const bad = await accept(token, { email: "no email", name: " ", password: "short" });
  assert.ok(bad.kind === "invalid");
  assert.deepEqual(
    bad.problems.map(({ field }) => field),
    ["email", "name", "password"],
  );
  assert.equal((await accept(token, { email: " ADA@example.org" })).kind, "email_taken");
  assert.equal((await accept(token)).kind, "signed_in");
});

test("an invited member gets the role and account of the link, whatever else they send", async () => {
  const { ports, invite, world } = await household();
  const { token } = await invite("viewer");
  const greedy = {
    ...BOB,
    role: "owner",
    accountId: "acc_other",
    userId: "usr_1",
    purpose: "setup",
  };
  const answer = await acceptLink(ports, token, greedy, world.newClient());
  assert.ok(answer.kind === "signed_in");
  assert.deepEqual([answer.member.role, answer.member.accountId], ["viewer", ACCOUNT_ID]);
});

test("a revoked invitation does not work, and a used one cannot be revoked", async () => {
  const { world, ports, owner, accept, invite } = await household();
  const [revoked, used] = [await invite(), await invite()];
  const signedIn = await world.refresh(owner.token);
  assert.equal(await revokeInvitation(ports, signedIn, revoked.link.linkId), "revoked");
  assert.equal((await accept(revoked.token)).kind, "link_expired");
  assert.equal((await accept(used.token)).kind, "signed_in");
  assert.equal(await revokeInvitation(ports, signedIn, used.link.linkId), "not_found");
});

test("a reset link gives a new password, keeps email and name, and ends all sessions", async () => {
  const { world, ports, developer, accept, reset } = await household();
  const { token } = await reset();
  assert.equal((await findLink(ports, token))?.email, developer.member.email);
  const answer = await accept(token, {
    email: "eve@example.org",
    name: "Eve",
    password: NEW_PASSWORD,
  });
  assert.ok(answer.kind === "signed_in");
  assert.equal(await findSession(ports, developer.token), undefined);
  assert.ok(await findSession(ports, answer.token));
  const { email, name } = answer.member;
  assert.deepEqual([email, name], [developer.member.email, developer.member.name]);
  assert.equal((await world.signIn(email)).kind, "wrong_credentials");
  assert.equal((await world.signIn(email, NEW_PASSWORD)).kind, "signed_in");
  assert.equal((await accept(token, { password: NEW_PASSWORD })).kind, "link_expired");
});

test("the password of a reset must follow the rules for its member", async () => {
  const { developer, accept, reset } = await household();
  const { token } = await reset();
  const answer = await accept(token, { password: developer.member.email });
  assert.equal(answer.kind, "invalid");
});

test("a new reset link ends the former one, and a removed member's link stops working", async () => {
  const { world, ports, owner, developer, accept, reset } = await household();
  const [former, latest] = [await reset(), await reset()];
  assert.equal((await accept(former.token)).kind, "link_expired");
  await removeMember(ports, await world.refresh(owner.token), developer.member.userId);
  assert.equal((await accept(latest.token)).kind, "link_expired");
});

test("a reset link made for a developer does not open the owner that the developer became", async () => {
  const { world, ports, owner, developer, accept, reset } = await household();
  const admin = await world.addMember(owner, "admin");
  const { token } = await reset(admin);
  const signedIn = await world.refresh(owner.token);
  assert.equal(
    (await changeRole(ports, signedIn, developer.member.userId, "owner")).kind,
    "changed",
  );
  assert.equal(await findLink(ports, token), undefined);
  assert.equal((await accept(token, { password: NEW_PASSWORD })).kind, "link_expired");
});

test("only the token opens a link, and wrong tries from an invited person's address do not lock them out", async () => {
  const { ports, invite } = await household();
  const { token, link } = await invite();
  const client = clientAt("198.51.100.3");
  for (const text of [link.tokenDigest, link.linkId, `${token}=`, token.slice(1), ""]) {
    assert.equal(await findLink(ports, text), undefined);
    assert.equal((await acceptLink(ports, text, BOB, client)).kind, "link_expired");
  }
  for (let attempt = 0; attempt < 50; attempt++) await acceptLink(ports, "x", BOB, client);
  assert.equal((await acceptLink(ports, token, BOB, client)).kind, "signed_in");
});

test("a link allows 30 tries in 15 minutes, from any address, and does not affect another link of that address", async () => {
  const { world, ports, invite } = await household();
  const [{ token }, other] = [await invite(), await invite()];
  const weak = { ...BOB, password: "short" };
  const tries = Array.from({ length: 31 }, () => acceptLink(ports, token, weak, world.newClient()));
  const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
  assert.deepEqual(kinds.sort(), [...Array(30).fill("invalid"), "limited"]);
  const client = clientAt("198.51.100.3");
  assert.equal((await acceptLink(ports, token, BOB, client)).kind, "limited");
  assert.equal(
    (await acceptLink(ports, other.token, { ...BOB, email: "o@example.org" }, client)).kind,
    "signed_in",
  );
  world.clock.advance(30 * 60_000);
  assert.equal((await acceptLink(ports, token, BOB, client)).kind, "signed_in");
});

test("links stop working when their maker is removed, or may no longer manage that role", async () => {
  for (const end of ["removed", "viewer", "developer"] as const) {
    const { world, ports, owner, developer, accept } = await household();
    const admin = await world.addMember(owner, "admin");
    const invited = await inviteMember(ports, admin, "developer");
    const made = await makeResetLink(ports, admin, developer.member.userId);
    assert.ok(invited.kind === "invited" && made.kind === "made");
    assert.equal((await listMembers(ports, ACCOUNT_ID)).invitations.length, 1);
    const { userId } = admin.member;
    if (end === "removed") await removeMember(ports, owner, userId);
    else await changeRole(ports, owner, userId, end);
    for (const token of [invited.token, made.token]) {
      assert.equal(await findLink(ports, token), undefined, end);
      assert.deepEqual(
        await accept(token, { email: "back@example.org" }),
        { kind: "link_expired" },
        end,
      );
    }
    assert.deepEqual((await listMembers(ports, ACCOUNT_ID)).invitations, [], end);
  }
});

test("a removed maker's link costs no hash, and reveals no member's email", async () => {
  const { world, ports, owner, developer } = await household();
  const admin = await world.addMember(owner, "admin");
  const invited = await inviteMember(ports, admin, "developer");
  const made = await makeResetLink(ports, admin, developer.member.userId);
  assert.ok(invited.kind === "invited" && made.kind === "made");
  await removeMember(ports, owner, admin.member.userId);
  const hashing = withCountedHashes(ports);
  const choice = { ...BOB, password: NEW_PASSWORD };
  for (const email of [owner.member.email, BOB.email]) {
    for (const { token } of [invited, made]) {
      const answer = await acceptLink(
        hashing.ports,
        token,
        { ...choice, email },
        world.newClient(),
      );
      assert.deepEqual(answer, { kind: "link_expired" });
    }
  }
  assert.equal(hashing.count(), 0);
});

test("a link made by a removed member's last call does not work", async () => {
  const { world, ports, owner, accept } = await household();
  const admin = await world.addMember(owner, "admin");
  await removeMember(ports, owner, admin.member.userId);
  // Their session was read a moment before.
  const invited = await inviteMember(ports, admin, "developer");
  assert.ok(invited.kind === "invited");
  assert.deepEqual(await accept(invited.token), { kind: "link_expired" });
});

test("an email that is taken costs no hash, for which members would wait, however often a link tries it", async () => {
  const { world, ports, owner, invite } = await household();
  const { token } = await invite();
  const hashing = withCountedHashes(ports);
  const choice = { ...BOB, email: owner.member.email };
  const tries = Array.from({ length: 10 }, () =>
    acceptLink(hashing.ports, token, choice, world.newClient()),
  );
  assert.deepEqual(await Promise.all(tries), Array(10).fill({ kind: "email_taken" }));
  assert.equal(hashing.count(), 0);
  // From any number of networks, the eleventh attempt learns nothing about an address, and the link
  // stays valid.
  for (const email of [owner.member.email, BOB.email]) {
    assert.equal(
      (await acceptLink(ports, token, { ...BOB, email }, world.newClient())).kind,
      "limited",
    );
  }
  world.clock.advance(2 * 3_600_000);
  assert.equal((await acceptLink(ports, token, BOB, world.newClient())).kind, "signed_in");
});
