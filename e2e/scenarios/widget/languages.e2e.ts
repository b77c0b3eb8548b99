// The widget's languages in a real browser, under the strictest policy it supports.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchVisitorBrowser, waitForState } from "@stile/testkit/browser/browser";
import { type StrictPageOptions, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addSite } from "@stile/testkit/service/operator-site";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { LANGUAGES } from "@stile/widget/languages/choose-language";
import type { Browser, Page } from "playwright-core";

let service: RunningService;
let browser: Browser;

before(async () => {
  [service, browser] = await Promise.all([startService({ STILE_LIMIT_CHALLENGE: "1000" }), launchVisitorBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.dispose();
});

type Way = Pick<Partial<StrictPageOptions>, "attributes" | "below"> & {
  readonly locale?: string;
  readonly siteKey?: string;
};
type Visited = { readonly page: Page; readonly fetched: readonly string[]; readonly complaints: readonly string[] };

/** Visits a shop, whose page is in English, with a browser that prefers the language `locale`. */
async function visit(
  { attributes = "", below = "", locale = "en-US", siteKey }: Way,
  use: (visited: Visited) => Promise<void>,
) {
  const key = siteKey ?? service.siteKey;
  const shop = await serveStrictPage({ base: service.baseUrl, attributes: `sitekey="${key}" ${attributes}`, below });
  const fetched: string[] = [];
  const prepare = (page: Page): unknown =>
    page.on("request", (request) => {
      const found = /\/languages\/(.*)$/.exec(request.url());
      if (found) fetched.push(found[1] ?? "");
    });
  try {
    await visitPage(
      browser,
      shop.urlOn("localhost"),
      async ({ page, complaints }) => {
        await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
        await use({ page, fetched, complaints });
      },
      { locale, prepare },
    );
  } finally {
    await shop.stop();
  }
}

const label = (page: Page) => page.locator("stile-captcha .label");
const reads = (page: Page, text: string): Promise<void> => label(page).filter({ hasText: text }).waitFor();
const boxOf = (page: Page, name: "lang" | "dir") => page.locator("stile-captcha .box").getAttribute(name);

test("in English nothing is fetched", async () => {
  await visit({ locale: "de-DE" }, async ({ page, fetched }) => {
    await page.waitForLoadState("networkidle");
    assert.equal(await label(page).textContent(), "Verify you are human", "the page says that it is in English");
    assert.deepEqual(fetched, []);
  });
});

test("the attribute's language is spoken in each state, and read out in it", async () => {
  await visit({ attributes: 'language="de-CH"' }, async ({ page, fetched, complaints }) => {
    await reads(page, "Bestätigen Sie, dass Sie ein Mensch sind");
    assert.equal(await boxOf(page, "lang"), "de");
    await pressByHand(page, "input");
    await waitForState(page, "verified");
    await reads(page, "Bestätigt");
    assert.equal(await page.locator("stile-captcha [role=status]").textContent(), "Bestätigt");
    assert.deepEqual(fetched, ["de.json"]);
    assert.deepEqual(complaints, []);
  });
});

test("changing the attribute changes the language, and one that there is not leaves the page's", async () => {
  await visit({ attributes: 'language="fr"' }, async ({ page }) => {
    await reads(page, "Confirmez que vous êtes humain");
    const speak = (language: string): Promise<void> =>
      page.evaluate((tag) => document.querySelector("stile-captcha")?.setAttribute("language", tag), language);
    await speak("ja");
    await reads(page, "人間であることを確認してください");
    await speak("tlh");
    await reads(page, "Verify you are human");
    await speak("xx-../../evil");
    assert.equal(await label(page).textContent(), "Verify you are human");
  });
});

test("Arabic, Persian and Hebrew run from right to left, the button's sign on the right", async () => {
  const others = ["fa", "he"].map((tag) => `<stile-captcha sitekey="pk_unknown" language="${tag}"></stile-captcha>`);
  await visit({ attributes: 'language="ar"', below: others.join("") }, async ({ page }) => {
    for (const language of ["ar", "fa", "he"]) {
      const box = page.locator(`stile-captcha[language=${language}] .box[dir=rtl]`);
      await box.waitFor();
      const [sign, text] = await Promise.all([box.locator(".sign").boundingBox(), box.locator(".label").boundingBox()]);
      assert.ok(sign && text && sign.x > text.x, language);
    }
  });
});

test("the page may turn it around by `dir`, and back, without a reload", async () => {
  await visit({ attributes: 'dir="rtl"' }, async ({ page }) => {
    const turn = (to: string | null): Promise<void> =>
      page.locator("stile-captcha").evaluate((widget, dir) => {
        if (dir === null) widget.removeAttribute("dir");
        else widget.setAttribute("dir", dir);
      }, to);
    assert.equal(await boxOf(page, "dir"), "rtl");
    await turn(null);
    assert.equal(await boxOf(page, "dir"), "ltr");
    await page.locator("stile-captcha").evaluate((widget) => widget.setAttribute("language", "ar"));
    await page.locator("stile-captcha .box[dir=rtl]").waitFor();
    await turn("ltr");
    assert.equal(await boxOf(page, "dir"), "ltr");
  });
});

test("the site's language holds once the first challenge has told it, and the page's attribute before it", async () => {
  const { siteKey } = await addSite(service.dataDirectory, { name: "Italian", language: "it" });
  await visit({ siteKey }, async ({ page }) => {
    await pressByHand(page, "input");
    await waitForState(page, "verified");
    await reads(page, "Verificato");
  });
});

test("every language fits into the widget, at 320 px too: nothing is cut off and nothing overflows", async () => {
  await visit({}, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 480 });
    for (const language of LANGUAGES) {
      await page.evaluate((tag) => document.querySelector("stile-captcha")?.setAttribute("language", tag), language);
      await page.locator(`stile-captcha .box[lang="${language}"]`).waitFor();
      const fits = await page.locator("stile-captcha .box").evaluate((box) => {
        const label = box.querySelector(".label");
        const isWithin = (one: Element): boolean => one.scrollWidth <= one.clientWidth + 1;
        return isWithin(box) && (label?.getBoundingClientRect().right ?? 0) <= box.getBoundingClientRect().right;
      });
      assert.ok(fits, language);
    }
  });
});
