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
  link,
  textbox,
  waitForPath,
} from "@stile/testkit/browser/on-page";
import { PASSWORD } from "@stile/testkit/contract/dashboard";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";

const OWN_PASSWORD = "brisk heron ladders quietly";

/** Fills in the sign-in form and sends it. */
export async function sendPassword(
  { press, write }: InputMethod,
  page: Page,
  email: string,
  password: string,
): Promise<void> {
  await write(textbox(page, "Email"), email);
  await write(textbox(page, "Password"), password);
  await press(button(page, "Sign in"));
}

/** Returns the recovery codes that come with a first second factor, and closes their dialog. */
export async function keepRecoveryCodes(
  { press }: InputMethod,
  page: Page,
): Promise<readonly string[]> {
  const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
  await dialog.waitFor();
  const codes = await dialog.locator("li code").allTextContents();
  await press(button(dialog, "I have saved them"));
  await dialog.waitFor({ state: "hidden" });
  return codes;
}

/** Signs out with the menu that has the member's name. */
export async function signOut({ press }: InputMethod, page: Page, name: string): Promise<void> {
  await press(button(page, name));
  await press(button(page, "Sign out"));
  await waitForPath(page, "/dashboard/sign-in");
}

/** The code that an authenticator app with that secret shows. */
export function codeOf(secret: string, nowMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });
}

/**
 * Adds Chromium's virtual security key, which counts as always touched; returns a function that
 * removes it.
 */
async function addAuthenticator({ context, page }: DashboardVisit): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return () => session.detach();
}

/**
 * Tests how the dashboard gets its owner. It comes before all other journeys, which need an owner.
 */
export function testSetUp(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: the set-up link makes the owner once, and leaves the address bar`, async () => {
    const { press, write } = input;
    const path = `/dashboard/link#${dashboard().service.service.setupToken}`;
    const early = await dashboard().visit("/dashboard/sign-in");
    await early.page.getByText("This dashboard has no owner yet").waitFor();
    await early.page.getByText("npm run stile -- reset-link").waitFor();
    assert.equal(await early.page.getByRole("textbox").count(), 0, "no form that nobody could use");
    await early.close();
    const first = await dashboard().visit(path);
    await heading(first.page, "Set up Stile").waitFor();
    assert.equal(new URL(first.page.url()).hash, "");
    await write(textbox(first.page, "Email"), "Ada@Example.org");
    await write(textbox(first.page, "Your name"), "Ada");
    await write(textbox(first.page, "Password"), "password12");
    await press(button(first.page, "Create the owner account"));
    await first.page.getByRole("alert").waitFor();
    await write(textbox(first.page, "Password"), OWN_PASSWORD);
    await press(button(first.page, "Create the owner account"));
    await waitForPath(first.page, "/dashboard/sites");
    await link(first.page, "Demo").waitFor();
    const { user } = (await first.ask("me")).body.data as { user: Record<string, string> };
    assert.deepEqual([user.email, user.name, user.role], ["ada@example.org", "Ada", "owner"]);
    await first.close([400]);

    const second = await dashboard().visit(path);
    await heading(second.page, "This link no longer works").waitFor();
    await second.close([404]);
  });
}

