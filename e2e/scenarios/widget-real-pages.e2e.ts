// What real pages do around a widget that no form, policy or library is to blame for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";

const { service, visit } = await openForms();
const isGood = async (token = "", secretKey = service.secretKey): Promise<boolean> =>
  (await redeem({ ...service, secretKey }, token)).body.data.verified === true;

test("a page whose own fetch adds headers to every request gets its token all the same, in its language", async () => {
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
