import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeData } from "@stile/protocol/dashboard-api";
import { actionsOf, drawn, fieldsOf, renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../../ui/session.ts";

const { AccountPage } = await import("./account-page.tsx");
const { RecoveryCodesDialog, RecoveryPanel } = await import("./recovery-panel.tsx");

const account = (more: Partial<MeData> = {}) => {
  me.value = memberWithRole("developer", more);
  return renderPage(h(AccountPage, {}));
};
const PASSKEY = {
  passkeyId: "k",
  name: "Laptop & <b>",
  // Read when a test runs, which may be minutes after this file was loaded.
  get createdAtMs() {
    return Date.now();
  },
  lastUsedAtMs: null,
};
const panelsOf = (markup: string) => drawn(markup, "h2").map(({ text }) => text);

test("has a panel for each part of one's own account", () => {
  const markup = account();
  assert.match(textOf(markup), /^Your account Developer of Otters Ltd/);
  assert.deepEqual(panelsOf(markup), [
    "Profile",
    "Password",
    "Passkeys",
    "Authenticator app",
    "Sessions",
  ]);
  assert.ok(panelsOf(account({ hasTotp: true })).includes("Recovery codes"));
  assert.ok(!fieldsOf(markup).has(""));
});

test("lets a member who lacks the demanded factor only set one up", () => {
  const markup = account({ isSecondFactorDemanded: true });
  assert.deepEqual(panelsOf(markup), ["Passkeys", "Authenticator app"]);
  assert.match(textOf(markup), /^Set up a second factor This account requires/);
});

test("asks a member without a password for a passkey before a new password", () => {
  assert.ok(fieldsOf(account()).has("Your current password"));
  const markup = account({ hasPassword: false, passkeys: [PASSKEY] });
  assert.ok(!fieldsOf(markup).has("Your current password"));
  assert.match(textOf(markup), /you will be asked for a passkey/);
});

test("shows for a passkey its name, its last use, and a button that names it", () => {
  const markup = account({ passkeys: [PASSKEY] });
  assert.match(textOf(markup), /Laptop & <b> just now never Remove/);
  assert.ok(actionsOf(markup).includes("Remove the passkey Laptop & <b>"));
  assert.match(textOf(account()), /No passkeys yet Passkeys need a recent browser/);
});

test("says that the number of passkeys is at its limit before another is made on a device", () => {
  const own = (count: number) =>
    account({ passkeys: Array.from({ length: count }, () => PASSKEY) });
  assert.match(textOf(own(20)), /You have 20 passkeys, which is the maximum/);
  assert.doesNotMatch(textOf(own(19)), /can't add more/);
});

test("counts recovery codes in words that become more urgent", () => {
  const left = (count: number) =>
    drawn(renderPage(h(RecoveryPanel, { left: count, onCodes: () => {} })), "p")[0]?.text;
  assert.equal(left(10), "You have 10 codes left.");
  assert.equal(left(1), "You have one code left. Create new ones.");
  assert.match(
    left(0) ?? "",
    /^You have no codes left\. .* locked out if you lose your app or passkey\.$/,
  );
});

test("shows new recovery codes once, all of them, and keeps none while the dialog is closed", () => {
  const codes = ["abcd-efgh", "ijkl-mnop"];
  const dialog = (shown: readonly string[] | undefined) =>
    renderPage(h(RecoveryCodesDialog, { codes: shown, onDone: () => {} }));
  assert.deepEqual(
    drawn(dialog(codes), "li").map(({ text }) => text),
    codes,
  );
  assert.equal(textOf(dialog(undefined)), "");
});
