import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type DashboardFixture,
  type DashboardVisit,
  MINUTE_MS,
} from "@stile/testkit/browser/dashboard";
import type { InputMethod } from "@stile/testkit/browser/input-methods";
import {
  button,
  goWithin,
  heading,
  textbox,
  waitForHeading,
  waitForPath,
} from "@stile/testkit/browser/on-page";
import { PASSWORD } from "@stile/testkit/contract/dashboard";
import type { Page } from "playwright-core";
import { codeOf, keepRecoveryCodes, sendPassword, signOut } from "./signing-in.ts";

const CODE = "Code from your authenticator app";

/**
 * Turns on an authenticator app at the account page; returns the recovery codes that came with it.
 */
async function setUpApp(
  dashboard: DashboardFixture,
  input: InputMethod,
  page: Page,
): Promise<readonly string[]> {
  await input.press(button(page, "Set up"));
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const secret = (await page.locator("form code").first().textContent()) ?? "";
  await input.write(textbox(page, CODE), codeOf(secret, dashboard.nowMs()));
  await input.press(button(page, "Turn on"));
  return await keepRecoveryCodes(input, page);
}

function testRecovery(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: a recovery code signs in once, shows how many are left, and new codes end the old ones`, async () => {
    await dashboard().advance(MINUTE_MS);
    const visit = await dashboard().visit("/dashboard/account", { as: "developer" });
    const { page, member } = visit;
    assert.ok(member !== undefined);
    const [first = "", second = "", ...rest] = await setUpApp(dashboard(), input, page);
    assert.equal(rest.length, 8);
    await page.getByText("You have 10 codes left.").waitFor();
    await signOut(input, page, member.name);
    await sendPassword(input, page, member.email, PASSWORD);
    await input.write(textbox(page, CODE), first.toUpperCase());
    await input.press(button(page, "Confirm the code"));
    await waitForPath(page, "/dashboard/sites");
    await page.getByText("Codes left: 9.").waitFor();
    await waitForHeading(page);
    await input.press(page.locator(".notice").getByRole("button", { name: "Dismiss" }));
    await page.getByText("Codes left: 9.").waitFor({ state: "hidden" });

    await goWithin(page, "/dashboard/account");
    await page.getByText("You have 9 codes left.").waitFor();
    await input.press(button(page, "Create new codes"));
    await input.press(button(page.getByRole("dialog"), "Create codes"));
    const fresh = await keepRecoveryCodes(input, page);
    assert.ok(fresh.length === 10 && !fresh.includes(second));
    await page.getByText("You have 10 codes left.").waitFor();
    await signOut(input, page, member.name);
    await sendPassword(input, page, member.email, PASSWORD);
    await input.write(textbox(page, CODE), second);
    await input.press(button(page, "Confirm the code"));
    await page.getByRole("alert").waitFor();
    await visit.close([401, 401, 401]);
  });
}

function testPassword(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: a new password requires the current one, even a moment after signing in`, async () => {
    await dashboard().advance(MINUTE_MS);
    const visit = await dashboard().visit("/dashboard/account", { as: "viewer" });
    const { page } = visit;
    const change = async (current: string, chosen: string): Promise<void> => {
      await input.write(textbox(page, "Your current password"), current);
      await input.write(textbox(page, "New password"), chosen);
      await input.press(button(page, "Change password"));
    };
    await change("not my password", "brisk heron ladders quietly");
    const problem = page.locator("p.problem");
    assert.equal(await problem.textContent(), "That is not your current password.");
    await change(PASSWORD, "basketball");
    await page.locator("p.problem", { hasText: "most common passwords" }).waitFor();
    await change(PASSWORD, "brisk heron ladders quietly");
    await page.getByText("Your password was changed, and all other sessions were ended.").waitFor();
    await visit.close([401, 400]);
  });
}

/** Makes a reset link for the member; returns the path that it opens. */
async function makeLink(
  input: InputMethod,
  { page }: DashboardVisit,
  name: string,
  isRemoving: boolean,
): Promise<string> {
  await input.press(button(page, `Reset link: ${name}`));
  const asking = page.getByRole("dialog", { name: `Reset link for ${name}` });
  if (isRemoving) {
    await input.press(asking.getByRole("checkbox", { name: /^Also remove their app/ }));
    await input.write(textbox(asking, "Your current password"), PASSWORD);
  }
  await input.press(button(asking, "Create link"));
  const handing = page.getByRole("dialog", { name: "Link to share" });
  const address = new URL((await handing.locator("code").textContent()) ?? "");
  await input.press(button(handing, "Done"));
  return address.pathname + address.hash;
}

