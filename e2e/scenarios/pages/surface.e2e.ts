import assert from "node:assert/strict";
import { test } from "node:test";
import { type FormVisit, given, openForms } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";
import type { Stile } from "@stile/widget/stile";
import type { Page } from "playwright-core";

const { service, visitBody } = await openForms();

type PageWindow = { readonly stile: Stile };

/** Visits a page whose own script sends its forms; `got` holds the results of the script. */
const visitScripted = (
  script: string,
  use: (visit: FormVisit) => Promise<void>,
  siteKey = service.siteKey,
): Promise<void> =>
  visitBody(
    `<form action="/sent" method="post" novalidate><input id="name" name="name" value="Ada">
<stile-captcha sitekey="${siteKey}" style="display:block;min-block-size:66px"></stile-captcha>
<button id="send">Send</button> <button id="other" type="button">Other</button></form>
<script>const form = document.querySelector("form"), got = []; globalThis.got = got;
const note = (given) => given.then((token) => got.push(token), (error) => got.push(error.message));${script}</script>`,
    use,
  );

async function outcomes(tokens: readonly unknown[]): Promise<string[]> {
  const found: string[] = [];
  for (const token of tokens) {
    const { body } = await redeem(service, `${token}`);
    found.push(body.data.verified === true ? "verified" : (body.reasonCode ?? "nothing"));
  }
  return found;
}

test("a script that asks for tokens", async (t) => {
  // One after the other, at each press. The test touches no field, which would start the widget
  // too.
  const script = `const ways = [async () => {
      await Promise.all([note(stile.execute()), note(stile.execute())]); note(stile.execute()); },
    async () => {
      const send = (body, headers) => stile.fetch("/sent", { method: "POST", body, headers });
      await send(new FormData(form)); await send(new URLSearchParams({ a: "1" }));
      await send("{}", { "Content-Type": "application/json", "X-Own": "1" }); got.push("done"); }];
    document.getElementById("other").onclick = () => ways.shift()();`;
  await visitScripted(script, async ({ page, shop }) => {
    await t.test(
      "stile.execute() starts the widget and gives each caller a token of its own, at once or in turn",
      async () => {
        await pressByHand(page, "#other");
        const tokens = await given(page, 3);
        assert.deepEqual(await outcomes(tokens), ["verified", "verified", "verified"]);
      },
    );
    await t.test(
      "stile.fetch() puts a new token each time into a form's field, or else into a header",
      async () => {
        await pressByHand(page, "#other");
        await given(page, 4);
        const [form, search, text] = shop.sent;
        assert.deepEqual([form?.fields.name, search?.fields.a], ["Ada", "1"]);
        assert.deepEqual([form?.header, text?.fields], [undefined, {}]);
        const tokens = [
          form?.fields["stile-response"],
          search?.fields["stile-response"],
          text?.header,
        ];
        assert.deepEqual(await outcomes(tokens.map((token) => token ?? "")), [
          "verified",
          "verified",
          "verified",
        ]);
      },
    );
  });
});

test("fetches one challenge for each token on a page that handles submit itself", async (context) => {
  const script = `let times = 0; form.addEventListener("submit", (event) => { event.preventDefault();
    note(times++ ? stile.fetch("/sent", { method: "POST", body: new FormData(form) }).then(() => "done") : stile.execute()); });`;
  await visitScripted(script, async ({ page, shop, challenges }) => {
    await context.test("if execute() gives it the token that the form waited for", async () => {
      await pressByHand(page, "#send");
      assert.deepEqual(await outcomes(await given(page, 1)), ["verified"]);
      assert.equal(challenges(), 1);
    });
    await page.waitForTimeout(1200);
    await context.test("if it sends the form with stile.fetch(), with another token", async () => {
      await pressByHand(page, "#send");
      await given(page, 2);
      assert.deepEqual(await outcomes([shop.sent[0]?.fields["stile-response"] ?? ""]), [
        "verified",
      ]);
      assert.equal(challenges(), 2);
    });
  });
});

/** Not by hand: the widget's text moves the button away from the pointer. */
const ask = (page: Page): Promise<void> => page.locator("#other").dispatchEvent("click");

test("execute() rejects with the name of the error, and when the widget is reset or gone", async () => {
  const script = `document.getElementById("other").onclick = () => note(stile.execute());`;
  await visitScripted(
    script,
    async ({ page }) => {
      await ask(page);
      assert.deepEqual(await given(page, 1), ["stile.execute: sitekey_unknown"]);
      // Another call tries again.
      const again = page.waitForRequest(/pow\/challenge/);
      await ask(page);
      await again;
      await given(page, 2);
    },
    "pk_0000000000000000000000",
  );
  await visitScripted(script, async ({ page }) => {
    await ask(page);
    await page.waitForFunction(
      () =>
        (document.querySelector("stile-captcha") as Element & { state?: string }).state !== "idle",
    );
    await page.evaluate(() => (window as unknown as PageWindow).stile.reset());
    assert.deepEqual(await given(page, 1), ["stile.execute: cancelled"]);
    await page.evaluate(() =>
      document.querySelector("stile-captcha")?.setAttribute("endpoint", "https://else.example"),
    );
    await ask(page);
    assert.equal((await given(page, 2))[1], "stile.execute: endpoint_not_allowed");
    await page.evaluate(() => document.querySelector("stile-captcha")?.remove());
    await ask(page);
    assert.equal((await given(page, 3))[2], "stile.execute: the page has no <stile-captcha>");
  });
});
