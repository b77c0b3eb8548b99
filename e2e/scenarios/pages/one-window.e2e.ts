// Consecutive visits in one window (`visitPage`) know nothing of each other.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launchPageBrowser } from "@stile/testkit/browser/browser";
import { serveForeignSite } from "@stile/testkit/browser/foreign-site";
import { type PageVisit, visitPage } from "@stile/testkit/browser/visit-page";
import type { Page } from "playwright-core";

const [browser, site] = await Promise.all([launchPageBrowser(), serveForeignSite()]);
const url = `${site.originOn("localhost")}/`;

after(async () => {
  await browser.close();
  await site.stop();
});

const ask = (page: Page): Promise<number> =>
  page.evaluate(async () => (await fetch("/asked")).status);

test("a visit in a reused window sees nothing of the last one and none of its changes", async () => {
  const heard: string[] = [];
  const prepare = (page: Page): unknown =>
    page.addInitScript(() => Object.assign(globalThis, { left: 1 }));
  const use = async ({
    page,
    complaints,
  }: PageVisit): Promise<readonly [Page, readonly string[]]> => {
    page.on("request", (request) => heard.push(request.url()));
    await page.route("**/asked", (route) => route.fulfill({ status: 404 }));
    assert.deepEqual(
      [await ask(page), await page.evaluate(() => "left" in globalThis)],
      [404, true],
    );
    return [page, complaints];
  };
  const [first, complaints] = await visitPage(browser, url, use, { prepare });
  const before = [...heard, ...complaints];
  const second = await visitPage(browser, url, async ({ page, complaints: own }) => {
    assert.deepEqual([own, await page.evaluate(() => "left" in globalThis)], [[], false]);
    await page.evaluate(() => console.error("trouble"));
    assert.deepEqual([await ask(page), own], [200, ["trouble"]]);
    return page;
  });
  assert.equal(second, first, "the same window");
  assert.deepEqual([...heard, ...complaints], before);
  const third = await visitPage(browser, url, async ({ page }) => page, { isFresh: true });
  assert.notEqual(third, first);
});

for (const [what, use] of [
  ["with another clock", (page: Page) => page.clock.install()],
  ["of another size", (page: Page) => page.setViewportSize({ width: 320, height: 480 })],
  ["with a second page", (page: Page) => page.context().newPage()],
  ["whose visit failed", () => assert.fail("a failure")],
] as const) {
  test(`a window ${what} is closed after its visit`, async () => {
    const pages: Page[] = [];
    await visitPage(browser, url, async ({ page }) => {
      pages.push(page);
      await use(page);
    }).catch(({ message }) => assert.equal(message, "a failure"));
    assert.deepEqual(
      pages.map((page) => page.isClosed()),
      [true],
    );
  });
}
