import assert from "node:assert/strict";
import { test } from "node:test";
import { type Desk, MINUTE_MS, type Visit } from "@stile/testkit/browser/dashboard";
import type { Hands } from "@stile/testkit/browser/hands";
import { button, heading, textbox, waitForPath } from "@stile/testkit/browser/on-page";
import { PASSWORD } from "@stile/testkit/contract/dashboard";
import type { Page } from "playwright-core";
import { codeOf, keepRecoveryCodes, sendPassword, signOut } from "./signing-in.ts";

const CODE = "Code of your authenticator app";

/** Turns an authenticator app on at the account page; answers the codes that came with it. */
async function setUpApp(desk: Desk, hands: Hands, page: Page): Promise<readonly string[]> {
  await hands.press(button(page, "Set it up"));
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const secret = (await page.locator("form code").first().textContent()) ?? "";
  await hands.write(textbox(page, CODE), codeOf(secret, desk.nowMs()));
  await hands.press(button(page, "Turn on"));
  return await keepRecoveryCodes(hands, page);
}

function testRecovery(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: a recovery code signs in once, says how many are left, and new ones end the old`, async () => {
    await desk().advance(MINUTE_MS);
    const visit = await desk().visit("/dashboard/account", { as: "developer" });
    const { page, member } = visit;
    assert.ok(member !== undefined);
    const [first = "", second = "", ...rest] = await setUpApp(desk(), hands, page);
    assert.equal(rest.length, 8);
    await page.getByText("10 codes are left.").waitFor();
    await signOut(hands, page, member.name);
    await sendPassword(hands, page, member.email, PASSWORD);
    await hands.write(textbox(page, CODE), first.toUpperCase());
    await hands.press(button(page, "Confirm the code"));
    await waitForPath(page, "/dashboard/sites");
    await page.getByText("Codes left: 9.").waitFor();
    await hands.press(page.locator(".notice").getByRole("button", { name: "Dismiss" }));
    await page.getByText("Codes left: 9.").waitFor({ state: "hidden" });

    await page.goto(`${desk().origin}/dashboard/account`);
    await page.getByText("9 codes are left.").waitFor();
    await hands.press(button(page, "Make new codes"));
    await hands.press(button(page.getByRole("dialog"), "Make them"));
    const fresh = await keepRecoveryCodes(hands, page);
    assert.ok(fresh.length === 10 && !fresh.includes(second));
    await page.getByText("10 codes are left.").waitFor();
    await signOut(hands, page, member.name);
    await sendPassword(hands, page, member.email, PASSWORD);
    await hands.write(textbox(page, CODE), second);
    await hands.press(button(page, "Confirm the code"));
    await page.getByRole("alert").waitFor();
    await visit.close([401, 401, 401]);
  });
}

function testPassword(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: a new password asks for the current one, a moment after signing in too`, async () => {
    await desk().advance(MINUTE_MS);
    const visit = await desk().visit("/dashboard/account", { as: "viewer" });
    const { page } = visit;
    const change = async (current: string, chosen: string): Promise<void> => {
      await hands.write(textbox(page, "Your current password"), current);
      await hands.write(textbox(page, "New password"), chosen);
      await hands.press(button(page, "Change password"));
    };
    await change("not my password", "brisk heron ladders quietly");
    const problem = page.locator("p.problem");
    assert.equal(await problem.textContent(), "That is not your current password.");
    await change(PASSWORD, "basketball");
    await page.locator("p.problem", { hasText: "passwords people use most" }).waitFor();
    await change(PASSWORD, "brisk heron ladders quietly");
    await page.getByText("The password is changed. All other sessions were ended.").waitFor();
    await visit.close([401, 400]);
  });
}

/** Makes a reset link for the member; answers the path it opens. */
async function makeLink(hands: Hands, { page }: Visit, name: string, isRemoving: boolean): Promise<string> {
  await hands.press(button(page, `Reset link: ${name}`));
  const asking = page.getByRole("dialog", { name: `Reset link for ${name}` });
  if (isRemoving) {
    await hands.press(asking.getByRole("checkbox", { name: /^Also remove their app/ }));
    await hands.write(textbox(asking, "Your current password"), PASSWORD);
  }
  await hands.press(button(asking, "Make the link"));
  const handing = page.getByRole("dialog", { name: "Link to hand over" });
  const address = new URL((await handing.locator("code").textContent()) ?? "");
  await hands.press(button(handing, "Done"));
  return address.pathname + address.hash;
}

