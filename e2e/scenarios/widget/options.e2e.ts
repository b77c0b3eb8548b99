import assert from "node:assert/strict";
import { test } from "node:test";
import { TEST_KEYS } from "@stile/core/domain/site/test-keys";
import { waitForState } from "@stile/testkit/browser/browser";
import { given, openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite } from "@stile/testkit/service/easy-service";
import type { Page } from "playwright-core";

const { service, visit } = await openForms();

const stateOf = (page: Page): Promise<string> =>
  page.evaluate(
    () => (document.querySelector("stile-captcha") as Element & { state: string }).state,
  );
const isSeen = (page: Page): Promise<boolean> => page.locator("stile-captcha .box").isVisible();

test("where a touch starts nothing, a submission is still held for its token", async (t) => {
  const widgetOf = (execution: string): string =>
    `<stile-captcha sitekey="${service.siteKey}" data-execution="${execution}" appearance="execute"></stile-captcha>`;
  const inside = `${widgetOf("execute")}</form><iframe name="answers"></iframe><script>document.forms[0].target = "answers"</script>
<form action="/sent" method="post" target="answers"><input id="field">${widgetOf("submit")}`;
  await visit(inside, async ({ page, shop, asked }) => {
    for (const field of ["#name", "#field"]) {
      await pressByHand(page, field);
      await page.keyboard.press("End");
    }
    assert.deepEqual(asked, ["/stile.js"]);
    for (const [execution, field] of [
      ["execute", "#name"],
      ["submit", "#field"],
    ] as const) {
      await t.test(`with execution="${execution}"`, async () => {
        const widget = page.locator(`[data-execution=${execution}]`);
        assert.equal(
          await widget.evaluate((one) => (one as Element & { state?: string }).state),
          "idle",
        );
        assert.equal(await widget.locator(".box").isVisible(), false);
        const { length } = shop.sent;
        await page.locator(field).press("Enter");
        await widget.locator(".box").waitFor();
        while (shop.sent.length === length) await page.waitForResponse(/\/sent$/);
        assert.match(shop.sent[length]?.fields["stile-response"] ?? "", /^[\w.-]{50,}$/);
      });
    }
  });
});

test("a test site key gives a token at once, and the widget says so until it has another key (D19, test keys)", async () => {
  const { siteKey } = TEST_KEYS[0] ?? assert.fail();
  const inside = `<stile-captcha sitekey="${siteKey}" size="compact"></stile-captcha>`;
  await visit(inside, async ({ page, shop, asked, complaints }) => {
    await page.fill("#name", "Bob");
    await page.click("#send");
    await page.waitForURL(/\/sent$/);
    assert.match(shop.sent[0]?.fields["stile-response"] ?? "", /^[\w.-]{100,}$/);
    assert.ok(asked.includes("/test-ribbon.js"));
    await page.goBack();
    await page.fill("#name", "Bob");
    const ribbon = page.locator("stile-captcha .test");
    await ribbon.waitFor();
    assert.equal(await ribbon.textContent(), "Test mode");
    await page.locator("stile-captcha").evaluate((one) => one.setAttribute("sitekey", "pk_other"));
    await ribbon.waitFor({ state: "detached" });
    assert.deepEqual(complaints, []);
  });
});

test("the field may have a name as Rails and PHP write them, which is no valid CSS identifier", async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}" response-field-name="user[captcha]"></stile-captcha>`;
  await visit(inside, async ({ page, shop, complaints }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    await pressByHand(page, "#send");
    await page.waitForURL(/\/sent$/);
    assert.match(shop.sent[0]?.fields["user[captcha]"] ?? "", /^[\w.-]{50,}$/);
    assert.deepEqual(complaints, []);
  });
});

test('appearance="interaction-only" hides the widget until an error', async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}" appearance="interaction-only" response-field="false"></stile-captcha>`;
  await visit(inside, async ({ page }) => {
    assert.equal(await isSeen(page), false);
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    assert.equal(await isSeen(page), false);
    const fields = await page.evaluate(() => [
      ...new FormData(document.querySelector("form") ?? undefined).keys(),
    ]);
    assert.deepEqual(fields, ["name"], "response-field=false: no field");
    await page.evaluate(() =>
      document.querySelector("stile-captcha")?.setAttribute("sitekey", "pk_unknown"),
    );
    await pressByHand(page, "#name");
    await waitForState(page, "error");
    assert.equal(await isSeen(page), true);
  });
});

