import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemberData } from "@stile/protocol/dashboard-api";
import { ROLES_IN_ORDER, type Role } from "@stile/protocol/roles";
import { actionsOf, drawn, fieldsOf, renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../../ui/session.ts";

const { Invitations, MembersPage, MemberTable } = await import("./members-page.tsx");
const { MemberDialog } = await import("./member-dialog.tsx");
const { DemandPanel } = await import("./demand-panel.tsx");
const { AccountNamePanel } = await import("./account-name-panel.tsx");
const { NewLink } = await import("./new-link.tsx");

const now = Date.now();
const nothing = (): void => {};
const member = (role: Role, more: Partial<MemberData> = {}): MemberData => ({
  userId: `usr_${role}`,
  email: `${role}@example.org`,
  name: `The ${role}`,
  role,
  createdAtMs: now,
  lastSignInAtMs: null,
  hasTotp: false,
  passkeyCount: 0,
  ...more,
});
const SELF = "usr_me";

/** The actions that a viewer with that role may take on each of these members, by name. */
function actionsOn(
  viewer: Role,
  members: readonly MemberData[],
): Readonly<Record<string, readonly string[]>> {
  me.value = memberWithRole(viewer);
  const rows = drawn(renderPage(h(MemberTable, { members, onAction: nothing })), "tr").slice(1);
  return Object.fromEntries(
    rows.map(({ inner }, at) => [
      members[at]?.name,
      drawn(inner, "button").map(({ text }) => text),
    ]),
  );
}

const ALL = ["Change role", "Reset link", "End sessions", "Remove"];
const OWNERS = [member("owner"), member("owner", { name: "Other owner", userId: "usr_2" })];

test("lets an owner do everything to everybody, and an admin only to members below admin", () => {
  const others = [member("viewer"), member("developer"), member("admin"), ...OWNERS];
  for (const actions of Object.values(actionsOn("owner", others))) assert.deepEqual(actions, ALL);
  assert.deepEqual(actionsOn("admin", others), {
    "The viewer": ALL,
    "The developer": ALL,
    "The admin": [],
    "The owner": [],
    "Other owner": [],
  });
});

test("keeps the last owner and their role, and the row says why", () => {
  const [owner] = OWNERS as [MemberData];
  assert.deepEqual(actionsOn("owner", [owner])["The owner"], ["Reset link", "End sessions"]);
  assert.match(
    textOf(renderPage(h(MemberTable, { members: [owner], onAction: nothing }))),
    /Make someone else an owner first/,
  );
});

test("offers no reset link for oneself: members change their own password with the current one", () => {
  const own = member("admin", { userId: SELF });
  assert.deepEqual(actionsOn("owner", [own])["The admin"], [
    "Change role",
    "End sessions",
    "Remove",
  ]);
});

test("names the member in each button for screen readers, and shows strangers' names as text", () => {
  me.value = memberWithRole("owner");
  const name = '<img src=x> "Eve"';
  const markup = renderPage(
    h(MemberTable, { members: [member("viewer", { name })], onAction: nothing }),
  );
  assert.deepEqual(
    actionsOf(markup),
    ALL.map((action) => `${action}: ${name}`),
  );
  assert.doesNotMatch(markup, /<img/);
});

test("shows a member's second factors in words, or that there is none", () => {
  me.value = memberWithRole("owner");
  const told = (more: Partial<MemberData>) =>
    drawn(
      renderPage(h(MemberTable, { members: [member("viewer", more)], onAction: nothing })),
      "td",
    )[1]?.text;
  assert.deepEqual(
    [{}, { hasTotp: true }, { passkeyCount: 1 }, { hasTotp: true, passkeyCount: 3 }].map(told),
    ["none", "app", "1 passkey", "app, 3 passkeys"],
  );
});

test("lets only owners give the two most powerful roles", () => {
  const offered = (viewer: Role) => {
    me.value = memberWithRole(viewer);
    const markup = renderPage(
      h(Invitations, { invitations: [], onChange: nothing, onLink: nothing }),
    );
    return drawn(markup, "option").map(({ attributes }) => attributes.value);
  };
  assert.deepEqual(offered("owner"), ROLES_IN_ORDER);
  assert.deepEqual(offered("admin"), ["viewer", "developer"]);
});

test("lets open invitations be revoked, each by its own button, and says if there are none", () => {
  me.value = memberWithRole("owner");
  const list = (count: number) => {
    const invitations = Array.from({ length: count }, (_, at) => ({
      linkId: `lnk_${at}`,
      role: "admin" as const,
      expiresAtMs: now + 3_600_000,
      madeBy: at === 0 ? null : `maker-${at}@example.org`,
    }));
    return renderPage(h(Invitations, { invitations, onChange: nothing, onLink: nothing }));
  };
  assert.match(textOf(list(0)), /No open invitations/);
  assert.match(textOf(list(2)), /Admin command line .* Admin maker-1@example\.org/);
  assert.deepEqual(actionsOf(list(2)), ["Withdraw: Admin", "Withdraw: Admin", "Create invitation"]);
});

test("shows an admin no button at an invitation of an owner or admin, but the reason", () => {
  me.value = memberWithRole("admin");
  const invitations = ROLES_IN_ORDER.map((role) => ({
    linkId: role,
    role,
    expiresAtMs: now + 3_600_000,
    madeBy: null,
  }));
  const markup = renderPage(h(Invitations, { invitations, onChange: nothing, onLink: nothing }));
  assert.deepEqual(actionsOf(markup), [
    "Withdraw: Viewer",
    "Withdraw: Developer",
    "Create invitation",
  ]);
  assert.equal(textOf(markup).match(/Only an owner can change owners and admins\./g)?.length, 2);
});

test("shows no member's name to a viewer below admin, but who may see the page", () => {
  for (const role of ["viewer", "developer"] as const) {
    me.value = memberWithRole(role);
    assert.match(
      textOf(renderPage(h(MembersPage, {}))),
      /^Members This page is for admins and owners of the account\.$/,
    );
  }
});

const dialog = (kind: "role" | "reset" | "sessions" | "remove", more: Partial<MemberData> = {}) =>
  renderPage(
    h(MemberDialog, {
      action: { kind, member: member("developer", more) },
      roles: ["viewer", "developer"],
      onClose: nothing,
      onChange: nothing,
      onLink: nothing,
    }),
  );

test("requires the member's email, typed by a person, to remove a member", () => {
  const markup = dialog("remove");
  assert.deepEqual([...fieldsOf(markup).keys()], ["Type “developer@example.org” to confirm"]);
  assert.ok("disabled" in (drawn(markup, "button").at(-1)?.attributes ?? {}));
});

test("begins a change of role with the current role, and describes each role", () => {
  const markup = dialog("role");
  const chosen = drawn(markup, "option").filter(({ attributes }) => "selected" in attributes);
  assert.deepEqual(
    chosen.map(({ text }) => text),
    ["Developer"],
  );
  assert.match(textOf(markup), /Can also create sites, change their settings/);
});

test("offers to remove second factors with a reset link only if there are some, and never by default", () => {
  assert.equal(fieldsOf(dialog("reset")).size, 0);
  const [label, field] = [...fieldsOf(dialog("reset", { hasTotp: true }))][0] ?? assert.fail();
  assert.match(label, /^Also remove their app, passkeys and recovery codes/);
  assert.ok(!("checked" in field.attributes));
  assert.equal(fieldsOf(dialog("reset", { passkeyCount: 1 })).size, 1);
});

test("says that this session stays when members end their own sessions", () => {
  me.value = memberWithRole("owner");
  assert.match(textOf(dialog("sessions", { userId: SELF })), /everywhere except here/);
  assert.match(textOf(dialog("sessions")), /signed out everywhere immediately/);
});

test("lets an owner with a second factor demand one; others read what is missing", () => {
  const draw = (role: Role, more: object = {}) => {
    me.value = memberWithRole(role, more);
    return renderPage(h(DemandPanel, { onChange: nothing }));
  };
  assert.deepEqual(actionsOf(draw("owner", { hasTotp: true })), ["Require a second factor"]);
  assert.deepEqual(actionsOf(draw("owner", { isSecondFactorDemanded: true })), [
    "Stop requiring it",
  ]);
  assert.deepEqual(actionsOf(draw("owner")), ["Go to your account"]);
  assert.deepEqual(actionsOf(draw("admin", { hasTotp: true })), []);
  assert.match(textOf(draw("admin")), /Only an owner can change this/);
});

test("lets an owner rename the account, and everybody else only read the name", () => {
  const draw = (role: Role) => {
    me.value = memberWithRole(role, { accountName: "Otters Ltd" });
    return renderPage(h(AccountNamePanel, {}));
  };
  assert.equal(fieldsOf(draw("owner")).get("Name")?.attributes.value, "Otters Ltd");
  assert.match(draw("owner"), /<button[^>]* disabled[^>]*>Save name/);
  assert.equal(draw("admin"), "");
});

test("shows a link to pass on in full, with how long it works", () => {
  const url = "https://stile.example/dashboard/link#abc";
  const markup = renderPage(
    h(NewLink, { link: { url, expiresAtMs: Date.now() + 300_000 }, onDone: nothing }),
  );
  assert.equal(drawn(markup, "code")[0]?.text, url);
  assert.match(textOf(markup), /Expires in (5:00|4:59)/);
});

test("says that a link works only in this machine's browsers, and what others need", () => {
  const told = (url: string): string =>
    textOf(
      renderPage(h(NewLink, { link: { url, expiresAtMs: Date.now() + 300_000 }, onDone: nothing })),
    );
  assert.match(
    told("http://localhost:8787/dashboard/link#abc"),
    /only on this machine.*STILE_BASE_URL/,
  );
  assert.doesNotMatch(told("https://stile.example/dashboard/link#abc"), /this machine/);
});
