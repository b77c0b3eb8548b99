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

/** What a viewer with that role may do to each of these members, by name. */
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

test("an owner may do all to everybody, an admin to those below admin only", () => {
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

test("the last owner keeps the role and stays, and the row says why", () => {
  const [owner] = OWNERS as [MemberData];
  assert.deepEqual(actionsOn("owner", [owner])["The owner"], ["Reset link", "End sessions"]);
  assert.match(
    textOf(renderPage(h(MemberTable, { members: [owner], onAction: nothing }))),
    /make somebody else an owner first/,
  );
});

test("nobody makes a reset link for themselves: one's own password is changed by the current one", () => {
  const own = member("admin", { userId: SELF });
  assert.deepEqual(actionsOn("owner", [own])["The admin"], [
    "Change role",
    "End sessions",
    "Remove",
  ]);
});

test("each button says to ears whom it is about; names of strangers are text", () => {
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

test("a member's second factors are told in words, and so is that there is none", () => {
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

test("the two roles that may do most are given by owners only", () => {
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

test("open invitations can be taken back, each by its own button; without any, it says so", () => {
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
  assert.deepEqual(actionsOf(list(2)), [
    "Withdraw: Admin",
    "Withdraw: Admin",
    "Make an invitation",
  ]);
});

test("an admin finds no button at an invitation of an owner or admin, and reads why", () => {
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
    "Make an invitation",
  ]);
  assert.equal(textOf(markup).match(/Only an owner can change owners and admins\./g)?.length, 2);
});

test("who is no admin finds no member's name on the page, and reads for whom it is", () => {
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

test("removing a member takes the member's email, typed by a person", () => {
  const markup = dialog("remove");
  assert.deepEqual([...fieldsOf(markup).keys()], ["Type “developer@example.org” to confirm"]);
  assert.ok("disabled" in (drawn(markup, "button").at(-1)?.attributes ?? {}));
});

test("a change of role begins with the role there is, and says what each may do", () => {
  const markup = dialog("role");
  const chosen = drawn(markup, "option").filter(({ attributes }) => "selected" in attributes);
  assert.deepEqual(
    chosen.map(({ text }) => text),
    ["Developer"],
  );
  assert.match(textOf(markup), /Creates sites and changes their settings/);
});

test("a reset link offers to take second factors away only where there are some, and never does so unasked", () => {
  assert.equal(fieldsOf(dialog("reset")).size, 0);
  const [label, field] = [...fieldsOf(dialog("reset", { hasTotp: true }))][0] ?? assert.fail();
  assert.match(label, /^Also remove their app, passkeys and recovery codes/);
  assert.ok(!("checked" in field.attributes));
  assert.equal(fieldsOf(dialog("reset", { passkeyCount: 1 })).size, 1);
});

test("ending one's own sessions says that this one stays", () => {
  me.value = memberWithRole("owner");
  assert.match(textOf(dialog("sessions", { userId: SELF })), /everywhere but here/);
  assert.match(textOf(dialog("sessions")), /signed out everywhere at once/);
});

test("a second factor is demanded by an owner who has one; others read what is missing", () => {
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

test("an owner may rename the account, which everybody else only reads", () => {
  const draw = (role: Role) => {
    me.value = memberWithRole(role, { accountName: "Otters Ltd" });
    return renderPage(h(AccountNamePanel, {}));
  };
  assert.equal(fieldsOf(draw("owner")).get("Name")?.attributes.value, "Otters Ltd");
  assert.match(draw("owner"), /<button[^>]* disabled[^>]*>Save name/);
  assert.equal(draw("admin"), "");
});

test("a link to hand over stands in full, with how long it works", () => {
  const url = "https://stile.example/dashboard/link#abc";
  const markup = renderPage(
    h(NewLink, { link: { url, expiresAtMs: Date.now() + 300_000 }, onDone: nothing }),
  );
  assert.equal(drawn(markup, "code")[0]?.text, url);
  assert.match(textOf(markup), /Expires in (5:00|4:59)/);
});

test("a link that only this machine's browsers can use says so, and what others need", () => {
  const told = (url: string): string =>
    textOf(
      renderPage(h(NewLink, { link: { url, expiresAtMs: Date.now() + 300_000 }, onDone: nothing })),
    );
  assert.match(
    told("http://localhost:8787/dashboard/link#abc"),
    /this machine alone.*STILE_BASE_URL/,
  );
  assert.doesNotMatch(told("https://stile.example/dashboard/link#abc"), /this machine/);
});
