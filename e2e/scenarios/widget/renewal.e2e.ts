// A token about to expire is renewed invisibly, and the page, its events and its form all get the
// same new token.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOW_AND_THEN, waitForState } from "@stile/testkit/browser/browser";
import { given, openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite } from "@stile/testkit/service/easy-service";
import { redeem } from "@stile/testkit/service/redeem";
import type { Stile } from "@stile/widget/stile";

const { service, visit } = await openForms();

test("a renewed token is in the form at once and redeems, and the renewal is invisible", async () => {
  const { siteKey, secretKey } = await addEasySite(service, {
    name: "short",
    tokenLifeSeconds: 30,
  });
  // Recorded for each token: the value of the event, of the function, of the form and of the
  // widget.
  const inside = `<stile-captcha sitekey="${siteKey}" expired-callback="hear"></stile-captcha>${pageScript(`
globalThis.hear = (...given) => got.push(["expired-callback", ...given.filter(Boolean)]);
document.addEventListener("stile:verified", ({ detail: { token }, target }) => queueMicrotask(() => got.push([token,
  stile.getResponse(), new FormData(document.forms[0]).get("stile-response"), target.shadowRoot.querySelector("button").textContent])));
document.addEventListener("stile:expired", ({ target }) => queueMicrotask(() => got.push(target.shadowRoot.querySelector("button").textContent)));`)}`;
  await visit(inside, async ({ page, complaints }) => {
    await pressByHand(page, "#name");
    // The renewal begins after half of the token's life. A touch would restart it; the form was
    // read at the first token.
    await page.waitForFunction(
      () => (window as unknown as { got: unknown[] }).got.length >= 4,
      undefined,
      {
        ...NOW_AND_THEN,
        timeout: 60_000,
      },
    );
    const [first, called, aging, second] = (await given(page, 4)) as [
      string[],
      string[],
      string,
      string[],
    ];
    for (const token of [first, second])
      assert.deepEqual(token, [token[0], token[0], token[0], "Verified"]);
    assert.deepEqual([called, aging], [["expired-callback"], "Verified"]);
    assert.notEqual(first[0], second[0]);
    assert.equal(
      (await redeem({ ...service, secretKey }, second[0] ?? "")).body.data.verified,
      true,
    );
    assert.equal(
      await page.evaluate(() => (window as unknown as { stile: Stile }).stile.isExpired()),
      false,
    );
    assert.deepEqual(complaints, []);
  });
});

test("a token that expired during a machine's sleep is given to nobody, since the clock runs while timers stand still", async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}"></stile-captcha>${pageScript(`const form = document.forms[0];
form.addEventListener("submit", (event) => { event.preventDefault(); got.push(new FormData(form).get("stile-response")); });
globalThis.wakeUp = async (ask) => {
  const asleepMs = 3_600_000, now = Date.now.bind(Date);
  Date.now = () => now() + asleepMs;
  got.push(stile.getResponse(), new FormData(form).get("stile-response"));
  if (ask === "script") got.push(await stile.execute()); else form.requestSubmit();
};`)}`;
  for (const ask of ["script", "form"]) {
    await visit(inside, async ({ page }) => {
      await pressByHand(page, "#name");
      await page.waitForFunction(
        () => (window as unknown as { stile: Stile }).stile.getResponse() !== "",
        undefined,
        NOW_AND_THEN,
      );
      const old = await page.evaluate(() =>
        (window as unknown as { stile: Stile }).stile.getResponse(),
      );
      await page.evaluate(
        (who) => (window as unknown as { wakeUp: (ask: string) => void }).wakeUp(who),
        ask,
      );
      const [read, carried, token] = await given(page, 3);
      assert.deepEqual([read, carried], ["", "pending"]);
      assert.notEqual(token, old);
      assert.equal((await redeem(service, `${token}`)).body.data.verified, true);
    });
  }
});

test("an inactive visitor is not asked for another press: the token expires, and the next touch asks", async () => {
  const { siteKey } = await addEasySite(service, {
    name: "asking",
    mode: "interactive",
    tokenLifeSeconds: 30,
  });
  const inside = `<stile-captcha sitekey="${siteKey}"></stile-captcha>${pageScript(`
for (const name of ["expired", "interactive"]) document.addEventListener("stile:" + name, () => got.push(name));`)}`;
  await visit(inside, async ({ page }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "interactive");
    await pressByHand(page, "stile-captcha button");
    // A renewal would begin in the same moment, and the widget would not stay expired.
    await waitForState(page, "expired", 60_000);
    assert.deepEqual(await given(page, 2), ["interactive", "expired"]);
    await pressByHand(page, "#name");
    await waitForState(page, "interactive");
  });
});
