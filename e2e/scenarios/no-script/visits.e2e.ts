import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launchPageBrowser, newVisitor } from "@stile/testkit/browser/browser";
import { startService } from "@stile/testkit/service/service";

const service = await startService({ STILE_LOG_LEVEL: "silent" });
const browser = await launchPageBrowser();
const context = await newVisitor(browser, { javaScriptEnabled: false });
after(async () => {
  await browser.close();
  await service.dispose();
});

test("the demo says that its steps don't happen, and sending the form shows the refusal it promises", async () => {
  const page = await context.newPage();
  await page.goto(`${service.baseUrl}/demo`);
  const note = page.locator("form .note");
  assert.match(
    await note.innerText(),
    /^JavaScript is off, so the widget does nothing and steps 1 to 4 below don't/,
  );
  assert.equal(
    await page.locator("stile-captcha").isVisible(),
    false,
    "no room kept for a widget that does not come",
  );
  await page.getByRole("button", { name: "Sign in" }).click();
  assert.equal(await page.locator("h1").innerText(), "Refused");
  assert.match(await page.locator("#answer").innerText(), /"reasonCode": "missing_token"/);
  assert.ok(await page.getByText("JavaScript was off").isVisible());
});

test("the dashboard says that it needs JavaScript, and offers no other way to manage sites (D16, operator)", async () => {
  const page = await context.newPage();
  await page.goto(`${service.baseUrl}/dashboard/sites`);
  const said = await page.locator("body").innerText();
  assert.equal(
    said.trim(),
    "The dashboard needs JavaScript. Turn it on for this address and reload the page.",
  );
});
