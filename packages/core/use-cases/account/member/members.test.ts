import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_MEMBERS } from "@stile/protocol/limits";
import { ROLES_IN_ORDER, type Role } from "@stile/protocol/roles";
import { ACCOUNT_ID, createAccountWorld } from "@stile/testkit/world/account-world";
import { findLink } from "../link/find-link.ts";
import { makeOperatorResetLink } from "../link/make-operator-reset-link.ts";
import { makeResetLink } from "../link/make-reset-link.ts";
import { renameAccount } from "../rename-account.ts";
import { viewAudit } from "../view-audit.ts";
import { changeProfile } from "./change-profile.ts";
import { changeRole } from "./change-role.ts";
import { inviteMember } from "./invite-member.ts";
import { listMembers } from "./list-members.ts";
import { removeMember } from "./remove-member.ts";
import { revokeInvitation } from "./revoke-invitation.ts";

/** An account with a member of each role, signed in. */
async function household() {
  const world = await createAccountWorld();
  const owner = await world.addOwner("owner@example.org");
  const members = {
    owner,
    admin: await world.addMember(owner, "admin"),
    developer: await world.addMember(owner, "developer"),
    viewer: await world.addMember(owner, "viewer"),
  };
  const as = (role: Role) => world.refresh(members[role].token);
  return { world, ports: world.ports, members, as };
}

/** The roles that each role may manage: the table that all four use cases must follow. */
const MAY_MANAGE: Readonly<Record<Role, readonly Role[]>> = {
  viewer: [],
  developer: [],
  admin: ["viewer", "developer"],
  owner: ROLES_IN_ORDER,
};

test("only owners invite, reset and remove owners and admins, and revoke their invitations; admins do so with the others; nobody else does", async () => {
  for (const actor of ROLES_IN_ORDER) {
    for (const target of ROLES_IN_ORDER.filter((role) => role !== actor)) {
      const { ports, members, as } = await household();
      const isAllowed = MAY_MANAGE[actor].includes(target);
      const { userId } = members[target].member;
      const invited = await inviteMember(ports, await as(actor), target);
      assert.equal(
        invited.kind,
        isAllowed ? "invited" : "not_allowed",
        `${actor} invites ${target}`,
      );
      const made = await makeResetLink(ports, await as(actor), userId);
      assert.equal(made.kind, isAllowed ? "made" : "not_allowed", `${actor} resets ${target}`);
      const open = await inviteMember(ports, await as("owner"), target);
      assert.ok(open.kind === "invited");
      const revoked = await revokeInvitation(ports, await as(actor), open.link.linkId);
      assert.equal(
        revoked,
        isAllowed ? "revoked" : "not_allowed",
        `${actor} takes back an invitation of ${target}`,
      );
      assert.equal((await findLink(ports, open.token)) === undefined, isAllowed);
      const removed = await removeMember(ports, await as(actor), userId);
      assert.equal(
        removed.kind,
        isAllowed ? "removed" : "not_allowed",
        `${actor} removes ${target}`,
      );
    }
  }
});

test("changing a role requires the right to manage the former and the new one, so no admin promotes anybody to admin or above", async () => {
  for (const actor of ROLES_IN_ORDER) {
    const { ports, members, as } = await household();
    for (const target of ["viewer", "developer", "admin"] as const) {
      for (const role of ROLES_IN_ORDER) {
        const isAllowed = MAY_MANAGE[actor].includes(target) && MAY_MANAGE[actor].includes(role);
        const { userId } = members[target].member;
        const answer = await changeRole(ports, await as(actor), userId, role);
        assert.equal(
          answer.kind,
          isAllowed ? "changed" : "not_allowed",
          `${actor} makes ${target} ${role}`,
        );
        if (isAllowed) await changeRole(ports, await as("owner"), userId, target);
      }
    }
  }
});

test("a call that changes nothing writes no audit entry, which would report a change", async () => {
  const { world, ports, members, as } = await household();
  const before = await world.audit();
  const { userId, name, email } = members.viewer.member;
  assert.deepEqual(await changeRole(ports, await as("owner"), userId, "viewer"), {
    kind: "changed",
  });
  const profile = { name: ` ${name}`, email: email.toUpperCase() };
  assert.equal((await changeProfile(ports, await as("viewer"), profile)).kind, "changed");
  assert.deepEqual(await world.audit(), before);
});