function testResetLink(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: a reset link asks for the second factor, unless its maker took it away by password`, async () => {
    await desk().advance(MINUTE_MS);
    const own = await desk().visit("/dashboard/account", { as: "developer" });
    const { member } = own;
    assert.ok(member !== undefined);
    const [code = ""] = await setUpApp(desk(), hands, own.page);
    const admin = await desk().visit("/dashboard/members", { as: "owner" });

    const asked = await desk().visit(await makeLink(hands, admin, member.name, false));
    await hands.write(textbox(asked.page, "Password"), "slow rivers under bridges");
    await hands.write(textbox(asked.page, CODE), "000000");
    await hands.press(button(asked.page, "Set the new password"));
    await asked.page.getByRole("alert").waitFor();
    await hands.write(textbox(asked.page, CODE), code);
    await hands.press(button(asked.page, "Set the new password"));
    await waitForPath(asked.page, "/dashboard/sites");
    await asked.page.getByText("Codes left: 9.").waitFor();
    await asked.close([401]);

    const bare = await desk().visit(await makeLink(hands, admin, member.name, true));
    await bare.page.getByText("Your authenticator app, passkeys and recovery codes are removed").waitFor();
    assert.equal(await textbox(bare.page, CODE).count(), 0);
    await hands.write(textbox(bare.page, "Password"), "slow rivers under bridges");
    await hands.press(button(bare.page, "Set the new password"));
    await waitForPath(bare.page, "/dashboard/sites");
    const me = (await bare.ask("me")).body.data;
    assert.deepEqual([me.hasTotp, me.recoveryCodesLeft], [false, 0]);
    for (const visit of [bare, admin, own]) await visit.close();
  });
}

function testDemand(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: who lacks a demanded second factor is led to set one up, and then goes on`, async () => {
    await desk().advance(MINUTE_MS);
    const owner = await desk().visit("/dashboard/members", { as: "owner" });
    await owner.page.getByText("To demand it of others, set up a second factor for yourself first.").waitFor();
    await hands.press(owner.page.getByRole("link", { name: "Go to your account" }));
    await setUpApp(desk(), hands, owner.page);
    await owner.page.goto(`${desk().origin}/dashboard/members`);
    await hands.press(button(owner.page, "Demand a second factor"));
    await hands.press(button(owner.page.getByRole("dialog"), "Demand a second factor"));
    await owner.page.getByText("A second factor is demanded of every member.").waitFor();

    const viewer = await desk().visit("/dashboard/sites", { as: "viewer" });
    await heading(viewer.page, "Set up a second factor").waitFor();
    assert.equal(new URL(viewer.page.url()).pathname, "/dashboard/account");
    assert.equal((await button(viewer.page, "Menu").count()) + (await textbox(viewer.page, "New password").count()), 0);
    assert.equal((await viewer.ask("sites")).body.error?.code, "second_factor_demanded");
    await setUpApp(desk(), hands, viewer.page);
    await heading(viewer.page, "Your account").waitFor();
    assert.equal((await viewer.ask("sites")).status, 200);
    await hands.press(button(viewer.page, "Turn off"));
    await hands.press(button(viewer.page.getByRole("dialog"), "Turn off"));
    await viewer.page.getByText("Add another one before you remove this.").waitFor();

    await hands.press(button(owner.page, "Stop demanding it"));
    await hands.press(button(owner.page.getByRole("dialog"), "Stop demanding it"));
    await owner.page.getByText("A second factor is no longer demanded.").waitFor();
    await viewer.close([403]);
    await owner.close();
  });
}

function testEndSessions(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: an admin ends a member's sessions, who may sign in again`, async () => {
    await desk().advance(MINUTE_MS);
    const viewer = await desk().visit("/dashboard/sites", { as: "viewer" });
    const { member } = viewer;
    assert.ok(member !== undefined);
    const admin = await desk().visit("/dashboard/members", { as: "admin" });
    await hands.press(button(admin.page, `End sessions: ${member.name}`));
    await hands.press(button(admin.page.getByRole("dialog"), "End sessions"));
    await admin.page.getByText("The sessions are ended.").waitFor();
    assert.equal((await viewer.ask("me")).status, 401);
    await viewer.page.reload();
    await waitForPath(viewer.page, "/dashboard/sign-in");
    await sendPassword(hands, viewer.page, member.email, PASSWORD);
    await waitForPath(viewer.page, "/dashboard/sites");
    await viewer.close([401]);
    await admin.close();
  });
}

/** Codes for a rainy day, and who must have a second factor, and when it is asked for. */
export function testSecondFactors(desk: () => Desk, hands: Hands): void {
  testRecovery(desk, hands);
  testPassword(desk, hands);
  testResetLink(desk, hands);
  testDemand(desk, hands);
  testEndSessions(desk, hands);
}
