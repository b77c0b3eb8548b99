import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launchAutomatedBrowser, waitForState } from "@stile/testkit/browser/browser";
import { serveStrictPage } from "@stile/testkit/browser/strict-page";
import { visitPage } from "@stile/testkit/browser/visit-page";
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

/**
 * Has the service block an automated browser on a strict page of a site with that contact.
 * `prepare` runs before any touch.
 */
async function beBlocked(
  contact: string,
  use: (page: Page) => Promise<void>,
  prepare = (_page: Page): Promise<void> => Promise.resolve(),
): Promise<void> {
  const { siteKey } = await addSite(service.dataDirectory, { name: `Site ${++sites}`, contact });
  const shop = await serveStrictPage({ base: service.baseUrl, attributes: `sitekey="${siteKey}"` });
  try {
    await visitPage(browser, shop.urlOn("localhost"), async ({ page, complaints }) => {
      await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
      await prepare(page);
      await pressByHand(page, "input");
      await waitForState(page, "error");
      await page
        .locator("stile-captcha [role=status]")
        .filter({ hasText: /Request ID: [\w-]+/ })
        .waitFor();
      await use(page);
      assert.deepEqual(complaints, []);
    });
  } finally {
    await shop.stop();
  }
}

/** Adds the page author's own contact for blocked visitors. */
const bringOwn = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const own = Object.assign(document.createElement("a"), {
      slot: "contact",
      href: "/help",
      textContent: "Help",
    });
    document.querySelector("stile-captcha")?.append(own);
  });

/** How the widget shows a contact. */
const shown = (page: Page) =>
  page.locator("stile-captcha [role=status] [part=contact]").evaluateAll((found) =>
    found.map((one) => ({
      ...{
        text: one.textContent,
        href: one.getAttribute("href"),
        target: one.getAttribute("target"),
      },
      ...{ isVisible: one.checkVisibility(), elements: one.childElementCount },
    })),
  );

/** How the widget shows a contact that is no link. */
const plain = { isVisible: true, elements: 0, href: null, target: null };

test("a visitor who is blocked on a site with an email address", (t) =>
  beBlocked("a+b@shop.example", async (page) => {
    await t.test("sees the address as a link", async () => {
      const link = { text: "a+b@shop.example", href: "mailto:a%2Bb@shop.example" };
      assert.deepEqual(await shown(page), [{ ...plain, ...link }]);
    });

    await t.test(
      "hears it with the error, reaches it next by Tab, and finds it tall enough to press",
      async () => {
        const status = page.locator("stile-captcha [role=status]");
        assert.match(
          (await status.textContent()) ?? "",
          /could not be verified\..*Request ID: .*a\+b@shop\.example$/,
        );
        await page.locator("stile-captcha button").focus();
        await page.keyboard.press("Tab");
        const focused = await page.evaluate(() =>
          document.activeElement?.shadowRoot?.activeElement?.getAttribute("href"),
        );
        assert.equal(focused, "mailto:a%2Bb@shop.example");
        const box = await page.getByRole("link", { name: "a+b@shop.example" }).boundingBox();
        assert.ok((box?.height ?? 0) >= 24 && (box?.width ?? 0) >= 24, JSON.stringify(box));
      },
    );

    await t.test("does not see or reach it while another try runs", async () => {
      const link = page.locator("stile-captcha [part=contact][href]");
      assert.equal(await link.isVisible(), true);
      // Never answered, until the page closes.
      await page.route("**/pow/challenge*", () => {});
      await pressByHand(page, "stile-captcha button");
      await waitForState(page, "loading");
      await page.locator("stile-captcha button").focus();
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement?.id), "send");
    });
  }));

test("a visitor blocked on a site with a page's address sees it as a link that opens next to the form", async () => {
  const address = "https://shop.example/help?x=%E2%9C%93%";
  await beBlocked(address, async (page) =>
    assert.deepEqual(await shown(page), [
      { ...plain, text: address, href: address, target: "_blank" },
    ]),
  );
});

test("a visitor blocked on a site without a contact sees none", () =>
  beBlocked("", async (page) => assert.deepEqual(await shown(page), [])));

/** Asserts that the page's own contact is the only visible one. */
async function assertOwnAlone(page: Page): Promise<void> {
  assert.deepEqual(await shown(page), []);
  assert.equal(await page.getByRole("link").innerText(), "Help");
}

test("a contact of the page's own replaces the site's", () =>
  beBlocked("help@shop.example", assertOwnAlone, bringOwn));

test("a visitor who is blocked on a site with a text", async (t) => {
  const text = 'Call <img src=x onerror=alert(1)> "us": 0800 %zz';
  await beBlocked(text, async (page) => {
    await t.test("sees the contact as text, never as markup", async () =>
      assert.deepEqual(await shown(page), [{ ...plain, text }]),
    );

    await t.test("sees the page's own contact instead, even if that comes late", async () => {
      await bringOwn(page);
      await page
        .locator("stile-captcha [role=status] [part=contact]")
        .waitFor({ state: "detached" });
      await assertOwnAlone(page);
    });
  });
});