test("a member may try few addresses an hour, and then learns nothing about any; a new name needs no try", async () => {
  const { world, ports, as } = await household();
  const viewer = await as("viewer");
  const change = (email: string, name = "viewer") => changeProfile(ports, viewer, { name, email });
  const atOnce = await Promise.all(Array.from({ length: 20 }, () => change("owner@example.org")));
  assert.deepEqual(
    atOnce.map(({ kind }) => kind),
    [...Array(5).fill("email_taken"), ...Array(15).fill("limited")],
  );
  assert.deepEqual(
    [(await change("owner@example.org")).kind, (await change("free@example.org")).kind],
    Array(2).fill("limited"),
  );
  assert.equal((await change(viewer.member.email, "Vera")).kind, "changed");
  assert.equal(
    (await changeProfile(ports, await as("developer"), { name: "d", email: "d@example.org" })).kind,
    "changed",
  );
  world.clock.advance(2 * 3_600_000);
  const again = await world.signIn(viewer.member.email);
  assert.ok(again.kind === "signed_in");
  const later = { name: "Vera", email: "free@example.org" };
  assert.equal(
    (await changeProfile(ports, await world.refresh(again.token), later)).kind,
    "changed",
  );
});

test("a member whose address new rules would refuse changes their name, and keeps the address", async () => {
  const { world, ports, as } = await household();
  const { member } = await as("viewer");
  const email = "jos\u00e9@example.org";
  assert.equal(
    await world.store.members.replaceMember({ ...member, email, revision: 2 }, member.revision),
    "stored",
  );
  const answer = await changeProfile(ports, await as("viewer"), { name: "Jos\u00e9", email });
  assert.ok(answer.kind === "changed");
  assert.deepEqual([answer.member.name, answer.member.email], ["Jos\u00e9", email]);
  const other = await changeProfile(ports, await as("viewer"), {
    name: "J",
    email: "jos\u00e8@example.org",
  });
  assert.equal(other.kind, "invalid");
});

test("a new role applies from the member's very next call", async () => {
  const { ports, members, as } = await household();
  await changeRole(ports, await as("owner"), members.admin.member.userId, "viewer");
  assert.deepEqual(await inviteMember(ports, await as("admin"), "viewer"), { kind: "not_allowed" });
});

test("members of another account count as absent, even for its owner", async () => {
  const { world, ports, members } = await household();
  await world.addAccount("acc_other");
  const stranger = await world.addOwner("eve@example.org", "acc_other");
  const { userId } = members.viewer.member;
  const invited = await inviteMember(ports, await world.refresh(members.owner.token), "viewer");
  assert.ok(invited.kind === "invited");
  const eve = await world.refresh(stranger.token);
  assert.equal((await changeRole(ports, eve, userId, "owner")).kind, "not_found");
  assert.equal((await removeMember(ports, eve, userId)).kind, "not_found");
  assert.equal((await makeResetLink(ports, eve, userId)).kind, "not_found");
  assert.equal(await revokeInvitation(ports, eve, invited.link.linkId), "not_found");
  assert.deepEqual((await listMembers(ports, "acc_other")).invitations, []);
  assert.deepEqual(
    (await listMembers(ports, "acc_other")).members.map(({ email }) => email),
    ["eve@example.org"],
  );
  assert.deepEqual(
    (await viewAudit(ports, "acc_other", { limit: 9 })).map(({ actor }) => actor),
    [...["eve@example.org", "eve@example.org"]],
  );
});

test("the last owner can neither step down nor be removed", async () => {
  const { ports, members, as } = await household();
  const { userId } = members.owner.member;
  assert.equal((await changeRole(ports, await as("owner"), userId, "admin")).kind, "last_owner");
  assert.equal((await removeMember(ports, await as("owner"), userId)).kind, "last_owner");
  assert.equal((await as("owner")).member.role, "owner");
});

test("two owners who demote or remove each other at the same moment leave one owner", async () => {
  for (const by of ["demoting", "removing"] as const) {
    const { world, ports, members, as } = await household();
    const second = await world.addMember(await as("owner"), "owner", "second@example.org");
    const rivals = [await as("owner"), await world.refresh(second.token)] as const;
    const victims = [second.member.userId, members.owner.member.userId];
    const answers = await Promise.all(
      rivals.map((rival, index) =>
        by === "demoting"
          ? changeRole(ports, rival, victims[index] ?? "", "viewer")
          : removeMember(ports, rival, victims[index] ?? ""),
      ),
    );
    assert.equal(answers.filter(({ kind }) => kind === "last_owner").length, 1, by);
    const owners = (await listMembers(ports, ACCOUNT_ID)).members.filter(
      ({ role }) => role === "owner",
    );
    assert.equal(owners.length, 1, by);
  }
});

test("two simultaneous changes of one member end in one conflict", async () => {
  const { ports, members, as } = await household();
  const owner = await as("owner");
  const { userId } = members.viewer.member;
  const answers = await Promise.all([
    changeRole(ports, owner, userId, "developer"),
    changeRole(ports, owner, userId, "admin"),
  ]);
  assert.deepEqual(answers.map(({ kind }) => kind).sort(), ["changed", "conflict"]);
});

