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
  combobox,
  goWithin,
  heading,
  link,
  textbox,
  waitForPath,
} from "@stile/testkit/browser/on-page";
import { newSession } from "@stile/testkit/contract/dashboard";
import type { Page } from "playwright-core";

/** Expects every control that changes something to be missing or disabled. */
async function expectNoWriteControls(page: Page, origin: string, siteKey: string): Promise<void> {
  await link(page, "Demo").waitFor();
  assert.equal(await link(page, "New site").count(), 0);
  for (const place of ["Members", "Audit log", "System"])
    assert.equal(await link(page, place).count(), 0);
  await goWithin(page, `/dashboard/sites/${siteKey}/settings`);
  await textbox(page, "Name").waitFor();
  assert.ok(await textbox(page, "Name").isDisabled());
  assert.equal(await button(page, "Save changes").count(), 0);
  assert.ok(await button(page, "Delete the site").isDisabled());
  await link(page, "Keys").click();
  assert.ok(await button(page, "Rotate the secret key").isDisabled());
  await page.goto(`${origin}/dashboard/members`);
  await page.getByText("This page is for admins and owners of the account.").waitFor();
}

/** Expects the service to refuse what the page hides. */
async function expectRefused({ ask }: DashboardVisit, siteKey: string): Promise<void> {
  const calls: [string, string, object?][] = [
    ["sites", "POST", { name: "Mine", domains: ["localhost"] }],
    [`sites/${siteKey}`, "PATCH", { revision: 1, name: "Mine" }],
    [`sites/${siteKey}`, "DELETE", { name: "Demo" }],
    [`sites/${siteKey}/rotate`, "POST"],
    [`sites/${siteKey}/revoke`, "POST"],
    ["members", "GET"],
    ["members", "POST", { role: "viewer" }],
    ["audit", "GET"],
    ["system", "GET"],
  ];
  for (const [path, method, body] of calls) {
    const { status, body: answer } = await ask(path, method, body);
    assert.deepEqual([status, answer.error?.code], [403, "not_allowed"], `${method} ${path}`);
  }
  assert.equal((await ask(`sites/${siteKey}`)).status, 200);
}

/** Renames the account, from the name that the page shows. */
async function rename(
  { press, write }: InputMethod,
  page: Page,
  from: string,
  to: string,
): Promise<void> {
  const panel = page.getByRole("form", { name: "Account name" });
  const field = textbox(panel, "Name");
  assert.equal(await field.inputValue(), from);
  await write(field, to);
  await press(button(panel, "Save name"));
  await page.getByText("The account was renamed.").last().waitFor();
  await page.getByText(`owner of ${to}`).waitFor({ state: "attached" });
}

/** Makes an invitation for a viewer; returns its address. */
async function invite({ press, choose }: InputMethod, page: Page): Promise<string> {
  await choose(combobox(page, "Role"), "Viewer");
  await press(button(page, "Create invitation"));
  const dialog = page.getByRole("dialog", { name: "Link to share" });
  const address = (await dialog.locator("code").textContent()) ?? "";
  await press(button(dialog, "Done"));
  return address;
}

function testInvitation(dashboard: () => DashboardFixture, input: InputMethod): void {
  const { press, write } = input;
  test(`${input.name}: an owner`, async (t) => {
    await dashboard().advance(MINUTE_MS);
    const { siteKey } = await dashboard().service.makeSite(`Viewed ${input.name}`);
    const name = `Vera ${input.name}`;
    const email = `vera-${input.name.replace(/\W/g, "")}@example.org`;
    const owner = await dashboard().visit("/dashboard/members", { as: "owner" });
    const { page } = owner;

    await t.test("names the account", () => rename(input, page, "Default", "Otters Ltd"));

    const address = await invite(input, page);
    assert.ok(address.startsWith(`${dashboard().origin}/dashboard/link#`));
    const viewer = await dashboard().visit(new URL(address).pathname + new URL(address).hash);

    await t.test("invites a viewer, who sees the account's name", async () => {
      await heading(viewer.page, "Join Otters Ltd").waitFor();
      await write(textbox(viewer.page, "Email"), email);
      await write(textbox(viewer.page, "Your name"), name);
      await write(textbox(viewer.page, "Password"), "slow rivers under bridges");
      await press(button(viewer.page, "Join"));
      await waitForPath(viewer.page, "/dashboard/sites");
    });

    await t.test("has a viewer who can look but not change anything", async () => {
      await expectNoWriteControls(viewer.page, dashboard().origin, siteKey);
      await expectRefused(viewer, siteKey);
    });

    await t.test("removes the viewer, whose session ends at once", async () => {
      // The page reads the list again.
      await goWithin(page, "/dashboard/sites");
      await goWithin(page, "/dashboard/members");
      await press(button(page, `Remove: ${name}`));
      const removal = page.getByRole("dialog", { name: `Remove ${name}` });
      await write(textbox(removal, `Type “${email}” to confirm`), email);
      await press(button(removal, "Remove"));
      await page.getByText("The member was removed.").waitFor();
      assert.equal((await viewer.ask("me")).status, 401);
      await viewer.page.reload();
      await waitForPath(viewer.page, "/dashboard/sign-in");
      await viewer.close([401]);
    });

    await t.test("gives the account its first name back", () =>
      rename(input, page, "Otters Ltd", "Default"),
    );
    await owner.close();
  });
}

function testSessions(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: ending a session from another browser takes effect at once and keeps the own session`, async () => {
    const other = await dashboard().visit("/dashboard/sites", { as: "viewer" });
    const { member } = other;
    assert.ok(member !== undefined);
    await link(other.page, "Demo").waitFor();
    await newSession(dashboard().fixture, member, { device: "Safari on iPhone" });
    const own = await dashboard().visit("/dashboard/account", { as: member });
    const { page } = own;
    await input.press(button(page, "End session: Safari on iPhone"));
    await page.getByText("The session was ended.").waitFor();
    assert.equal((await other.ask("me")).status, 200);
    await input.press(button(page, "End all other sessions"));
    await page.getByText("All other sessions were ended.").waitFor();
    assert.equal((await other.ask("me")).status, 401);
    assert.equal((await own.ask("me/sessions")).body.data.length, 1);
    await other.page.reload();
    await waitForPath(other.page, "/dashboard/sign-in");
    await other.close([401]);
    await own.close();
  });
}

/** Tests who may sign in, and whose access ends. */
export function testKeepingMembers(dashboard: () => DashboardFixture, input: InputMethod): void {
  testInvitation(dashboard, input);
  testSessions(dashboard, input);
}
