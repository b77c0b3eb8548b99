import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkData } from "@stile/protocol/dashboard-api";
import { fieldsOf, renderPage, textOf } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { AcceptLink, LinkPage } = await import("./link-page.tsx");

const now = Date.now();
const LINK: LinkData = {
  purpose: "invite",
  accountName: "Otters Ltd",
  role: "developer",
  email: null,
  secondFactor: "none",
  hasPasskeys: false,
  expiresAtMs: now + 300_000,
};
const opened = (more: Partial<LinkData>) =>
  renderPage(h(AcceptLink, { token: "t", link: { ...LINK, ...more } }));

test("an invitation names the account, the role and its permissions; the newcomer chooses email and name", () => {
  const markup = opened({});
  assert.match(textOf(markup), /^Join Otters Ltd .*Your role: Developer \. Can also create sites/);
  assert.deepEqual([...fieldsOf(markup).keys()], ["Email", "Your name", "Password"]);
});

test("a reset names its member, whose email it can't change, and asks for no name", () => {
  const fields = fieldsOf(opened({ purpose: "reset", email: "ada@example.org" }));
  assert.deepEqual([...fields.keys()], ["Email", "Password"]);
  const { value, readonly } = fields.get("Email")?.attributes ?? {};
  assert.deepEqual([value, readonly !== undefined], ["ada@example.org", true]);
});

test("a reset asks for the member's second factor, if any, and says when it removes them (D16, operator)", () => {
  const reset = (secondFactor: LinkData["secondFactor"]) =>
    opened({ purpose: "reset", email: "a@b.example", secondFactor });
  assert.ok(fieldsOf(reset("needed")).has("Code from your authenticator app"));
  assert.ok(!fieldsOf(reset("none")).has("Code from your authenticator app"));
  assert.match(textOf(reset("removed")), /This also removes/);
  assert.doesNotMatch(textOf(reset("none")), /are removed/);
});

test("an opened link without its secret part says how to get a complete one, and offers no form", () => {
  const markup = renderPage(h(LinkPage, {}), "/dashboard/link");
  assert.doesNotMatch(markup, /<form/);
  assert.match(textOf(markup), /^This link is incomplete .* ask an admin of the account\./);
});
