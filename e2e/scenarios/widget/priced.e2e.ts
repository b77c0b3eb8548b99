import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchVisitorBrowser, tokenOf, waitForState } from "@stile/testkit/browser/browser";
import { type StrictPage, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { changeSite } from "@stile/testkit/service/operator-site";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Browser, Page } from "playwright-core";

// Visitors who pressed and are still in doubt: they wait for one challenge of 16 times the work
// (D9, submission).

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
    attributes: `sitekey="${service.siteKey}" appearance="interaction-only"`,
  });
});

after(async () => {
  await browser?.close();
  await shop?.stop();
  await service?.dispose();
});

const WIDGET = "stile-captcha button";

/**
 * A proxy between page and service replaces receipts, which raises `visit_out_of_time` and nothing
 * else.
 */
async function replaceReceipts(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/verify$/, async (route) => {
    const body = route.request().postDataJSON();
    body.signals.earlier = { batch: "1~~", receipt: "A".repeat(20) };
    await route.continue({ postData: JSON.stringify(body) });
  });
}

/** Records the text of the widget's button, and whether it is visible, from now on. */
function collectLabels(page: Page): Promise<void> {
  return page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const root = document.querySelector("stile-captcha")?.shadowRoot as ShadowRoot;
    const look = (): void => {
      const isSeen = root.querySelector(".box")?.checkVisibility() === true;
      const label = `${root.querySelector(".label")?.textContent}${isSeen ? "" : " (hidden)"}`;
      if (seen.at(-1) !== label) seen.push(label);
    };
    new MutationObserver(look).observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
}

test("a visitor in doubt presses once, sees the progress of one harder challenge, and gets a token (D9, submission)", async () => {
  const prepare = replaceReceipts;
  await visitPage(
    browser,
    shop.urlOn("localhost"),
    async ({ page, complaints }) => {
      const answers: string[] = [];
      page.on("response", async (response) => {
        if (!response.url().endsWith("/api/v1/verify")) return;
        const { data } = await response.json();
        answers.push(data.verified ? "verified" : data.next);
      });
      await pressByHand(page, "input");
      await page.keyboard.type("Ada", { delay: 90 });
      await waitForState(page, "interactive");
      await collectLabels(page);
      await pressByHand(page, WIDGET);
      await waitForState(page, "verified", 60_000);
      const seen = await page.evaluate(
        () => (globalThis as unknown as { readonly seen: string[] }).seen,
      );
      const shares = seen
        .filter((label) => /^Checking… \d+%$/.test(label))
        .map((label) => Number.parseInt(label.slice(9), 10));
      assert.ok(shares.length > 8, `progress is seen: ${seen.join(", ")}`);
      const { body } = await redeem(service, await tokenOf(page));
      assert.deepEqual([body.data.verified, body.data.recommendation], [true, "allow"]);
      assert.ok(Number(body.data.score) >= 0.3);
      assert.deepEqual([answers, complaints], [["work", "verified"], []]);
    },
    { prepare },
  );
});
