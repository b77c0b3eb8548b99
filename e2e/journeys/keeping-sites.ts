import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type DashboardFixture,
  type DashboardVisit,
  lastFour,
  MINUTE_MS,
  mintToken,
  redeemWith,
} from "@stile/testkit/browser/dashboard";
import type { InputMethod } from "@stile/testkit/browser/input-methods";
import {
  button,
  checkbox,
  combobox,
  heading,
  link,
  radio,
  spinbutton,
  textbox,
  waitForPath,
} from "@stile/testkit/browser/on-page";
import { PASSWORD } from "@stile/testkit/contract/dashboard";
import type { Page } from "playwright-core";

const GRACE_MS = 24 * 60 * MINUTE_MS;

/**
 * Returns the secret key that the page shows only once, and closes its panel by confirming that it
 * is stored.
 */
async function takeSecret({ press }: InputMethod, page: Page, done: string): Promise<string> {
  const panel = page.locator(".new-secret");
  await panel.waitFor();
  const secret = (await panel.locator("dd code").last().textContent()) ?? "";
  assert.match(secret, /^sk_/);
  await press(checkbox(page, "I have stored the secret key"));
  await press(button(page, done));
  await panel.waitFor({ state: "detached" });
  assert.equal((await page.content()).includes(secret), false, "the secret is still in the page");
  return secret;
}

async function expectGone(
  { page, ask }: DashboardVisit,
  siteKey: string,
  secret: string,
): Promise<void> {
  await page.reload();
  await page.locator("table code").first().waitFor();
  assert.equal((await page.content()).includes(secret), false);
  assert.equal(JSON.stringify((await ask(`sites/${siteKey}`)).body).includes(secret), false);
}

function testCreate(dashboard: () => DashboardFixture, input: InputMethod): void {
  const { press, write } = input;
  test(`${input.name}: a new site has its keys, its secret shown once, and a snippet to copy that holds its site key`, async () => {
    const visit = await dashboard().visit("/dashboard/sites", { as: "developer" });
    const { page, context } = visit;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await press(link(page, "New site"));
    await write(textbox(page, "Name"), `Made ${input.name}`);
    await write(textbox(page, "Domains"), "https://Shop.example/cart\nlocalhost");
    await press(radio(page, "Non-interactive"));
    await press(button(page, "Create the site"));
    const secret = await takeSecret(input, page, "Next: install");

    await heading(page, "1. On your page").waitFor();
    const siteKey = new URL(page.url()).pathname.split("/")[3] ?? "";
    const stored = (await visit.ask(`sites/${siteKey}`)).body.data;
    assert.deepEqual(
      [stored.name, stored.domains, stored.mode],
      [`Made ${input.name}`, ["shop.example", "localhost"], "non_interactive"],
    );
    await press(button(page, "Copy: HTML"));
    await page.getByText("HTML: copied.").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(
      copied.includes(`<stile-captcha sitekey="${siteKey}">`) &&
        copied.includes(`${dashboard().origin}/stile.js`),
    );
    assert.equal(copied.includes(secret), false);

    await page.getByText("Not seen yet").first().waitFor();
    assert.equal(
      await redeemWith(dashboard(), secret, await mintToken(dashboard(), { siteKey })),
      "verified",
    );
    await press(link(page.getByRole("navigation", { name: "Pages of this site" }), "Keys"));
    await expectGone(visit, siteKey, secret);
    await context.clearPermissions();
    await visit.close();
  });
}

/**
 * The preview: the widget's background (painted once its script runs), its language and its state.
 */
async function previewOf(
  page: Page,
): Promise<{ fixture: string; language: string | null; state: string }> {
  const face = page
    .locator(".preview stile-captcha [role=checkbox], .preview stile-captcha button")
    .first();
  await face.waitFor();
  return page.locator(".preview stile-captcha").evaluate((element) => {
    const parts = [...(element.shadowRoot?.querySelectorAll("*") ?? [])];
    const fixtures = parts.map((part) => getComputedStyle(part).backgroundColor);
    const fixture = fixtures.find((color) => color !== "rgba(0, 0, 0, 0)") ?? "none";
    const { state } = element as unknown as { readonly state: string };
    return { fixture, language: element.getAttribute("language"), state };
  });
}