test("limits an account to 1,000 members and open invitations, and writes no audit entry beyond that (D16, operator)", async () => {
  const { world, ports, members, as } = await household();
  const invite = async () => inviteMember(ports, await as("admin"), "viewer");
  const first = await invite();
  assert.ok(first.kind === "invited");
  for (let places = 5; places < MOST_MEMBERS; places++) {
    const link = {
      ...first.link,
      linkId: `${first.link.linkId} ${places}`,
      tokenDigest: `${places}`,
    };
    await world.store.links.insertLink(link);
  }
  const [newest] = await viewAudit(ports, ACCOUNT_ID, { limit: 1 });
  assert.deepEqual(await invite(), { kind: "too_many_members" });
  assert.deepEqual(await viewAudit(ports, ACCOUNT_ID, { limit: 1 }), [newest]);
  assert.equal(await revokeInvitation(ports, await as("owner"), first.link.linkId), "revoked");
  assert.equal((await invite()).kind, "invited");
  assert.deepEqual(await invite(), { kind: "too_many_members" });
  // The admin who took all places loses the right to invite, which frees these places.
  await changeRole(ports, await as("owner"), members.admin.member.userId, "viewer");
  assert.equal((await inviteMember(ports, await as("owner"), "viewer")).kind, "invited");
});

test("lists members without any secrets, and invitations without their tokens", async () => {
  const { world, ports, members, as } = await household();
  await world.enableTotp(members.viewer);
  const invited = await inviteMember(ports, await as("admin"), "developer");
  assert.ok(invited.kind === "invited");
  const listed = await listMembers(ports, ACCOUNT_ID);
  assert.deepEqual(
    listed.members.map(({ name, role, hasTotp }) => [name, role, hasTotp]),
    [
      ["admin", "admin", false],
      ["developer", "developer", false],
      ["owner", "owner", false],
      ["viewer", "viewer", true],
    ],
  );
  const { linkId, expiresAtMs } = invited.link;
  assert.deepEqual(listed.invitations, [
    { linkId, role: "developer", expiresAtMs, madeBy: "admin@example.org" },
  ]);
  const text = JSON.stringify(listed);
  for (const secret of ["argon2id", invited.token, invited.link.tokenDigest])
    assert.equal(text.includes(secret), false);
});

test("an owner renames the account; invitations show the new name, and the audit log both names", async () => {
  const { ports, as } = await household();
  assert.deepEqual(await renameAccount(ports, await as("owner"), "  Otters\u202e Ltd "), {
    kind: "renamed",
  });
  const invited = await inviteMember(ports, await as("owner"), "viewer");
  assert.ok(invited.kind === "invited");
  assert.equal((await findLink(ports, invited.token))?.accountName, "Otters Ltd");
  const [, line] = await viewAudit(ports, ACCOUNT_ID, { limit: 2 });
  assert.deepEqual(
    [line?.actor, line?.action, line?.subject, line?.changes],
    [
      ...["owner@example.org", "account_changed", "Otters Ltd"],
      [{ field: "name", before: "Account acc_world", after: "Otters Ltd" }],
    ],
  );
  const [newest] = await viewAudit(ports, ACCOUNT_ID, { limit: 1 });
  assert.deepEqual(await renameAccount(ports, await as("owner"), "Otters Ltd"), {
    kind: "renamed",
  });
  for (const name of ["", " \u202e ", "x".repeat(65)]) {
    assert.equal((await renameAccount(ports, await as("owner"), name)).kind, "invalid", name);
  }
  assert.deepEqual(await viewAudit(ports, ACCOUNT_ID, { limit: 1 }), [newest]);
});

test("the audit log names actor, action and subject, with before and after, page by page", async () => {
  const { ports, members, as } = await household();
  await changeRole(ports, await as("owner"), members.viewer.member.userId, "developer");
  await makeOperatorResetLink(ports, members.viewer.member.userId, false);
  await removeMember(ports, await as("admin"), members.viewer.member.userId);
  const lines = await viewAudit(ports, ACCOUNT_ID, { limit: 3 });
  assert.deepEqual(
    lines.map(({ actor, action, subject, changes }) => [actor, action, subject, changes]),
    [
      [
        "admin@example.org",
        "member_removed",
        "viewer@example.org",
        [{ field: "role", before: "developer", after: null }],
      ],
      ["command line", "reset_link_made", "viewer@example.org", []],
      [
        ...["owner@example.org", "member_role_changed", "viewer@example.org"],
        [{ field: "role", before: "viewer", after: "developer" }],
      ],
    ],
  );
  const older = await viewAudit(ports, ACCOUNT_ID, { limit: 1, beforeId: lines[2]?.entryId ?? 0 });
  assert.deepEqual(
    older.map(({ action, actor }) => [action, actor]),
    [["signed_in", "viewer@example.org"]],
  );
});