test("a bad action is named with its rule, in the widget and once in the console, without a request or a retry", async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}" action="log in" execution="render"></stile-captcha>
<stile-captcha sitekey="${service.siteKey}" data-action="log in" execution="render"></stile-captcha>`;
  await visit(inside, async ({ page, complaints, asked }) => {
    const rule = /The attribute action must be 1 to 64 of the characters A-Z a-z 0-9 _ \. \/ -\./;
    await page.locator("stile-captcha [role=status]").filter({ hasText: rule }).nth(1).waitFor();
    const button = page.locator("stile-captcha button").first();
    assert.deepEqual(
      [await button.textContent(), await button.getAttribute("aria-disabled")],
      ["Not verified", "true"],
    );
    assert.equal(complaints.length, 1);
    assert.match(complaints[0] ?? "", rule);
    assert.match(complaints[0] ?? "", /\/docs#attribute_invalid/);
    assert.deepEqual(
      asked.filter((path) => /^\/(api|frame)/.test(path)),
      [],
    );
    const recovered = page.waitForResponse(/pow\/challenge\?.*action=login/);
    await page.evaluate(() =>
      document.querySelector("stile-captcha")?.setAttribute("action", "login"),
    );
    assert.equal((await recovered).status(), 200);
  });
});

test("mistakes of a page's owner in a widget", async (context) => {
  const inside = `<script>const done = () => {}, loaded = () => {};</script><stile-captcha sitekey="${service.siteKey}" callback="done"></stile-captcha>`;
  await visit(
    inside,
    async ({ page, complaints }) => {
      const label = page.locator("stile-captcha .label");
      const set = (strings: string): Promise<void> =>
        page.evaluate(
          (value) => document.querySelector("stile-captcha")?.setAttribute("strings", value),
          strings,
        );
      await context.test("strings are shown as texts, never as markup", async () => {
        await set('{"verify":"<img src=x onerror=alert(1)>","verified":"Welcome in"}');
        await label.filter({ hasText: "<img src=x onerror=alert(1)>" }).waitFor();
        await pressByHand(page, "#name");
        await label.filter({ hasText: "Welcome in" }).waitFor();
      });
      await context.test(
        "a callback or an onload that names no function is reported once in the console",
        async () => {
          const told = (what: string) =>
            `stile: attribute_invalid. window.${what} is no function. See ${service.baseUrl}/docs#attribute_invalid`;
          while (complaints.length < 2) await page.waitForEvent("console");
          assert.deepEqual(complaints, [told("loaded"), told("done")]);
        },
      );
      await context.test(
        "strings that are no object of texts are reported in the console, and the widget still works",
        async () => {
          const told = page.waitForEvent("console");
          await set("{verify:1}");
          assert.match((await told).text(), /attribute strings must be a JSON object of texts/);
          await pressByHand(page, "#name");
          await label.filter({ hasText: /^Verified$/ }).waitFor();
        },
      );
    },
    "?onload=loaded",
  );
});

test("a wrong site key is reported once in the console, with the remedy, in any language of the widget", async () => {
  const inside =
    '<stile-captcha sitekey="pk_unknown" language="de" execution="render"></stile-captcha>';
  await visit(inside, async ({ page, complaints }) => {
    await waitForState(page, "error");
    await page
      .locator("stile-captcha [role=status]")
      .filter({ hasText: "sitekey_unknown" })
      .waitFor();
    const isOurs = (text: string): boolean => text.startsWith("stile:");
    while (!complaints.some(isOurs)) await page.waitForEvent("console");
    await page.evaluate(() =>
      document.querySelector("stile-captcha")?.setAttribute("cdata", "again"),
    );
    await page.waitForResponse(/pow\/challenge/);
    await page
      .locator("stile-captcha [role=status]")
      .filter({ hasText: "sitekey_unknown" })
      .waitFor();
    assert.deepEqual(
      complaints.filter(isOurs).map((text) => text.split(".")[0]),
      ["stile: sitekey_unknown"],
    );
  });
});

test("callbacks hear the request for a press, its end and the token, in that order; one that throws stops nothing", async () => {
  const { siteKey } = await addEasySite(service, { name: "interactive", mode: "interactive" });
  const inside = `<div id="here"></div>${pageScript(`
const hear = (name) => ({ [name]: () => { got.push(name); throw new Error(name); } });
globalThis.loaded = () => stile.render("#here", { sitekey: "${siteKey}", ...hear("before-interactive-callback"),
  ...hear("after-interactive-callback"), ...hear("callback"), ...hear("error-callback") });`)}`;
  await visit(
    inside,
    async ({ page }) => {
      await page.locator("#here > stile-captcha").waitFor();
      await pressByHand(page, "#name");
      await waitForState(page, "interactive");
      await pressByHand(page, "stile-captcha button");
      const heard = ["before-interactive-callback", "after-interactive-callback", "callback"];
      assert.deepEqual(await given(page, 3), heard);
    },
    "?onload=loaded",
  );
});

test('retry="never" ignores touches after a temporary error; a press tries again', async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}" retry="never"></stile-captcha>`;
  await visit(inside, async ({ page, asked }) => {
    await page.route("**/pow/challenge?*", (route) => route.fulfill({ status: 400, json: {} }));
    await pressByHand(page, "#name");
    await waitForState(page, "error");
    const before = asked.length;
    // Longer than the widget ignores touches after a failure, and than the first pause before a
    // retry.
    await page.clock.install();
    await page.clock.fastForward(120_000);
    await pressByHand(page, "#name");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    assert.deepEqual([await stateOf(page), asked.length], ["error", before]);
    const again = page.waitForRequest(/pow\/challenge/);
    await pressByHand(page, "stile-captcha button");
    await again;
  });
});