function testUpdate(dashboard: () => DashboardFixture, input: InputMethod): void {
  const { press, write, choose } = input;
  test(`${input.name}: every group of settings is saved as set, and the preview follows before saving`, async () => {
    const { siteKey } = await dashboard().service.makeSite(`Changed ${input.name}`);
    const visit = await dashboard().visit(`/dashboard/sites/${siteKey}/settings`, {
      as: "developer",
    });
    const { page } = visit;
    await write(textbox(page, "Name"), `Renamed ${input.name}`);
    await write(textbox(page, "Domains"), "localhost\nforum.example");
    const before = await previewOf(page);
    await press(radio(page, "Interactive"));
    await choose(combobox(page, "Theme"), "Dark");
    await choose(combobox(page, "Language"), "Deutsch (de)");
    const after = await previewOf(page);
    assert.notEqual(after.fixture, before.fixture, "the preview is still light");
    assert.equal(after.state, "idle", "the preview woke when the settings were touched");
    assert.deepEqual([before.language, after.language], ["auto", "de"]);
    await write(spinbutton(page, "Challenge from score"), "0.25");
    await write(spinbutton(page, "Block from score"), "0.75");
    await choose(combobox(page, "Difficulty"), "Twice the work");
    await write(spinbutton(page, "Token lifetime (seconds)"), "120");
    await press(radio(page, "Strict"));
    await write(spinbutton(page, "Verifications (per minute)"), "777");
    await press(checkbox(page, ENABLED));
    await press(button(page, "Save changes"));
    await page.getByText("The settings are saved.").waitFor();
    const { data } = (await visit.ask(`sites/${siteKey}`)).body;
    const { name, domains, mode, theme, language, thresholds, difficultyOffset, tokenLifeSeconds } =
      data;
    assert.deepEqual([name, domains], [`Renamed ${input.name}`, ["localhost", "forum.example"]]);
    assert.deepEqual([mode, theme, language], ["interactive", "dark", "de"]);
    assert.deepEqual([thresholds, difficultyOffset], [{ challenge: 0.25, block: 0.75 }, 1]);
    assert.deepEqual([tokenLifeSeconds, data.binding], [120, "strict"]);
    assert.deepEqual(
      [data.isEnabled, data.verifyPerMinute, data.scorePerMinute],
      [false, 777, null],
    );
    await page.reload();
    await heading(page, `Renamed ${input.name}`).waitFor();
    assert.equal(await textbox(page, "Domains").inputValue(), "localhost\nforum.example");
    await visit.close();
  });
}

/** A checkbox's help text is part of its accessible name. */
const ENABLED =
  "Enabled When this is off, the widget gets no challenges, and your server's calls are refused with site_disabled. Nothing is lost, and you can turn it back on at any time.";

async function rotate(input: InputMethod, page: Page): Promise<string> {
  await input.press(button(page, "Rotate the secret key"));
  await input.press(button(page.getByRole("dialog"), "Rotate"));
  return takeSecret(input, page, "Done");
}

