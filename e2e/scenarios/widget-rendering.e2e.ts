import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launchVisitorBrowser, newVisitor, openPage, waitForState } from "@stile/testkit/browser/browser";
import { type FormPage, serveFormPage } from "@stile/testkit/browser/form-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addSite } from "@stile/testkit/service/operator-site";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Stile } from "@stile/widget/stile";
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

type Visit = {
  readonly page: Page;
  readonly shop: FormPage;
  readonly complaints: readonly string[];
  /** Paths that the page has asked the service for. */
  readonly asked: readonly string[];
};
type PageWindow = { readonly stile: Stile; readonly got: unknown[]; readonly made: Element };

/** Visits a form with that inside; `query` is what follows the address of the script. */
async function visit(inside: string, use: (visit: Visit) => Promise<void>, query = ""): Promise<void> {
  const shop = await serveFormPage(
    service.baseUrl,
    `<form action="/sent" method="post"><input id="name" name="name" value="Ada">${inside}
<button id="send">Send</button> <button id="other" type="button">Other</button></form>`,
    query,
  );
  const context = await newVisitor(browser);
  try {
    const asked: string[] = [];
    context.on("request", (request) => {
      if (request.url().startsWith(service.baseUrl)) asked.push(new URL(request.url()).pathname);
    });
    const { page, complaints } = await openPage(context, shop.url);
    await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
    await use({ page, shop, complaints, asked });
  } finally {
    await context.close();
    await shop.stop();
  }
}

const script = (text: string): string => `<script>globalThis.got = [];${text}</script>`;
const stateOf = (page: Page): Promise<string> =>
  page.evaluate(() => (document.querySelector("stile-captcha") as Element & { state: string }).state);

/** Waits until the page was given that many answers. */
async function given(page: Page, count: number): Promise<readonly unknown[]> {
  await page.waitForFunction((least) => (window as unknown as PageWindow).got.length >= least, count);
  return page.evaluate(() => (window as unknown as PageWindow).got);
}

const isSeen = (page: Page): Promise<boolean> => page.locator("stile-captcha .box").isVisible();

test("markup that pages let strangers write gives a widget no handler, style or other attribute by its data-*", async () => {
  const inside = `<div class="stile-captcha" data-sitekey="${service.siteKey}" data-onclick="got.push(1)" data-onfocusin="got.push(2)"
  data-style="position: fixed; inset: 0" data-id="name" data-contenteditable="true" data-part="box"></div>${script("")}`;
  await visit(inside, async ({ page, complaints }) => {
    const widget = page.locator("div.stile-captcha > stile-captcha");
    await widget.waitFor();
    await page.evaluate((sitekey) => {
      const { stile } = window as unknown as PageWindow;
      const strange = { sitekey, onclick: "got.push(3)" } as object;
      stile.render(document.body.appendChild(document.createElement("p")), strange);
    }, service.siteKey);
    await page.locator("p > stile-captcha").waitFor();
    const names = await page
      .locator("stile-captcha")
      .evaluateAll((all) => all.flatMap((one) => one.getAttributeNames().filter((name) => name !== "aria-disabled")));
    assert.deepEqual(names, ["sitekey", "sitekey"]);
    await widget.click();
    assert.deepEqual(await page.evaluate(() => (window as unknown as PageWindow).got), []);
    assert.deepEqual(complaints, []);
  });
});

test("an element of the class stile-captcha becomes a widget, also one that comes late, and each once", async () => {
  const inside = `<div class="stile-captcha" data-sitekey="${service.siteKey}" data-action="login" data-callback="shop.done"></div>
${script("globalThis.shop = { done: (token) => got.push(token) };")}`;
  await visit(inside, async ({ page, shop, complaints }) => {
    await page.locator("div.stile-captcha > stile-captcha").waitFor();
    await page.evaluate(() => {
      const late = document.createElement("p");
      document.body.append(late);
      late.dataset.sitekey = "pk_late";
      late.className = "stile-captcha";
    });
    await page.locator("p > stile-captcha[sitekey=pk_late]").waitFor();
    await page.evaluate(() => document.querySelector("p > stile-captcha")?.remove());
    await page.evaluate(() => document.body.append(document.createElement("i")));
    assert.deepEqual(
      await page.evaluate(() =>
        [...document.querySelectorAll("stile-captcha")].map((one) => one.parentElement?.localName),
      ),
      ["div"],
    );
    await pressByHand(page, "#name");
    const [token] = await given(page, 1);
    const sent = page.waitForURL("**/sent");
    await pressByHand(page, "#send");
    await sent;
    assert.equal(shop.sent[0]?.fields["stile-response"], token);
    const { body } = await redeem(service, String(token));
    assert.deepEqual([body.data.verified, body.data.action], [true, "login"]);
    assert.deepEqual(complaints, []);
  });
});

