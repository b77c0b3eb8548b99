import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchVisitorBrowser, tokenOf, waitForState } from "@stile/testkit/browser/browser";
import { type StrictPage, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { type PageVisit, visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { changeSite } from "@stile/testkit/service/operator-site";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

// Recorded users on a page of a site in mode `interactive`, which asks everybody for a click (D9,
// submission). Pointer users get a safe score; the others get a token all the same.

let service: RunningService;
let browser: Browser;
let shop: StrictPage;

before(async () => {
  [service, browser] = await Promise.all([
    startService({ STILE_LIMIT_CHALLENGE: "1000" }),
    launchVisitorBrowser(),
  ]);
  await changeSite(service, { mode: "interactive" });
  shop = await serveStrictPage({
    base: service.baseUrl,
    attributes: `sitekey="${service.siteKey}"`,
  });
});

after(async () => {
  await browser?.close();
  await shop?.stop();
  await service?.dispose();
});

/** Does `work` on the page until the token is there, and returns its score. */
function scoreOf(
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<number> {
  const use = async ({ page, complaints }: PageVisit): Promise<number> => {
    await work(page);
    await waitForState(page, "verified");
    const { status, body } = await redeem(service, await tokenOf(page));
    assert.deepEqual([status, body.data.verified, complaints], [200, true, []]);
    return Number(body.data.score);
  };
  return visitPage(browser, shop.urlOn("localhost"), use, options);
}

const WIDGET = "stile-captcha button";
const isSafe = (score: number): void => assert.ok(score > 0 && score < 0.3, `score ${score}`);
const isLeftToTheServer = (score: number): void =>
  assert.ok(score >= 0.3 && score < 0.4, `score ${score}`);

/**
 * Makes the page longer than the window and turns the wheel; the widget moves away from the place
 * of the press.
 */
async function scrollAway(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.height = "3000px";
  });
  await page.mouse.wheel(0, 400);
  await page.waitForFunction(() => scrollY > 100);
}

test("a mouse press on the idle widget gets a safe score, even before the challenge", async () => {
  isSafe(await scoreOf((page) => pressByHand(page, WIDGET)));
});

test("a visitor who fills in the form, is asked and then presses gets a safe score", async () => {
  const score = await scoreOf(async (page) => {
    await pressByHand(page, "input");
    await page.keyboard.type("Ada", { delay: 90 });
    await waitForState(page, "interactive");
    await pressByHand(page, WIDGET);
  });
  isSafe(score);
});

test("a visitor who presses and scrolls before the submission gets a safe score", async () => {
  const score = await scoreOf(async (page) => {
    await pressByHand(page, WIDGET);
    await scrollAway(page);
  });
  isSafe(score);
});

test("a tap on a phone gets a safe score", async () => {
  const major = browser.version().split(".")[0];
  const userAgent = `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Mobile Safari/537.36`;
  const phone = {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 412, height: 915 },
    deviceScaleFactor: 2.625,
  };
  const score = await scoreOf(
    async (page) => {
      const box = (await page.locator(WIDGET).boundingBox()) ?? assert.fail("no widget");
      await page.touchscreen.tap(box.x + box.width * 0.37, box.y + box.height * 0.61);
    },
    { userAgent, ...phone },
  );
  isSafe(score);
});

test("a screen reader that presses the mouse without moving it gets a token on Linux, where no aid presses so", async () => {
  const score = await scoreOf(async (page) => {
    const box = (await page.locator(WIDGET).boundingBox()) ?? assert.fail("no widget");
    const input = await page.context().newCDPSession(page);
    const place = { x: box.x + 31, y: box.y + 17 };
    const press = { ...place, button: "left", clickCount: 1, force: 0 } as const;
    await input.send("Input.dispatchMouseEvent", { type: "mousePressed", ...press });
    await input.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...press });
  });
  assert.ok(score < 0.6, `score ${score}`);
});

test("the keyboard alone gets a token, and the site's own server decides (WCAG 2.1.1)", async () => {
  const score = await scoreOf(async (page) => {
    await page.keyboard.press("Tab");
    await page.keyboard.type("Ada Lovelace", { delay: 35 });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space", { delay: 60 });
  });
  isLeftToTheServer(score);
});

test("a screen reader that sets the focus and presses a button gets a token, and the site's own server decides", async () => {
  const score = await scoreOf(async (page) => {
    await page.locator(WIDGET).focus();
    await page.keyboard.press("Space");
  });
  isLeftToTheServer(score);
});