function testResetLink(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: a reset link asks for the second factor, unless its maker removed that with a password`, async () => {
    await dashboard().advance(MINUTE_MS);
    const own = await dashboard().visit("/dashboard/account", { as: "developer" });
    const { member } = own;
    assert.ok(member !== undefined);
    const [code = ""] = await setUpApp(dashboard(), input, own.page);
    const admin = await dashboard().visit("/dashboard/members", { as: "owner" });

    const asked = await dashboard().visit(await makeLink(input, admin, member.name, false));
    await input.write(textbox(asked.page, "Password"), "slow rivers under bridges");
    await input.write(textbox(asked.page, CODE), "000000");
    await input.press(button(asked.page, "Set the new password"));
    await asked.page.getByRole("alert").waitFor();
    await input.write(textbox(asked.page, CODE), code);
    await input.press(button(asked.page, "Set the new password"));
    await waitForPath(asked.page, "/dashboard/sites");
    await asked.page.getByText("Codes left: 9.").waitFor();
    await asked.close([401]);

    const bare = await dashboard().visit(await makeLink(input, admin, member.name, true));
    await bare.page
      .getByText("This also removes your authenticator app, passkeys and recovery codes")
      .waitFor();
    assert.equal(await textbox(bare.page, CODE).count(), 0);
    await input.write(textbox(bare.page, "Password"), "slow rivers under bridges");
    await input.press(button(bare.page, "Set the new password"));
    await waitForPath(bare.page, "/dashboard/sites");
    const me = (await bare.ask("me")).body.data;
    assert.deepEqual([me.hasTotp, me.recoveryCodesLeft], [false, 0]);
    for (const visit of [bare, admin, own]) await visit.close();
  });
}

function testDemand(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: a member without the required second factor has to set one up before continuing`, async () => {
    await dashboard().advance(MINUTE_MS);
    const owner = await dashboard().visit("/dashboard/members", { as: "owner" });
    await owner.page
      .getByText("Set up a second factor for yourself before you require it of others.")
      .waitFor();
    await input.press(owner.page.getByRole("link", { name: "Go to your account" }));
    await setUpApp(dashboard(), input, owner.page);
    await goWithin(owner.page, "/dashboard/members");
    await input.press(button(owner.page, "Require a second factor"));
    await input.press(button(owner.page.getByRole("dialog"), "Require a second factor"));
    await owner.page.getByText("Every member now needs a second factor.").waitFor();

    const viewer = await dashboard().visit("/dashboard/sites", { as: "viewer" });
    await heading(viewer.page, "Set up a second factor").waitFor();
    assert.equal(new URL(viewer.page.url()).pathname, "/dashboard/account");
    assert.equal(
      (await button(viewer.page, "Menu").count()) +
        (await textbox(viewer.page, "New password").count()),
      0,
    );
    assert.equal((await viewer.ask("sites")).body.error?.code, "second_factor_demanded");
    await setUpApp(dashboard(), input, viewer.page);
    await heading(viewer.page, "Your account").waitFor();
    assert.equal((await viewer.ask("sites")).status, 200);
    await input.press(button(viewer.page, "Turn off"));
    await input.press(button(viewer.page.getByRole("dialog"), "Turn off"));
    await viewer.page.getByText("Add another one before you remove this one.").waitFor();

    await input.press(button(owner.page, "Stop requiring it"));
    await input.press(button(owner.page.getByRole("dialog"), "Stop requiring it"));
    await owner.page.getByText("A second factor is no longer required.").waitFor();
    await viewer.close([403]);
    await owner.close();
  });
}

function testEndSessions(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: an admin ends a member's sessions, and the member may sign in again`, async () => {
    await dashboard().advance(MINUTE_MS);
    const viewer = await dashboard().visit("/dashboard/sites", { as: "viewer" });
    const { member } = viewer;
    assert.ok(member !== undefined);
    const admin = await dashboard().visit("/dashboard/members", { as: "admin" });
    await input.press(button(admin.page, `End sessions: ${member.name}`));
    await input.press(button(admin.page.getByRole("dialog"), "End sessions"));
    await admin.page.getByText("The sessions were ended.").waitFor();
    assert.equal((await viewer.ask("me")).status, 401);
    await viewer.page.reload();
    await waitForPath(viewer.page, "/dashboard/sign-in");
    await sendPassword(input, viewer.page, member.email, PASSWORD);
    await waitForPath(viewer.page, "/dashboard/sites");
    await viewer.close([401]);
    await admin.close();
  });
}

/** Tests recovery codes, the demand for a second factor, and when the service asks for it. */
export function testSecondFactors(dashboard: () => DashboardFixture, input: InputMethod): void {
  testRecovery(dashboard, input);
  testPassword(dashboard, input);
  testResetLink(dashboard, input);
  testDemand(dashboard, input);
  testEndSessions(dashboard, input);
}
