// Habits of real pages around a widget, apart from forms, policies and libraries.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenOf, waitForState } from "@stile/testkit/browser/browser";
import { openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite } from "@stile/testkit/service/easy-service";
import { redeem } from "@stile/testkit/service/redeem";
import type { Page } from "playwright-core";

const { service, visit } = await openForms();
/** Tokens of this site are valid for half a minute. */
const brief = await addEasySite(service, { name: "brief", tokenLifeSeconds: 30 });
const BRIEF_WIDGET = `<stile-captcha sitekey="${brief.siteKey}"></stile-captcha>`;

/** Advances the device's clock by a minute while no timer runs, as when a machine sleeps. */
const sleepAMinute = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
  });

const isGood = async (token = "", secretKey = service.secretKey): Promise<boolean> =>
  (await redeem({ ...service, secretKey }, token)).body.data.verified === true;

test("a page whose own fetch adds headers to every request still gets its token, in its language", async () => {
  const script = pageScript(`const plain = fetch;
    globalThis.fetch = (input, init = {}) => plain(input, { ...init,
      headers: { ...init.headers, "X-CSRF-Token": "c", traceparent: "00-t", Authorization: "Bearer b" } });`);
  const inside = `${script}<stile-captcha sitekey="${service.siteKey}" language="de"></stile-captcha>`;
  await visit(inside, async ({ page, shop, complaints }) => {
    await page.locator('stile-captcha .box[lang="de"]').waitFor({ timeout: 5_000 });
    await pressByHand(page, "#name");
    await pressByHand(page, "#send");
    await page.waitForURL(/\/sent$/);
    assert.equal(await isGood(shop.sent[0]?.fields["stile-response"]), true);
    assert.deepEqual(complaints, []);
  });
});

test("a token that expired while the machine slept", async (t) => {
  await visit(BRIEF_WIDGET, async ({ page, shop }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    const first = await tokenOf(page);

    await t.test(
      "disappears when its form returns to the page, and another is earned",
      async () => {
        await sleepAMinute(page);
        const back = await page.evaluate(() => {
          const [form] = document.forms;
          const widget = document.querySelector("stile-captcha") as Element & { state: string };
          form?.remove();
          if (form) document.body.append(form);
          return [widget.state, new FormData(form).get("stile-response")];
        });
        assert.deepEqual(back, ["loading", "pending"]);
        await pressByHand(page, "#name");
        await waitForState(page, "verified");
        assert.notEqual(await tokenOf(page), first);
      },
    );

    await t.test("is not sent: the form waits for another one", async () => {
      const second = await tokenOf(page);
      await sleepAMinute(page);
      await pressByHand(page, "#send");
      await page.waitForURL(/\/sent$/);
      const third = shop.sent[0]?.fields["stile-response"];
      assert.notEqual(third, second);
      assert.equal(await isGood(third, brief.secretKey), true);
    });
  });
});

test("a token expires after the time that has passed, even if the device's clock is set back", async () => {
  await visit(BRIEF_WIDGET, async ({ page }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    const first = await tokenOf(page);
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() - 3_600_000;
    });
    await page.waitForFunction(
      (old) => {
        const { state, value } = document.querySelector("stile-captcha") as Element & {
          state?: string;
          value?: string;
        };
        return state === "verified" && value !== old;
      },
      first,
      { polling: 100, timeout: 60_000 },
    );
    assert.equal(await isGood(await tokenOf(page), brief.secretKey), true);
  });
});

test("with execution=render work waits in a page that nobody looks at, and begins at once otherwise", async () => {
  const script = pageScript(`let isHidden = true;
    Object.defineProperty(Document.prototype, "hidden", { get: () => isHidden, configurable: true });
    globalThis.look = () => { isHidden = false; document.dispatchEvent(new Event("visibilitychange", { bubbles: true })); };`);
  const inside = `${script}<stile-captcha sitekey="${service.siteKey}" execution="render"></stile-captcha>`;
  await visit(inside, async ({ page, asked }) => {
    await page.waitForLoadState("networkidle");
    assert.deepEqual(asked, ["/stile.js"]);
    await page.evaluate(() => (window as unknown as { look: () => void }).look());
    await waitForState(page, "verifying");
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    assert.equal(await isGood(await tokenOf(page)), true);
    assert.ok(asked.includes("/frame"));
  });
});

test("a page that rewrites itself (document.open), as old scripts do with responses, is still watched", async () => {
  const widget = `<stile-captcha sitekey="${service.siteKey}" style="display:block"></stile-captcha>`;
  await visit(widget, async ({ page, shop, complaints }) => {
    await page.evaluate(async () => {
      const answer = await (await fetch(location.href)).text();
      document.open();
      document.write(answer);
      document.close();
    });
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    await pressByHand(page, "#send");
    await page.waitForURL(/\/sent$/);
    assert.equal(await isGood(shop.sent[0]?.fields["stile-response"]), true);
    assert.deepEqual(complaints, []);
  });
});
