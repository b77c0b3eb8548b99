import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { pageSnippets } from "@stile/dashboard/features/sites/install/page-snippets";
import { launchVisitorBrowser, newVisitor, openPage } from "@stile/testkit/browser/browser";
import { serveFormPage } from "@stile/testkit/browser/form-page";
import { redeem } from "@stile/testkit/contract/redeem";
import { SQLITE, startInProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";

const fixture = await startInProcess({}, SQLITE);
const site = await newSite(fixture, { noScript: "wait", domains: ["localhost"] });
const looks = { mode: "managed", theme: "auto", language: "auto" } as const;
const facts = {
  baseUrl: fixture.baseUrl,
  siteKey: site.siteKey,
  noScript: "wait",
  ...looks,
} as const;
const snippet = pageSnippets(facts).find(({ id }) => id === "html")?.code ?? "";
const form = await serveFormPage(fixture.baseUrl, snippet.replace("/sign-up", "/sent"));
const browser = await launchVisitorBrowser();
after(async () => {
  await browser.close();
  await form.stop();
  await fixture.stop();
});

const visitor = (options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  newVisitor(browser, { javaScriptEnabled: false, ...options });
const heading = (page: Page): Promise<string> => page.locator("h1").innerText();

/** Follows the link of the form's page, which opens a new page. */
async function followLink(page: Page): Promise<Page> {
  // Each visitor gets a minute of their own, because of the limit.
  fixture.clock.advance(120_000);
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Get a code" }).click();
  const wait = await opened;
  await wait.getByRole("button", { name: "Continue" }).waitFor();
  return wait;
}

test("a visitor without JavaScript waits, pastes the code, and sends the form with a valid token (D18, no JavaScript)", async () => {
  const context = await visitor();
  const page = await context.newPage();
  await page.goto(form.url);
  await page.locator("input[name=email]").fill("ada@example.org");
  const wait = await followLink(page);
  assert.equal(await heading(wait), "Please wait 30 seconds");
  assert.match(
    await wait.locator("main").innerText(),
    /The form on localhost checks that it is not submitted by a bot\./,
  );
  await wait.getByRole("button", { name: "Continue" }).click();
  assert.equal(await heading(wait), "Not quite yet");
  fixture.clock.advance(30_000);
  await wait.getByRole("button", { name: "Continue" }).click();
  assert.equal(await heading(wait), "Your code is ready");
  const code = await wait.getByLabel("Your code").inputValue();
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.waitForURL(/\/sent$/);
  const fields = form.sent.at(-1)?.fields;
  assert.deepEqual(fields, { email: "ada@example.org", "stile-response": code });
  const call = {
    token: code,
    remoteip: "127.0.0.1",
    user_agent: await wait.evaluate(() => navigator.userAgent),
  };
  const { data } = (await redeem(fixture, site, call)).body;
  assert.deepEqual(
    [data.verified, data.no_script, data.score, data.hostname],
    [true, true, 0.3, "localhost"],
  );
  await wait.reload();
  assert.equal(
    await heading(wait),
    "Please start again",
    "a page that is sent again yields no second code",
  );
  await context.close();
});

test("the keyboard is enough for the whole flow, including copy and paste (WCAG 2.1.1)", async () => {
  const context = await visitor();
  const page = await context.newPage();
  await page.goto(form.url);
  const wait = await followLink(page);
  fixture.clock.advance(30_000);
  await wait.keyboard.press("Tab");
  await wait.keyboard.press("Enter");
  await wait.getByLabel("Your code").waitFor();
  await wait.keyboard.press("Tab");
  for (const key of ["Control+A", "Control+C"]) await wait.keyboard.press(key);
  await page.bringToFront();
  await page.getByLabel("Code").focus();
  await page.keyboard.press("Control+V");
  assert.equal(
    await page.getByLabel("Code").inputValue(),
    await wait.getByLabel("Your code").inputValue(),
  );
  await context.close();
});

test("with JavaScript on, the form's page has neither the link nor the field", async () => {
  const { page } = await openPage(await newVisitor(browser), form.url);
  assert.equal(await page.getByRole("link", { name: "Get a code" }).count(), 0);
  assert.equal(await page.locator("noscript input").count(), 0);
  await page.context().close();
});

test("the field is absent too where a script parsed the page (Turbo, htmx, Unpoly)", async () => {
  const other = await newSite(fixture, { domains: ["localhost"], mode: "non_interactive" });
  const { page } = await openPage(await newVisitor(browser), form.url);
  await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
  await page.evaluate(async (siteKey) => {
    const markup = (await (await fetch(location.href)).text()).replace(/pk_\w+/, siteKey);
    document.body.replaceWith(new DOMParser().parseFromString(markup, "text/html").body);
  }, other.siteKey);
  assert.equal(await page.locator("noscript input").count(), 1);
  const sent = form.sent.length;
  await page.locator("input[name=email]").fill("ada@example.org");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.waitForURL(/\/sent$/);
  assert.ok((form.sent[sent]?.fields["stile-response"]?.length ?? 0) > 100);
  await page.context().close();
});

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, { runOnly: tags });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, WCAG);
}

test("every page fits 320 px and breaks no rule of WCAG 2.2 AA, light and dark", async () => {
  const context = await newVisitor(browser, {
    reducedMotion: "no-preference",
    viewport: { width: 320, height: 640 },
  });
  const { page, complaints } = await openPage(context, "about:blank");
  const hold = async (title: string): Promise<void> => {
    assert.equal(await heading(page), title);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await findViolations(page), [], `${title}, ${colorScheme}`);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        title,
      );
    }
  };
  fixture.clock.advance(120_000);
  await page.goto(`${fixture.baseUrl}/noscript?sitekey=${site.siteKey}&host=localhost`);
  await hold("Please wait 30 seconds");
  await page.getByRole("button", { name: "Continue" }).click();
  await hold("Not quite yet");
  fixture.clock.advance(30_000);
  await page.getByRole("button", { name: "Continue" }).click();
  await hold("Your code is ready");
  assert.deepEqual(complaints, []);
  await page.goto(`${fixture.baseUrl}/noscript`);
  await hold("This link is incomplete");
  await context.close();
});