test("with ?render=explicit nothing becomes a widget by itself; ?onload says when stile.render may be called", async () => {
  const inside = `<div class="stile-captcha" id="here" data-action="from-data"></div>${script(`
globalThis.loaded = () => { const made = stile.render("here", { sitekey: "${service.siteKey}", cdata: "order 7",
  "response-field-name": "captcha", callback: (token) => got.push(token) });
  globalThis.made = made; };`)}`;
  await visit(
    inside,
    async ({ page, shop, complaints }) => {
      await page.locator("#here > stile-captcha").waitFor();
      await pressByHand(page, "#name");
      const [token] = await given(page, 1);
      assert.equal(await page.locator("#here > stile-captcha").count(), 1);
      const said = await page.evaluate(() => {
        const { stile, made } = window as unknown as PageWindow;
        return [stile.getResponse("#here"), stile.isExpired(made), stile.getResponse(made)];
      });
      assert.deepEqual(said, [token, false, token]);
      const { body } = await redeem(service, String(token));
      assert.deepEqual([body.data.action, body.data.cdata], ["from-data", "order 7"]);
      await page.evaluate(() => (window as unknown as PageWindow).stile.remove("#here"));
      assert.equal(await page.locator("stile-captcha").count(), 0);
      assert.deepEqual([complaints, shop.sent], [[], []]);
    },
    "?render=explicit&onload=loaded",
  );
});

test("a page's own address can't name what is called, and a callback's name is never evaluated", async () => {
  const names = ["got.push", "document.write", "alert(1)", "constructor.constructor", "clobbered"];
  const inside = `<a id="clobbered" href="javascript:got.push(1)"></a>${script("globalThis.bad = () => got.push('onload');")}
${names.map((name) => `<stile-captcha sitekey="pk_unknown" error-callback="${name}" execution="render"></stile-captcha>`).join("")}
<stile-captcha sitekey="pk_unknown" data-error-callback="last" execution="render"></stile-captcha>
${script("globalThis.last = (name) => got.push(name);")}`;
  await visit(inside, async ({ page, shop }) => {
    await page.goto(`${shop.url}?onload=bad&render=explicit`);
    assert.deepEqual(await given(page, 1), ["sitekey_unknown"]);
    await page.waitForFunction(() =>
      [...document.querySelectorAll("stile-captcha")].every(
        (one) => (one as Element & { state?: string }).state === "error",
      ),
    );
    assert.deepEqual(await given(page, 1), ["sitekey_unknown"]);
  });
});

test("stile.ready() calls once the page is parsed, stile.languages says what is spoken", async () => {
  await visit("", async ({ page }) => {
    const [called, count, first] = await page.evaluate(async () => {
      const { stile } = window as unknown as PageWindow;
      let called = "";
      await stile.ready(() => {
        called = document.readyState;
      });
      return [called, stile.languages.length, stile.languages[0]] as const;
    });
    assert.notEqual(called, "loading");
    assert.deepEqual([count, first], [42, "en"]);
    const names = await page.evaluate(() => Object.keys((window as unknown as PageWindow).stile));
    const report = readFileSync(join(import.meta.dirname, "../../docs/reference/widget-api.md"), "utf8");
    const declared = /type Stile = \{[\s\S]*?\n\};/.exec(report)?.[0].matchAll(/^ {4}readonly (\w+):/gm) ?? [];
    assert.deepEqual(names.sort(), [...declared].map((found) => found[1]).sort(), "what is reported is what is there");
  });
});

for (const execution of ["execute", "submit"]) {
  test(`with execution="${execution}" a touch begins nothing, a submission is held for its token all the same`, async () => {
    const inside = `<stile-captcha sitekey="${service.siteKey}" data-execution="${execution}" appearance="execute"></stile-captcha>`;
    await visit(inside, async ({ page, shop, asked }) => {
      await pressByHand(page, "#name");
      await page.keyboard.press("End");
      assert.deepEqual([await stateOf(page), await isSeen(page)], ["idle", false]);
      assert.deepEqual(asked, ["/stile.js"]);
      const sent = page.waitForURL("**/sent");
      await page.keyboard.press("Enter");
      await page.locator("stile-captcha .box").waitFor();
      await sent;
      assert.match(shop.sent[0]?.fields["stile-response"] ?? "", /^[\w.-]{50,}$/);
    });
  });
}

