import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launchAutomatedBrowser, openPage, waitForState } from "@stile/testkit/browser/browser";
import { serveStrictPage } from "@stile/testkit/browser/strict-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addSite } from "@stile/testkit/service/operator-site";
import { startService } from "@stile/testkit/service/service";
import type { Page } from "playwright-core";

const service = await startService();
const browser = await launchAutomatedBrowser();
after(async () => {
  await browser.close();
  await service.dispose();
});

let sites = 0;

/** Has an automated browser blocked on a strict page of a site with that contact; `prepare` runs before any touch. */
async function beBlocked(
  contact: string,
  use: (page: Page) => Promise<void>,
  prepare = (_page: Page): Promise<void> => Promise.resolve(),
): Promise<void> {
  const { siteKey } = await addSite(service.dataDirectory, { name: `Site ${++sites}`, contact });
  const shop = await serveStrictPage({ base: service.baseUrl, attributes: `sitekey="${siteKey}"` });
  const { page, complaints } = await openPage(await browser.newContext(), shop.urlOn("localhost"));
  try {
    await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
    await prepare(page);
    await pressByHand(page, "input");
    await waitForState(page, "error");
    await page
      .locator("stile-captcha [role=status]")
      .filter({ hasText: /Request id: [\w-]+/ })
      .waitFor();
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await page.context().close();
    await shop.stop();
  }
}

/** Adds the page author's own contact for those who are blocked. */
const bringOwn = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const own = Object.assign(document.createElement("a"), { slot: "contact", href: "/help", textContent: "Help" });
    document.querySelector("stile-captcha")?.append(own);
  });

/** How the widget shows a contact. */
const shown = (page: Page) =>
  page.locator("stile-captcha [role=status] [part=contact]").evaluateAll((found) =>
    found.map((one) => ({
      ...{ text: one.textContent, href: one.getAttribute("href"), target: one.getAttribute("target") },
      ...{ isVisible: one.checkVisibility(), elements: one.childElementCount },
    })),
  );

test("who is blocked is shown the site's contact, as a link or as a text, and never as markup", async () => {
  const plain = { isVisible: true, elements: 0, href: null, target: null };
  const isShown = (contact: string, wanted: object) =>
    beBlocked(contact, async (page) => assert.deepEqual(await shown(page), [{ ...plain, ...wanted }]));
  await isShown("a+b@shop.example", { text: "a+b@shop.example", href: "mailto:a%2Bb@shop.example" });
  const address = "https://shop.example/help?x=%E2%9C%93%";
  await isShown(address, { text: address, href: address, target: "_blank" });
  const text = 'Call <img src=x onerror=alert(1)> "us": 0800 %zz';
  await isShown(text, { text });
  await beBlocked("", async (page) => assert.deepEqual(await shown(page), []));
});

test("the contact is told with the error, the next thing that Tab comes to, and as tall as a press needs", async () => {
  await beBlocked("help@shop.example", async (page) => {
    const status = page.locator("stile-captcha [role=status]");
    assert.match((await status.textContent()) ?? "", /could not be verified\..*Request id: .*help@shop\.example$/);
    await page.locator("stile-captcha button").focus();
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("href"));
    assert.equal(focused, "mailto:help@shop.example");
    const box = await page.getByRole("link", { name: "help@shop.example" }).boundingBox();
    assert.ok((box?.height ?? 0) >= 24 && (box?.width ?? 0) >= 24, JSON.stringify(box));
  });
});

test("while another try is under way, nobody comes to a link that is not to be seen", async () => {
  await beBlocked("help@shop.example", async (page) => {
    const link = page.locator("stile-captcha [part=contact][href]");
    assert.equal(await link.isVisible(), true);
    // Never answered, until the page is closed.
    await page.route("**/pow/challenge*", () => {});
    await pressByHand(page, "stile-captcha button");
    await waitForState(page, "loading");
    await page.locator("stile-captcha button").focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "send");
  });
});

test("a contact that the page brings itself stands in the place of the site's, also where it comes late", async () => {
  const isAlone = async (page: Page): Promise<void> => {
    assert.deepEqual(await shown(page), []);
    assert.equal(await page.getByRole("link").innerText(), "Help");
  };
  await beBlocked("help@shop.example", isAlone, bringOwn);
  await beBlocked("help@shop.example", async (page) => {
    assert.equal((await shown(page)).length, 1);
    await bringOwn(page);
    await page.locator("stile-captcha [role=status] [part=contact]").waitFor({ state: "detached" });
    await isAlone(page);
  });
});