function testSignIn(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: signing out ends the session, and only the right password starts a new one`, async () => {
    await dashboard().advance(MINUTE_MS);
    const visit = await dashboard().visit("/dashboard/system", { as: "admin" });
    const { page, member } = visit;
    assert.ok(member !== undefined);
    await heading(page, "System").waitFor();
    const [old] = await visit.context.cookies();
    await signOut(input, page, member.name);
    const left = await visit.context.cookies();
    // For a moment the sign-in page checks whether this browser would keep a session.
    assert.deepEqual(
      left.filter(({ name }) => name !== "stile-probe"),
      [],
    );
    assert.ok(old !== undefined);
    await visit.context.addCookies([old]);
    assert.equal((await visit.ask("me")).status, 401);
    await visit.context.clearCookies();

    await page.goto(`${dashboard().origin}/dashboard/system`);
    await waitForPath(page, "/dashboard/sign-in");
    await sendPassword(input, page, member.email, "not the password");
    await page.getByRole("alert").waitFor();
    await sendPassword(input, page, member.email, PASSWORD);
    await heading(page, "System").waitFor();
    const [cookie] = await visit.context.cookies();
    assert.ok(cookie?.httpOnly && cookie.name === "stile");
    assert.equal(await page.evaluate("document.cookie"), "");
    await visit.close([401, 401]);
  });
}

function testTotp(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: with an authenticator app the password alone does not sign in, and each code works once`, async () => {
    await dashboard().advance(MINUTE_MS);
    const visit = await dashboard().visit("/dashboard/account", { as: "developer" });
    const { page, member } = visit;
    assert.ok(member !== undefined);
    await input.press(button(page, "Set up"));
    await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
    const secret = (await page.locator("form code").first().textContent()) ?? "";
    const code = textbox(page, "Code from your authenticator app");
    const first = codeOf(secret, dashboard().nowMs());
    await input.write(code, first);
    await input.press(button(page, "Turn on"));
    await keepRecoveryCodes(input, page);
    await button(page, "Turn off").waitFor();

    await signOut(input, page, member.name);
    await sendPassword(input, page, member.email, PASSWORD);
    await input.write(code, first);
    await input.press(button(page, "Confirm the code"));
    await page.getByRole("alert").waitFor();
    await dashboard().advance(MINUTE_MS);
    await input.write(code, codeOf(secret, dashboard().nowMs()));
    await input.press(button(page, "Confirm the code"));
    await waitForPath(page, "/dashboard/sites");
    await visit.close([401, 401]);
  });
}

function testPasskey(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: a passkey signs in without a password, and stops working once it is removed`, async () => {
    await dashboard().advance(MINUTE_MS);
    const visit = await dashboard().visit("/dashboard/account", { as: "developer" });
    const { page, member } = visit;
    assert.ok(member !== undefined);
    const removeAuthenticator = await addAuthenticator(visit);
    await input.write(textbox(page, "Name of the passkey"), "Laptop");
    await input.press(button(page, "Add a passkey"));
    await keepRecoveryCodes(input, page);
    await button(page, "Remove the passkey Laptop").waitFor();

    await signOut(input, page, member.name);
    await input.press(button(page, "Sign in with a passkey"));
    await waitForPath(page, "/dashboard/sites");
    const { user } = (await visit.ask("me")).body.data as { user: Record<string, string> };
    assert.equal(user.userId, member.userId);

    await goWithin(page, "/dashboard/account");
    await input.press(button(page, "Remove the passkey Laptop"));
    await input.press(button(page.getByRole("dialog"), "Remove"));
    await page.getByText("No passkeys yet").waitFor();
    await signOut(input, page, member.name);
    await input.press(button(page, "Sign in with a passkey"));
    await page.getByRole("alert").waitFor();
    await removeAuthenticator();
    await visit.close([401]);
  });
}

function testStepUp(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: ten minutes after the last proof of identity a rotation asks for the password`, async () => {
    const site = await dashboard().service.makeSite(`Stepped up ${input.name}`);
    const visit = await dashboard().visit(`/dashboard/sites/${site.siteKey}/keys`, { as: "admin" });
    const { page } = visit;
    await button(page, "Rotate the secret key").waitFor();
    await dashboard().advance(10 * MINUTE_MS);
    const prove = page.getByRole("dialog", { name: "Confirm that it's you" });
    const rotate = async (): Promise<void> => {
      await input.press(button(page, "Rotate the secret key"));
      await input.press(button(page.getByRole("dialog"), "Rotate"));
      await prove.waitFor();
    };
    const revision = async () => (await visit.ask(`sites/${site.siteKey}`)).body.data.revision;
    const before = await revision();
    await rotate();
    await input.press(button(prove, "Cancel"));
    await prove.waitFor({ state: "hidden" });
    assert.equal(
      await page.evaluate(() => document.activeElement?.className),
      "form-error",
      "as soon as it is seen",
    );
    assert.equal(await revision(), before);
    await input.press(button(page.getByRole("dialog"), "Cancel"));

    await rotate();
    await input.write(textbox(prove, "Password"), PASSWORD);
    await input.press(button(prove, "Confirm"));
    await page.getByText("It is not shown again").waitFor();
    assert.notEqual(await revision(), before);
    await visit.close([403, 403]);
  });
}

/** Tests every other way to sign in, and the refusals. */
export function testSigningIn(dashboard: () => DashboardFixture, input: InputMethod): void {
  testSignIn(dashboard, input);
  testTotp(dashboard, input);
  testPasskey(dashboard, input);
  testStepUp(dashboard, input);
}
