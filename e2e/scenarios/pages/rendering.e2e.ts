import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NOW_AND_THEN } from "@stile/testkit/browser/browser";
import { given, openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";
import type { Stile } from "@stile/widget/stile";

type PageWindow = { readonly stile: Stile; readonly got: unknown[]; readonly made: Element };

const { service, visit } = await openForms();

test("markup from strangers cannot give a widget a handler, style or other attribute through its data-*", async () => {
  const inside = `<div class="stile-captcha" data-sitekey="${service.siteKey}" data-onclick="got.push(1)" data-onfocusin="got.push(2)"
  data-style="position: fixed; inset: 0" data-id="name" data-contenteditable="true" data-part="box"></div>${pageScript("")}`;
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
      .evaluateAll((all) =>
        all.flatMap((one) => one.getAttributeNames().filter((name) => name !== "aria-disabled")),
      );
    assert.deepEqual(names, ["sitekey", "sitekey"]);
    await widget.click();
    assert.deepEqual(await page.evaluate(() => (window as unknown as PageWindow).got), []);
    assert.deepEqual(complaints, []);
  });
});

test("each element of the class stile-captcha becomes a widget once, even if it is added late", async () => {
  const inside = `<div class="stile-captcha" data-sitekey="${service.siteKey}" data-action="login" data-callback="shop.done"></div>
${pageScript("globalThis.shop = { done: (token) => got.push(token) };")}`;
  await visit(inside, async ({ page, shop, complaints }) => {
    await page.locator("div.stile-captcha > stile-captcha").waitFor();
    await page.evaluate(() => {
      const late = document.createElement("p");
      document.body.append(late);
      late.dataset.sitekey = "pk_late";
      late.className = "stile-captcha";
    });
    await page.locator("p > stile-captcha[sitekey=pk_late]").waitFor();
    await page.evaluate(() => (window as unknown as { stile: Stile }).stile.remove("p"));
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

test("with ?render=explicit only stile.render makes widgets; ?onload says when it may be called", async () => {
  const inside = `<div class="stile-captcha" id="here" data-action="from-data"></div>${pageScript(`
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

test("a page's own address cannot choose the called function, and a callback's name is never evaluated", async () => {
  const names = ["got.push", "document.write", "alert(1)", "constructor.constructor", "clobbered"];
  const inside = `<a id="clobbered" href="javascript:got.push(1)"></a>${pageScript("globalThis.bad = () => got.push('onload');")}
${names.map((name) => `<stile-captcha sitekey="pk_unknown" error-callback="${name}" execution="render"></stile-captcha>`).join("")}
<stile-captcha sitekey="pk_unknown" data-error-callback="last" execution="render"></stile-captcha>
${pageScript("globalThis.last = (name) => got.push(name);")}`;
  await visit(inside, async ({ page, shop }) => {
    await page.goto(`${shop.url}?onload=bad&render=explicit`);
    assert.deepEqual(await given(page, 1), ["sitekey_unknown"]);
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll("stile-captcha")].every(
          (one) => (one as Element & { state?: string }).state === "error",
        ),
      undefined,
      NOW_AND_THEN,
    );
    assert.deepEqual(await given(page, 1), ["sitekey_unknown"]);
  });
});

test("a page that has the script but no widget yet", async (t) => {
  await visit("", async ({ page, complaints }) => {
    await t.test(
      "gets its call from stile.ready() once it is parsed, and the known languages from stile.languages",
      async () => {
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
        const names = await page.evaluate(() =>
          Object.keys((window as unknown as PageWindow).stile),
        );
        const types = readFileSync(
          join(import.meta.dirname, "../../../packages/widget/types/stile.d.ts"),
          "utf8",
        );
        const declared =
          /type Stile = \{[\s\S]*?\n\};/.exec(types)?.[0].matchAll(/^ {4}readonly (\w+):/gm) ?? [];
        assert.deepEqual(
          names.sort(),
          [...declared].map((found) => found[1]).sort(),
          "the published types name the functions that exist",
        );
      },
    );
    await t.test(
      "keeps one widget in an element that is rendered twice, as by React's StrictMode, with or without cleanup",
      async () => {
        const seen = await page.evaluate(async (sitekey) => {
          const { stile } = window as unknown as PageWindow;
          const place = document.body.appendChild(document.createElement("p"));
          place.id = "place";
          const render = (action: string) => stile.render(place, { sitekey, action });
          const actions = async (): Promise<(string | null)[]> => {
            await new Promise((resolve) => setTimeout(resolve, 300));
            return [...document.querySelectorAll("stile-captcha")].map((one) =>
              one.getAttribute("action"),
            );
          };
          const first = render("first");
          const isSame = [
            first === stile.render("place", { sitekey }),
            first === stile.render("#place", { sitekey }),
          ];
          const twice = await actions();
          isSame.push(first === render("later"));
          stile.remove(first);
          stile.remove(render("cleaned-up"));
          render("last");
          return [isSame, twice, await actions()];
        }, service.siteKey);
        assert.deepEqual(seen, [[true, true, true], ["first"], ["last"]]);
      },
    );
    assert.deepEqual(complaints, []);
  });
});

test("a copy of the page, as Turbo's cache makes one, has one widget in each place, with the same callbacks", async () => {
  const inside = `<div class="stile-captcha" data-sitekey="${service.siteKey}"></div><p id="place"></p>${pageScript("")}`;
  await visit(inside, async ({ page, complaints }) => {
    const renderAgain = (): Promise<void> =>
      page.evaluate(async (sitekey) => {
        const { stile, got } = window as unknown as PageWindow;
        stile.render("place", { sitekey, callback: (token) => got.push(token) });
        // The same script renders both, in the order of the calls.
        await stile.ready();
      }, service.siteKey);
    const countBeside = (): Promise<number[]> =>
      page.evaluate(() =>
        [".stile-captcha", "#place"].map(
          (one) => document.querySelector(one)?.children.length ?? 0,
        ),
      );
    await page.locator("div.stile-captcha > stile-captcha").waitFor();
    await renderAgain();
    await page.evaluate(() => document.body.replaceWith(document.body.cloneNode(true)));
    await renderAgain();
    assert.deepEqual(await countBeside(), [1, 1]);
    await pressByHand(page, "#name");
    const [token] = await given(page, 1);
    const held = await page.evaluate(() =>
      (window as unknown as PageWindow).stile.getResponse("#place"),
    );
    assert.equal(token, held);
    assert.deepEqual(complaints, []);
  });
});

test("an element of the class with a widget in its markup gets no other, and keeps that one unchanged", async () => {
  const inside = `<div class="stile-captcha"><stile-captcha sitekey="${service.siteKey}"></stile-captcha></div>`;
  await visit(inside, async ({ page }) => {
    await page.evaluate(() => {
      const late = document.body.appendChild(document.createElement("p"));
      late.dataset.sitekey = "pk_late";
      late.className = "stile-captcha";
    });
    await page.locator("p > stile-captcha").waitFor();
    assert.equal(await page.locator("div > stile-captcha").count(), 1);
  });
});