function testRotate(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: after a rotation the old secret works for 24 h alongside the new one`, async () => {
    const { siteKey, secretKey: old } = await dashboard().service.makeSite(`Rotated ${input.name}`);
    const visit = await dashboard().visit(`/dashboard/sites/${siteKey}/keys`, { as: "admin" });
    const { page } = visit;
    const fresh = await rotate(input, page);
    assert.equal(
      await redeemWith(dashboard(), old, await mintToken(dashboard(), { siteKey })),
      "verified",
    );
    assert.equal(
      await redeemWith(dashboard(), fresh, await mintToken(dashboard(), { siteKey })),
      "verified",
    );
    await expectGone(visit, siteKey, fresh);
    const replaced = page.getByRole("row", { name: `…${lastFour(old)} Replaced` });
    assert.match((await replaced.textContent()) ?? "", /24 h$|23 h 59 min/);
    await visit.close();

    await dashboard().advance(GRACE_MS - 1);
    assert.equal(
      await redeemWith(dashboard(), old, await mintToken(dashboard(), { siteKey })),
      "verified",
    );
    await dashboard().advance(1);
    assert.equal(
      await redeemWith(dashboard(), old, await mintToken(dashboard(), { siteKey })),
      "invalid_secret",
    );
    assert.equal(
      await redeemWith(dashboard(), fresh, await mintToken(dashboard(), { siteKey })),
      "verified",
    );
  });

  test(`${input.name}: replaced secrets are revoked at once by typing the site's name`, async () => {
    const name = `Revoked ${input.name}`;
    const { siteKey, secretKey: old } = await dashboard().service.makeSite(name);
    const visit = await dashboard().visit(`/dashboard/sites/${siteKey}/keys`, { as: "admin" });
    const { page } = visit;
    const fresh = await rotate(input, page);
    await input.press(button(page, "Revoke replaced keys now"));
    const dialog = page.getByRole("dialog");
    const [above, below] = await dialog.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return [top, window.innerHeight - bottom] as const;
    });
    assert.ok(
      Math.abs(above - below) < 2,
      `in the middle of the window: ${above} px above, ${below} below`,
    );
    await input.write(textbox(dialog, `Type “${name}” to confirm`), name.slice(1));
    assert.ok(await button(dialog, "Revoke now").isDisabled());
    await input.write(textbox(dialog, `Type “${name}” to confirm`), name);
    await input.press(button(dialog, "Revoke now"));
    await page.getByText("The replaced keys no longer work.").waitFor();
    assert.equal(
      await redeemWith(dashboard(), old, await mintToken(dashboard(), { siteKey })),
      "invalid_secret",
    );
    assert.equal(
      await redeemWith(dashboard(), fresh, await mintToken(dashboard(), { siteKey })),
      "verified",
    );
    await visit.close();
  });
}

function testDelete(dashboard: () => DashboardFixture, input: InputMethod): void {
  const { press, write } = input;
  test(`${input.name}: a deleted site stops at once, and a restored one works only with a new secret`, async () => {
    const name = `Deleted ${input.name}`;
    const { siteKey, secretKey: old } = await dashboard().service.makeSite(name);
    const visit = await dashboard().visit(`/dashboard/sites/${siteKey}/settings`, { as: "admin" });
    const { page } = visit;
    const held = await mintToken(dashboard(), { siteKey });
    await press(button(page, "Delete the site"));
    const dialog = page.getByRole("dialog");
    assert.ok(await button(dialog, "Delete the site").isDisabled());
    await write(textbox(dialog, `Type “${name}” to confirm`), name);
    await press(button(dialog, "Delete the site"));
    await waitForPath(page, "/dashboard/sites");
    await button(page, `Restore ${name}`).waitFor();
    assert.equal(await link(page, name).count(), 0);
    assert.equal(await redeemWith(dashboard(), old, held), "invalid_secret");
    const challenge = await fetch(
      `${dashboard().service.baseUrl}/api/v1/pow/challenge?site_key=${siteKey}`,
      {
        headers: { Origin: "http://localhost" },
      },
    );
    assert.equal(challenge.status, 404);

    await press(button(page, `Restore ${name}`));
    await press(button(page.getByRole("dialog"), "Restore"));
    const fresh = await takeSecret(input, page, "Done");
    await link(page, name).waitFor();
    assert.equal(
      await redeemWith(dashboard(), old, await mintToken(dashboard(), { siteKey })),
      "invalid_secret",
    );
    assert.equal(
      await redeemWith(dashboard(), fresh, await mintToken(dashboard(), { siteKey })),
      "verified",
    );
    await visit.close();
  });
}

