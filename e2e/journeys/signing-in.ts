import assert from "node:assert/strict";
import { test } from "node:test";
import { type Desk, MINUTE_MS, openDesk, type Visit } from "@stile/testkit/browser/dashboard";
import type { Hands } from "@stile/testkit/browser/hands";
import { button, heading, link, textbox, waitForPath } from "@stile/testkit/browser/on-page";
import { PASSWORD } from "@stile/testkit/contract/dashboard";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";

const OWN_PASSWORD = "brisk heron ladders quietly";

/** Fills in the sign-in form and sends it. */
export async function sendPassword(
  { press, write }: Hands,
  page: Page,
  email: string,
  password: string,
): Promise<void> {
  await write(textbox(page, "Email"), email);
  await write(textbox(page, "Password"), password);
  await press(button(page, "Sign in"));
}

/** Takes the codes that come with a first second factor, and closes their dialog. */
export async function keepRecoveryCodes({ press }: Hands, page: Page): Promise<readonly string[]> {
  const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
  await dialog.waitFor();
  const codes = await dialog.locator("li code").allTextContents();
  await press(button(dialog, "I have kept them"));
  await dialog.waitFor({ state: "hidden" });
  return codes;
}

/** Signs out by the menu that bears the member's name. */
export async function signOut({ press }: Hands, page: Page, name: string): Promise<void> {
  await press(button(page, name));
  await press(button(page, "Sign out"));
  await waitForPath(page, "/dashboard/sign-in");
}

/** What an authenticator app with that secret shows. */
export function codeOf(secret: string, nowMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });
}

/** A security key of Chromium's own, on which a finger always rests. */
async function addAuthenticator({ context, page }: Visit): Promise<void> {
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
}

function testSetUp(hands: Hands): void {
  test(`${hands.name}: the set-up link makes the owner, once, and leaves the address bar`, async () => {
    const { press, write } = hands;
    const desk = await openDesk();
    try {
      const path = `/dashboard/link#${desk.service.service.setupToken}`;
      const early = await desk.visit("/dashboard/sign-in");
      await early.page.getByText("Nobody owns this dashboard yet").waitFor();
      await early.page.getByText("npm run stile -- reset-link").waitFor();
      assert.equal(await early.page.getByRole("textbox").count(), 0, "no form that nobody could use");
      await early.close();
      const first = await desk.visit(path);
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

      const second = await desk.visit(path);
      await heading(second.page, "This link does not work any more").waitFor();
      await second.close([404]);
      await first.close([400]);
    } finally {
      await desk.dispose();
    }
  });
}

function testSignIn(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: signing out ends the session, and only the right password makes a new one`, async () => {
    await desk().advance(MINUTE_MS);
    const visit = await desk().visit("/dashboard/system", { as: "admin" });
    const { page, member } = visit;
    assert.ok(member !== undefined);
    await heading(page, "System").waitFor();
    const [old] = await visit.context.cookies();
    await signOut(hands, page, member.name);
    assert.deepEqual(await visit.context.cookies(), []);
    assert.ok(old !== undefined);
    await visit.context.addCookies([old]);
    assert.equal((await visit.ask("me")).status, 401);
    await visit.context.clearCookies();

    await page.goto(`${desk().origin}/dashboard/system`);
    await waitForPath(page, "/dashboard/sign-in");
    await sendPassword(hands, page, member.email, "not the password");
    await page.getByRole("alert").waitFor();
    await sendPassword(hands, page, member.email, PASSWORD);
    await heading(page, "System").waitFor();
    const [cookie] = await visit.context.cookies();
    assert.ok(cookie?.httpOnly && cookie.secure && cookie.name === "__Host-stile");
    assert.equal(await page.evaluate("document.cookie"), "");
    await visit.close([401, 401]);
  });
}

function testTotp(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: with an authenticator app the password alone opens nothing, and no code opens twice`, async () => {
    await desk().advance(MINUTE_MS);
    const visit = await desk().visit("/dashboard/account", { as: "developer" });
    const { page, member } = visit;
    assert.ok(member !== undefined);
    await hands.press(button(page, "Set it up"));
    await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
    const secret = (await page.locator("form code").first().textContent()) ?? "";
    const code = textbox(page, "Code of your authenticator app");
    const first = codeOf(secret, desk().nowMs());
    await hands.write(code, first);
    await hands.press(button(page, "Turn on"));
    await keepRecoveryCodes(hands, page);
    await button(page, "Turn off").waitFor();

    await signOut(hands, page, member.name);
    await sendPassword(hands, page, member.email, PASSWORD);
    await hands.write(code, first);
    await hands.press(button(page, "Confirm the code"));
    await page.getByRole("alert").waitFor();
    await desk().advance(MINUTE_MS);
    await hands.write(code, codeOf(secret, desk().nowMs()));
    await hands.press(button(page, "Confirm the code"));
    await waitForPath(page, "/dashboard/sites");
    await visit.close([401, 401]);
  });
}

