// The widget's languages in a real browser, under the strictest policy it supports.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launchVisitorBrowser, waitForState } from "@stile/testkit/browser/browser";
import { type StrictPageOptions, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { visitWidget, type WidgetVisit } from "@stile/testkit/browser/widget-visit";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import { LANGUAGES } from "@stile/widget/languages/choose-language";
import type { Page } from "playwright-core";

const [service, browser] = await Promise.all([startEasyService(), launchVisitorBrowser()]);

after(async () => {
  await browser.close();
  await service.dispose();
});

type Way = Pick<Partial<StrictPageOptions>, "attributes" | "below"> & {
  readonly locale?: string;
  readonly siteKey?: string;
};

/** Visits a shop, whose page is in English, with a browser that prefers the language `locale`. */
async function visit(
  { attributes = "", below = "", locale = "en-US", siteKey = service.siteKey }: Way,
  use: (visit: WidgetVisit) => Promise<void>,
): Promise<void> {
  const options = { attributes: `sitekey="${siteKey}" ${attributes}`, below };
  const shop = await serveStrictPage({ base: service.baseUrl, ...options });
  await visitWidget(browser, { ...shop, url: shop.urlOn("localhost") }, use, { locale });
}

/** The languages that a page has requested. */
const fetchedBy = ({ asked }: WidgetVisit): readonly string[] =>
  asked.flatMap((path) => /\/languages\/(.*)$/.exec(path)?.[1] ?? []);

const label = (page: Page) => page.locator("stile-captcha .label");
const reads = (page: Page, text: string): Promise<void> =>
  label(page).filter({ hasText: text }).waitFor();

test("in English the widget fetches nothing", async () => {
  await visit({ locale: "de-DE" }, async (one) => {
    const { page } = one;
    await page.waitForLoadState("networkidle");
    assert.equal(
      await label(page).textContent(),
      "Verify you are human",
      "the page says that it is in English",
    );
    assert.deepEqual(fetchedBy(one), []);
  });
});

test("the widget uses the attribute's language in each state, and screen readers read it in that language", async () => {
  await visit({ attributes: 'language="de-CH"' }, async (one) => {
    const { page, complaints } = one;
    await reads(page, "Bestätigen Sie, dass Sie ein Mensch sind");
    assert.equal(await page.locator("stile-captcha .box").getAttribute("lang"), "de");
    await pressByHand(page, "input");
    await waitForState(page, "verified");
    await reads(page, "Bestätigt");
    assert.equal(await page.locator("stile-captcha [role=status]").textContent(), "Bestätigt");
    assert.deepEqual(fetchedBy(one), ["de.json"]);
    assert.deepEqual(complaints, []);
  });
});

test("in a shadow tree, which is not part of the page's markup, the widget still uses the page's language", async () => {
  await visit({}, async ({ page }) => {
    await page.evaluate((sitekey) => {
      document.documentElement.lang = "fr";
      const root = document.body
        .appendChild(document.createElement("div"))
        .attachShadow({ mode: "open" });
      const widget = document.createElement("stile-captcha");
      widget.setAttribute("sitekey", sitekey);
      root.append(widget);
    }, service.siteKey);
    await page.locator('div stile-captcha .box[lang="fr"]').waitFor();
  });
});

test("several widgets of one page each have their own language", async (t) => {
  const others = ["fa", "he"]
    .map((tag) => `language="${tag}"`)
    .concat('id="turned" dir="rtl"', 'id="changed" language="fr"');
  const below = others.map(
    (attributes) => `<stile-captcha sitekey="pk_unknown" ${attributes}></stile-captcha>`,
  );
  await visit({ attributes: 'language="ar"', below: below.join("") }, async ({ page }) => {
    await t.test(
      "changing the attribute changes the language; an unknown one leaves the page's",
      async () => {
        const widget = page.locator("#changed");
        const reads = (text: string): Promise<void> =>
          widget.locator(".label").filter({ hasText: text }).waitFor();
        const speak = (tag: string): Promise<void> =>
          widget.evaluate((one, language) => one.setAttribute("language", language), tag);
        await reads("Confirmez que vous êtes humain");
        await speak("ja");
        await reads("人間であることを確認してください");
        await speak("tlh");
        await reads("Verify you are human");
        await speak("xx-../../evil");
        assert.equal(await widget.locator(".label").textContent(), "Verify you are human");
      },
    );

    await t.test(
      "Arabic, Persian and Hebrew run from right to left, with the button's icon on the right",
      async () => {
        for (const language of ["ar", "fa", "he"]) {
          const box = page.locator(`stile-captcha[language=${language}] .box[dir=rtl]`);
          await box.waitFor();
          const [sign, text] = await Promise.all([
            box.locator(".sign").boundingBox(),
            box.locator(".label").boundingBox(),
          ]);
          assert.ok(sign && text && sign.x > text.x, language);
        }
      },
    );

    await t.test("the page may override the direction with `dir`, and undo it", async () => {
      const widget = page.locator("#turned");
      const direction = (): Promise<string | null> => widget.locator(".box").getAttribute("dir");
      assert.equal(await direction(), "rtl");
      await widget.evaluate((one) => one.removeAttribute("dir"));
      assert.equal(await direction(), "ltr");
      await widget.evaluate((one) => one.setAttribute("language", "ar"));
      await widget.locator(".box[dir=rtl]").waitFor();
      await widget.evaluate((one) => one.setAttribute("dir", "ltr"));
      assert.equal(await direction(), "ltr");
    });
  });
});

test("the site's language applies once the first challenge reports it, and the page's attribute before it", async () => {
  const { siteKey } = await addEasySite(service, { name: "Italian", language: "it" });
  await visit({ siteKey }, async ({ page }) => {
    await pressByHand(page, "input");
    await waitForState(page, "verified");
    await reads(page, "Verificato");
  });
});

test("every language fits into the widget, even at 320 px: nothing is cut off and nothing overflows", async () => {
  await visit({}, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 480 });
    for (const language of LANGUAGES) {
      await page.evaluate(
        (tag) => document.querySelector("stile-captcha")?.setAttribute("language", tag),
        language,
      );
      await page.locator(`stile-captcha .box[lang="${language}"]`).waitFor();
      const fits = await page.locator("stile-captcha .box").evaluate((box) => {
        const label = box.querySelector(".label");
        const isWithin = (one: Element): boolean => one.scrollWidth <= one.clientWidth + 1;
        return (
          isWithin(box) &&
          (label?.getBoundingClientRect().right ?? 0) <= box.getBoundingClientRect().right
        );
      });
      assert.ok(fits, language);
    }
  });
});
