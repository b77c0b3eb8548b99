import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { launchAutomatedBrowser, openPage, waitForState } from "@stile/testkit/browser/browser";
import { serveFormPage } from "@stile/testkit/browser/form-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addSite } from "@stile/testkit/service/operator-site";
import { startService } from "@stile/testkit/service/service";

const GUIDE = readFileSync(join(import.meta.dirname, "../../docs/guide/looks.md"), "utf8");
const SCRIPT = /```js\n([^`]*stile:error[^`]*)```/.exec(GUIDE)?.[1] ?? "";

const service = await startService();
const browser = await launchAutomatedBrowser();
after(async () => {
  await browser.close();
  await service.dispose();
});

/** What a page with the guide's script shows of a site's contact to a browser that says it is automated. */
async function beBlocked(contact: string) {
  const { siteKey } = await addSite(service.dataDirectory, { name: `Site of ${contact}`.slice(0, 60), contact });
  const body = `<form><input aria-label="Email"><stile-captcha sitekey="${siteKey}"></stile-captcha></form>`;
  const form = await serveFormPage(service.baseUrl, `<script>${SCRIPT}</script>${body}`);
  const { page } = await openPage(await browser.newContext(), form.url);
  try {
    await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
    await pressByHand(page, "input");
    await waitForState(page, "error");
    // Blocked once more, as by another try.
    await page.evaluate((detail) => {
      const error = { name: "blocked_by_policy", detail, requestId: "r-2" };
      const again = new CustomEvent("stile:error", { bubbles: true, detail: error });
      document.querySelector("stile-captcha")?.dispatchEvent(again);
    }, contact);
    const shown = await page.locator("stile-captcha [slot=contact]").all();
    return await Promise.all(
      shown.map(async (link) => ({
        text: await link.textContent(),
        href: await link.getAttribute("href"),
        isVisible: await link.isVisible(),
        elements: await link.locator("*").count(),
      })),
    );
  } finally {
    await page.context().close();
    await form.stop();
  }
}

test("the guide's script shows who is blocked the site's contact, as a link or as a text, once, and never as markup", async () => {
  const plain = { isVisible: true, elements: 0 };
  const email = { ...plain, text: "a+b@shop.example", href: "mailto:a%2Bb@shop.example" };
  assert.deepEqual(await beBlocked("a+b@shop.example"), [email]);
  const address = "https://shop.example/help?x=%E2%9C%93%";
  assert.deepEqual(await beBlocked(address), [{ ...plain, text: address, href: address }]);
  const text = 'Call <img src=x onerror=alert(1)> "us": 0800 %zz';
  assert.deepEqual(await beBlocked(text), [{ ...plain, text, href: null }]);
  assert.deepEqual(await beBlocked(""), []);
});