function testDeleteWithProof(dashboard: () => DashboardFixture, input: InputMethod): void {
  const { press, write } = input;
  test(`${input.name}: deleting a site asks for the password in the only open dialog, and keeps the typed name`, async () => {
    const name = `Proven ${input.name}`;
    const { siteKey } = await dashboard().service.makeSite(name);
    const visit = await dashboard().visit(`/dashboard/sites/${siteKey}/settings`, { as: "admin" });
    const { page } = visit;
    await button(page, "Delete the site").waitFor();
    await dashboard().advance(10 * MINUTE_MS);
    await press(button(page, "Delete the site"));
    const confirm = page.getByRole("dialog", { name: "Delete this site" });
    const typed = textbox(confirm, `Type “${name}” to confirm`);
    await write(typed, name);
    const prove = page.getByRole("dialog", { name: "Confirm that it's you" });
    const expectProve = async (): Promise<void> => {
      await press(button(confirm, "Delete the site"));
      await prove.waitFor();
      assert.equal(await page.locator("dialog:modal").count(), 1);
    };
    await expectProve();
    await press(button(prove, "Cancel"));
    await confirm.waitFor();
    assert.equal(await typed.inputValue(), name);
    await expectProve();
    await write(textbox(prove, "Password"), PASSWORD);
    await press(button(prove, "Confirm"));
    await waitForPath(page, "/dashboard/sites");
    await button(page, `Restore ${name}`).waitFor();
    await visit.close([403, 403]);
  });
}

function testWeakenWithProof(dashboard: () => DashboardFixture, input: InputMethod): void {
  const { press, write } = input;
  test(`${input.name}: adding a domain asks for the password, and keeps what was typed if the visitor cancels`, async () => {
    const { siteKey } = await dashboard().service.makeSite(`Widened ${input.name}`);
    const visit = await dashboard().visit(`/dashboard/sites/${siteKey}/settings`, { as: "admin" });
    const { page } = visit;
    const domains = textbox(page, "Domains");
    await domains.waitFor();
    await dashboard().advance(10 * MINUTE_MS);
    await write(domains, "shop.example\nother.example");
    const prove = page.getByRole("dialog", { name: "Confirm that it's you" });
    await press(button(page, "Save changes"));
    await prove.waitFor();
    await press(button(prove, "Cancel"));
    await prove.waitFor({ state: "hidden" });
    assert.equal(await domains.inputValue(), "shop.example\nother.example");
    await press(button(page, "Save changes"));
    await write(textbox(prove, "Password"), PASSWORD);
    await press(button(prove, "Confirm"));
    await page.getByText("The settings are saved.").waitFor();
    const { body } = await visit.ask(`sites/${siteKey}`);
    assert.deepEqual(body.data.domains, ["shop.example", "other.example"]);
    await visit.close([403, 403]);
  });
}

function testUnknownSite(dashboard: () => DashboardFixture, { name, press }: InputMethod): void {
  test(`${name}: an unknown site has one page that says so, without the tabs of a site`, async () => {
    const visit = await dashboard().visit("/dashboard/sites", { as: "viewer" });
    const { page } = visit;
    let refused = 0;
    page.on("response", (response) => {
      if (response.status() === 404) refused += 1;
    });
    for (const tab of ["", "/scores", "/decisions", "/settings", "/keys", "/install"]) {
      await page.goto(`${dashboard().origin}/dashboard/sites/pk_nowhere${tab}`);
      await heading(page, "Site not found").waitFor();
      assert.equal(
        await page.getByRole("navigation", { name: "Pages of this site" }).count(),
        0,
        tab,
      );
      assert.equal(await page.getByRole("alert").count(), 0, tab);
    }
    await press(link(page, "Go to your sites"));
    await waitForPath(page, "/dashboard/sites");
    await visit.close(Array.from({ length: refused }, () => 404));
  });
}

/** Tests a site from its creation to its deletion and restoration. */
export function testKeepingSites(dashboard: () => DashboardFixture, input: InputMethod): void {
  testCreate(dashboard, input);
  testUpdate(dashboard, input);
  testRotate(dashboard, input);
  testDelete(dashboard, input);
  testDeleteWithProof(dashboard, input);
  testWeakenWithProof(dashboard, input);
  testUnknownSite(dashboard, input);
}
