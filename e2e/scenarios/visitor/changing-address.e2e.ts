import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchVisitorBrowser, tokenOf, waitForState } from "@stile/testkit/browser/browser";
import { type StrictPage, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { startTroubledProxy, type TroubledProxy } from "@stile/testkit/service/troubled-proxy";
import type { Browser, Page } from "playwright-core";

// Visitors whose provider or relay sends each request from another network (D9, submission).

let service: RunningService;
let proxy: TroubledProxy;
let browser: Browser;
let shop: StrictPage;
let requests = 0;

before(async () => {
  [service, browser] = await Promise.all([
    startService({ STILE_TRUSTED_PROXIES: "127.0.0.1" }),
    launchVisitorBrowser(),
  ]);
  proxy = await startTroubledProxy(service.baseUrl, () => `198.18.${++requests % 256}.7`);
  shop = await serveStrictPage({ base: proxy.baseUrl, attributes: `sitekey="${service.siteKey}"` });
});

after(async () => {
  await browser?.close();
  await shop?.stop();
  await proxy?.[Symbol.asyncDispose]();
  await service?.dispose();
});

/** Does `work` on the page until the token is there, and returns its score. */
function scoreOf(work: (page: Page) => Promise<void>): Promise<number> {
  const from = proxy.asked.length;
  return visitPage(browser, shop.urlOn("localhost"), async ({ page, complaints }) => {
    await work(page);
    await waitForState(page, "verified", 40_000);
    const { data } = (await redeem(service, await tokenOf(page))).body;
    assert.deepEqual([data.verified, complaints], [true, []]);
    const asked = proxy.asked
      .slice(from)
      .filter((path) => path.startsWith("/api/v1/pow/challenge"));
    assert.equal(asked.length, 1, "nobody had to start again");
    return Number(data.score);
  });
}

test("a visitor from another network at each request gets a token without a press", async () => {
  const score = await scoreOf((page) => pressByHand(page, "input"));
  assert.ok(score > 0.05 && score < 0.3, `score ${score}`);
});

test("a visitor from another network at each request who only types pays work, and gets a token", async () => {
  const score = await scoreOf(async (page) => {
    await page.locator("input").focus();
    await page.keyboard.type("Ada", { delay: 90 });
    await waitForState(page, "verified", 90_000);
  });
  assert.ok(score < 0.4, `score ${score}`);
});
