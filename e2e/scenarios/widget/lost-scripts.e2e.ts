// One request of a page for one of the widget's scripts is lost, late or never answered.
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { launchVisitorBrowser, waitForState } from "@stile/testkit/browser/browser";
import { serveFormPage } from "@stile/testkit/browser/form-page";
import { given, pageScript } from "@stile/testkit/browser/form-visit";
import { visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { startEasyService } from "@stile/testkit/service/easy-service";
import { startTroubledProxy, type TroubledProxy } from "@stile/testkit/service/troubled-proxy";
import type { Page } from "playwright-core";

const [browser, service] = await Promise.all([
  launchVisitorBrowser(),
  startEasyService({ STILE_TRUSTED_PROXIES: "127.0.0.1" }),
]);

after(async () => {
  await browser.close();
  await service.dispose();
});

type Visit = { readonly page: Page; readonly proxy: TroubledProxy };

/** The 9 s after which a request counts as hanging are half a second here. */
const withoutPatience = (page: Page): unknown =>
  page.addInitScript(() => {
    const later = window.setTimeout.bind(window);
    window.setTimeout = ((work: () => void, ms = 0, ...rest: unknown[]) =>
      later(work, ms === 9_000 ? 500 : ms, ...rest)) as typeof setTimeout;
  });

let networks = 0;

/**
 * Visits a form with that inside, whose service is behind a proxy that is in trouble from the
 * start.
 */
async function visit(
  inside: string,
  trouble: (proxy: TroubledProxy) => void,
  use: (visit: Visit) => Promise<void>,
  prepare?: (page: Page) => unknown,
): Promise<void> {
  const network = `198.18.${++networks}.7`;
  await using proxy = await startTroubledProxy(service.baseUrl, () => network);
  trouble(proxy);
  const form = `<form action="/sent" method="post"><input id="name" name="name">${inside}<button>Send</button></form>`;
  const shop = await serveFormPage(proxy.baseUrl, form);
  try {
    await visitPage(browser, shop.url, ({ page }) => use({ page, proxy }), { prepare });
  } finally {
    await shop.stop();
  }
}

const widget = (attributes = ""): string =>
  `<stile-captcha sitekey="${service.siteKey}" ${attributes}></stile-captcha>`;
const CALLED = pageScript("globalThis.called = (given) => got.push(given);");

suite("a lost script of the widget", { concurrency: 3 }, () => {
  test("should observe and never arrives: it is requested again at another address, and a token follows", async () => {
    const hangs = (proxy: TroubledProxy): void => proxy.set("hangs", /\/collector\.js$/);
    const use = async ({ page, proxy }: Visit): Promise<void> => {
      await pressByHand(page, "#name");
      await waitForState(page, "verified");
      const asked = proxy.asked.filter((path) => path.startsWith("/collector"));
      assert.deepEqual(asked, ["/collector.js", "/collector.js?"]);
    };
    await visit(widget(), hangs, use, withoutPatience);
  });

  test("serves a page's script and never arrives: the page gets an error", async () => {
    const hangs = (proxy: TroubledProxy): void => proxy.set("hangs", /\/surface\.js/);
    const script = pageScript(
      "globalThis.ask = () => stile.execute().catch(({ message }) => got.push(message));",
    );
    const use = async ({ page }: Visit): Promise<void> => {
      await page.waitForFunction(() => "stile" in window);
      await page.evaluate(() => (window as unknown as { readonly ask: () => void }).ask());
      assert.deepEqual(await given(page, 1), ["stile.execute: network"]);
    };
    await visit(widget() + script, hangs, use, withoutPatience);
  });

  test("calls the page's functions and is lost: it is requested again, even later", async () => {
    const breaks = (proxy: TroubledProxy): void => proxy.set("breaks", /\/surface\.js/);
    let again: Promise<unknown> | undefined;
    const prepare = (page: Page): void => {
      again = page.waitForEvent("requestfailed", (request) =>
        request.url().endsWith("/surface.js?"),
      );
    };
    const use = async ({ page, proxy }: Visit): Promise<void> => {
      await again;
      proxy.set("none");
      await pressByHand(page, "#name");
      const [token] = await given(page, 1);
      const held = await page
        .locator("stile-captcha")
        .evaluate((one) => (one as Element & { value?: string }).value);
      assert.equal(token, held);
    };
    await visit(widget('callback="called"') + CALLED, breaks, use, prepare);
  });

  test("calls the page's functions and arrives after an error: the page gets that error", async () => {
    let send = (): void => {};
    const late = new Promise<void>((resolve) => {
      send = resolve;
    });
    const prepare = (page: Page): unknown =>
      page.route(/\/surface\.js/, async (route) => {
        await late;
        await route.continue();
      });
    const use = async ({ page }: Visit): Promise<void> => {
      await waitForState(page, "error");
      send();
      assert.deepEqual(await given(page, 1), ["sitekey_missing"]);
    };
    const inside = `<stile-captcha execution="render" error-callback="called"></stile-captcha>${CALLED}`;
    await visit(inside, () => {}, use, prepare);
  });

  test("turns elements of the class into widgets and is lost: it is requested again", async () => {
    const breaks = (proxy: TroubledProxy): void => proxy.set("breaks", /\/surface\.js$/);
    const inside = `<div class="stile-captcha" data-sitekey="${service.siteKey}"></div>`;
    await visit(inside, breaks, ({ page }) => page.locator("div > stile-captcha").waitFor());
  });
});
