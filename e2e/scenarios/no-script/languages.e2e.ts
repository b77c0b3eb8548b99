import assert from "node:assert/strict";
import { after, test } from "node:test";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import { launchPageBrowser, newVisitor, openPage } from "@stile/testkit/browser/browser";
import {
  fieldsOf,
  noScriptVisitors,
  type ShownPage,
} from "@stile/testkit/contract/no-script-visitor";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { LANGUAGES } from "@stile/widget/languages/choose-language";
import type { Page } from "playwright-core";

const fixture = await startInProcess({ STILE_TRUSTED_PROXIES: "127.0.0.1" });
const browser = await launchPageBrowser();
after(async () => {
  await browser.close();
  await fixture.stop();
});
const { newAddress, open, send, offering } = noScriptVisitors(fixture);
/** The page shows the progress bar only to visitors who do not prefer reduced motion. */
const MOVING = { reducedMotion: "no-preference" } as const;
const HOST = "a-rather-long-name.of-some-department.example.org";
const contact = `https://${HOST}/a-long-path/where-somebody/can-be-reached?by=those-who-are-blocked`;
const site = await offering({ domains: [HOST], contact });

/** Every page of the flow without scripts, in one language, as the service sends it. */
async function collectPages(language: string): Promise<readonly ShownPage[]> {
  const [address, tool] = [newAddress(), newAddress()];
  const asks = { "accept-language": language, referer: `https://${HOST}/` };
  const automated = { ...asks, "user-agent": "python-requests/2.32" };
  const query = { sitekey: site.siteKey };
  const pages = [await open(query, address, asks)];
  const fields = fieldsOf(pages[0] as ShownPage);
  pages.push(await send(fields, address, asks));
  const toolFields = fieldsOf(await open(query, tool, automated));
  fixture.clock.advance(30_000);
  pages.push(await send(fields, address, asks), await send(fields, address, asks));
  pages.push(await send(toolFields, tool, automated));
  pages.push(await open(query, newAddress(), { ...asks, referer: "https://evil.example/" }));
  pages.push(
    await open({ sitekey: "none" }, newAddress(), asks),
    await open({}, newAddress(), asks),
  );
  await updateSite(fixture.ports, site, { isEnabled: false });
  pages.push(await open(query, newAddress(), asks));
  await updateSite(fixture.ports, site, { isEnabled: true, noScript: "off" });
  pages.push(await open(query, newAddress(), asks));
  await updateSite(fixture.ports, site, { noScript: "wait" });
  // The next set gets a minute of its own, because of the limits of network and site.
  fixture.clock.advance(120_000);
  return pages;
}

/**
 * Shows a page under the loaded style sheet; returns the elements that overflow the window or their
 * own box.
 */
function findOverflow(page: Page, { text }: ShownPage): Promise<readonly string[]> {
  return page.evaluate((markup) => {
    const shown = new DOMParser().parseFromString(markup, "text/html");
    document.documentElement.lang = shown.documentElement.lang;
    document.documentElement.dir = shown.documentElement.dir;
    document.body.replaceWith(shown.body);
    const isOut = (element: Element): boolean => {
      const { left, right } = element.getBoundingClientRect();
      // Inline boxes have no width of their own.
      const hasBox = element.clientWidth > 0;
      return (
        left < 0 || right > innerWidth || (hasBox && element.scrollWidth > element.clientWidth)
      );
    };
    return [document.documentElement, ...document.querySelectorAll("body *")]
      .filter(isOut)
      .map(({ outerHTML }) => outerHTML.slice(0, 200));
  }, text);
}

test("every page fits 320 px in every language, even with its longest words (WCAG 1.4.10)", async () => {
  const { page } = await openPage(
    await newVisitor(browser, { ...MOVING, viewport: { width: 320, height: 640 } }),
    "about:blank",
  );
  await page.goto(`${fixture.baseUrl}/noscript`);
  for (const language of ["en", ...LANGUAGES]) {
    const pages = await collectPages(language);
    assert.equal(
      new Set(pages.map(({ title }) => title)).size,
      10,
      `${language}: each page is another`,
    );
    for (const shown of pages) {
      assert.equal(shown.headers.get("content-language"), language);
      assert.deepEqual(await findOverflow(page, shown), [], `${language}: ${shown.title}`);
    }
  }
  await page.context().close();
});

test("the progress bar fills from the side where the language begins", async () => {
  const { page } = await openPage(await newVisitor(browser, MOVING), "about:blank");
  await page.goto(`${fixture.baseUrl}/noscript`);
  for (const [language, origin] of [
    ["de", 0],
    ["ar", 1],
  ] as const) {
    const [wait] = await collectPages(language);
    await findOverflow(page, wait as ShownPage);
    const share = await page.locator(".bar span").evaluate((bar) => {
      const { offsetWidth } = bar as HTMLElement;
      return Number.parseFloat(getComputedStyle(bar).transformOrigin) / offsetWidth;
    });
    assert.equal(share, origin, language);
  }
  await page.context().close();
});