test('with appearance="interaction-only" nothing is seen while all goes well, and an error is', async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}" appearance="interaction-only" response-field="false"></stile-captcha>`;
  await visit(inside, async ({ page }) => {
    assert.equal(await isSeen(page), false);
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    assert.equal(await isSeen(page), false);
    const fields = await page.evaluate(() => [...new FormData(document.querySelector("form") ?? undefined).keys()]);
    assert.deepEqual(fields, ["name"], "response-field=false: no field");
    await page.evaluate(() => document.querySelector("stile-captcha")?.setAttribute("sitekey", "pk_unknown"));
    await pressByHand(page, "#name");
    await waitForState(page, "error");
    assert.equal(await isSeen(page), true);
  });
});

test("a bad action is named with its rule, in the widget and once in the console, asks the service nothing and offers no other try", async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}" action="log in" execution="render"></stile-captcha>
<stile-captcha sitekey="${service.siteKey}" data-action="log in" execution="render"></stile-captcha>`;
  await visit(inside, async ({ page, complaints, asked }) => {
    const rule = /The attribute action must be 1 to 64 of the characters A-Z a-z 0-9 _ \. \/ -\./;
    await page.locator("stile-captcha [role=status]").filter({ hasText: rule }).nth(1).waitFor();
    const button = page.locator("stile-captcha button").first();
    assert.deepEqual(
      [await button.textContent(), await button.getAttribute("aria-disabled")],
      ["Verify you are human", "true"],
    );
    assert.equal(complaints.length, 1);
    assert.match(complaints[0] ?? "", rule);
    assert.match(complaints[0] ?? "", /docs\/reference\/widget\.md#attribute_invalid/);
    assert.deepEqual(
      asked.filter((path) => /^\/(api|frame)/.test(path)),
      [],
    );
    const mended = page.waitForResponse(/pow\/challenge\?.*action=login/);
    await page.evaluate(() => document.querySelector("stile-captcha")?.setAttribute("action", "login"));
    assert.equal((await mended).status(), 200);
  });
});

test("strings are said as texts, never as markup; what is no object of texts is told in the console and keeps nobody out", async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}"></stile-captcha>`;
  await visit(inside, async ({ page, complaints }) => {
    const label = page.locator("stile-captcha .label");
    const set = (strings: string): Promise<void> =>
      page.evaluate((value) => document.querySelector("stile-captcha")?.setAttribute("strings", value), strings);
    await set('{"verify":"<img src=x onerror=alert(1)>","verified":"Welcome in"}');
    await label.filter({ hasText: "<img src=x onerror=alert(1)>" }).waitFor();
    await pressByHand(page, "#name");
    await label.filter({ hasText: "Welcome in" }).waitFor();
    assert.deepEqual(complaints, []);
    const told = page.waitForEvent("console");
    await set("{verify:1}");
    assert.match((await told).text(), /attribute strings must be a JSON object of texts/);
    await pressByHand(page, "#name");
    await label.filter({ hasText: /^Verified$/ }).waitFor();
  });
});

test("a wrong site key is told once in the console, with what to do, in whatever language the widget speaks", async () => {
  const inside = '<stile-captcha sitekey="pk_unknown" language="de" execution="render"></stile-captcha>';
  await visit(inside, async ({ page, complaints }) => {
    await waitForState(page, "error");
    await page.locator("stile-captcha [role=status]").filter({ hasText: "sitekey_unknown" }).waitFor();
    const isOurs = (text: string): boolean => text.startsWith("stile:");
    while (!complaints.some(isOurs)) await page.waitForEvent("console");
    await page.evaluate(() => document.querySelector("stile-captcha")?.setAttribute("cdata", "again"));
    await page.waitForResponse(/pow\/challenge/);
    await page.locator("stile-captcha [role=status]").filter({ hasText: "sitekey_unknown" }).waitFor();
    assert.deepEqual(
      complaints.filter(isOurs).map((text) => text.split(".")[0]),
      ["stile: sitekey_unknown"],
    );
  });
});

test("callbacks hear that a press is asked for, that it is over, and the token, in that order; one that throws stops nothing", async () => {
  const { siteKey } = await addSite(service.dataDirectory, { name: "interactive", mode: "interactive" });
  const inside = `<div id="here"></div>${script(`
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

test('with retry="never" an error that may pass is left alone by touches; a press tries again', async () => {
  const inside = `<stile-captcha sitekey="${service.siteKey}" retry="never"></stile-captcha>`;
  await visit(inside, async ({ page, asked }) => {
    await page.route("**/pow/challenge?*", (route) => route.fulfill({ status: 400, json: {} }));
    await pressByHand(page, "#name");
    await waitForState(page, "error");
    const before = asked.length;
    // Longer than touches are left alone after a failure, and than the first wait for another try.
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