function testPasskey(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: a passkey signs in without a password, and no more once it was removed`, async () => {
    await desk().advance(MINUTE_MS);
    const visit = await desk().visit("/dashboard/account", { as: "developer" });
    const { page, member } = visit;
    assert.ok(member !== undefined);
    await addAuthenticator(visit);
    await hands.write(textbox(page, "Name of the passkey"), "Laptop");
    await hands.press(button(page, "Add a passkey"));
    await keepRecoveryCodes(hands, page);
    await button(page, "Remove the passkey Laptop").waitFor();

    await signOut(hands, page, member.name);
    await hands.press(button(page, "Sign in with a passkey"));
    await waitForPath(page, "/dashboard/sites");
    const { user } = (await visit.ask("me")).body.data as { user: Record<string, string> };
    assert.equal(user.userId, member.userId);

    await page.goto(`${desk().origin}/dashboard/account`);
    await hands.press(button(page, "Remove the passkey Laptop"));
    await hands.press(button(page.getByRole("dialog"), "Remove"));
    await page.getByText("No passkeys yet").waitFor();
    await signOut(hands, page, member.name);
    await hands.press(button(page, "Sign in with a passkey"));
    await page.getByRole("alert").waitFor();
    await visit.close([401]);
  });
}

function testStepUp(desk: () => Desk, hands: Hands): void {
  test(`${hands.name}: ten minutes after the last proof a rotation asks for the password first`, async () => {
    const site = await desk().service.makeSite(`Stepped up ${hands.name}`);
    const visit = await desk().visit(`/dashboard/sites/${site.siteKey}/keys`, { as: "admin" });
    const { page } = visit;
    await button(page, "Rotate the secret key").waitFor();
    await desk().advance(10 * MINUTE_MS);
    const prove = page.getByRole("dialog", { name: "Confirm that it is you" });
    const rotate = async (): Promise<void> => {
      await hands.press(button(page, "Rotate the secret key"));
      await hands.press(button(page.getByRole("dialog"), "Rotate"));
      await prove.waitFor();
    };
    const revision = async () => (await visit.ask(`sites/${site.siteKey}`)).body.data.revision;
    const before = await revision();
    await rotate();
    await hands.press(button(prove, "Cancel"));
    await prove.waitFor({ state: "hidden" });
    assert.equal(await revision(), before);
    await hands.press(button(page.getByRole("dialog"), "Cancel"));

    await rotate();
    await hands.write(textbox(prove, "Password"), PASSWORD);
    await hands.press(button(prove, "Confirm"));
    await page.getByText("It is not shown again").waitFor();
    assert.notEqual(await revision(), before);
    await visit.close([403, 403]);
  });
}

/** Getting in, by every way there is, and staying out. */
export function testSigningIn(desk: () => Desk, hands: Hands): void {
  testSetUp(hands);
  testSignIn(desk, hands);
  testTotp(desk, hands);
  testPasskey(desk, hands);
  testStepUp(desk, hands);
}
