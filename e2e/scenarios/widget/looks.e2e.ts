// The parts of the widget that must and must not be visible, in a real browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pageSnippets } from "@stile/dashboard/features/sites/install/page-snippets";
import { launchVisitorBrowser, waitForState } from "@stile/testkit/browser/browser";
import { watchLateWidget } from "@stile/testkit/browser/late-widget";
import { serveStrictPage } from "@stile/testkit/browser/strict-page";
import { visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import type { RunningService } from "@stile/testkit/service/service";
import type { Browser, Page } from "playwright-core";

let service: RunningService;
let browser: Browser;

before(async () => {
  [service, browser] = await Promise.all([startEasyService(), launchVisitorBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.dispose();
});

/** Visits a customer's page with a widget of that site. */
async function visitShop(attributes: string, use: (page: Page) => Promise<void>): Promise<void> {
  const shop = await serveStrictPage({ base: service.baseUrl, attributes });
  try {
    await visitPage(browser, shop.urlOn("localhost"), ({ page }) => use(page));
  } finally {
    await shop.stop();
  }
}

const newSite = (mode: "invisible" | "interactive") => addEasySite(service, { name: mode, mode });
const isSeen = (page: Page): Promise<boolean> => page.locator("stile-captcha button").isVisible();
const status = (page: Page) => page.locator("stile-captcha [role=status]");

test("at a site in mode `invisible` the widget is hidden while it works and once it has a token", async () => {
  const { siteKey } = await newSite("invisible");
  await visitShop(`sitekey="${siteKey}"`, async (page) => {
    assert.equal(await isSeen(page), true, "before the challenge only the page can know the mode");
    await page.evaluate(() => {
      const widget = document.querySelector("stile-captcha") as HTMLElement;
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      widget.addEventListener("stile:statechange", (event) => {
        const { state } = (event as CustomEvent<{ state: string }>).detail;
        const box = widget.shadowRoot?.querySelector(".box");
        if (state !== "loading" && box?.checkVisibility()) seen.push(state);
      });
    });
    await pressByHand(page, "input");
    await waitForState(page, "verified");
    assert.deepEqual(
      await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen),
      [],
    );
  });
});

test('size="invisible" also hides it before the challenge, and an error shows it', async () => {
  await visitShop('sitekey="pk_unknown" size="invisible"', async (page) => {
    assert.equal(await isSeen(page), false);
    await page.fill("input", "Ada");
    await waitForState(page, "error");
    assert.equal(await isSeen(page), true);
  });
});

test("an error whose text cannot be fetched blames the network, and still offers another try", async () => {
  await visitShop('sitekey="pk_unknown"', async (page) => {
    await page.route("**/trouble.js", (route) => route.abort());
    await page.fill("input", "Ada");
    await waitForState(page, "error");
    await status(page)
      .filter({ hasText: /is unavailable right now\./ })
      .waitFor();
    assert.equal(await page.getByRole("button", { name: "Not verified" }).isEnabled(), true);
  });
});

test("a visitor who is asked for a click sees it only on the button, and a screen reader announces it", async () => {
  const { siteKey } = await newSite("interactive");
  await visitShop(`sitekey="${siteKey}"`, async (page) => {
    const before = await status(page).boundingBox();
    await page.fill("input", "Ada");
    await waitForState(page, "interactive");
    const asked = await status(page).boundingBox();
    assert.ok(
      (before?.height ?? 0) <= 1 && (asked?.height ?? 0) <= 1,
      JSON.stringify([before, asked]),
    );
    await page
      .locator("stile-captcha button")
      .filter({ hasText: "Verify you are human" })
      .waitFor();
    assert.match((await status(page).textContent()) ?? "", /^Please press/);
  });
});

test("a submission that fails far outside the view brings the error into view, with the focus", async () => {
  await visitShop('sitekey="pk_unknown"', async (page) => {
    await page.evaluate(() => {
      const far = document.createElement("div");
      far.style.blockSize = "3000px";
      document.querySelector("#send")?.before(far);
    });
    // Slower than a press: an error in the middle of a press would move the page under it.
    await page.route("**/pow/challenge*", async (route) => {
      await delay(1000);
      await route.continue();
    });
    await page.locator("input").evaluate((input: HTMLInputElement) => {
      input.value = "Ada";
    });
    await page.locator("#send").scrollIntoViewIfNeeded();
    assert.ok(
      (await page.locator("stile-captcha").evaluate((it) => it.getBoundingClientRect().bottom)) < 0,
    );
    await pressByHand(page, "#send");
    await waitForState(page, "error");
    await page.waitForFunction(() => document.activeElement?.localName === "stile-captcha");
    await page.waitForFunction(() => {
      const { top, bottom } = (
        document.querySelector("stile-captcha") as Element
      ).getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
  });
});

test("the dashboard's embed code moves nothing in its page (CLS 0.000)", async () => {
  const snippet = pageSnippets({
    baseUrl: service.baseUrl,
    siteKey: service.siteKey,
    mode: "managed",
    noScript: "off",
    theme: "auto",
    language: "auto",
  }).find(({ id }) => id === "html");
  const [head = "", form = ""] = (snippet?.code ?? "")
    .replace("<script", "<!--")
    .replace("</script>", "-->")
    .split("-->");
  assert.equal((await watchLateWidget(browser, service.baseUrl, `${head}-->`, form)).shift, 0);
});
