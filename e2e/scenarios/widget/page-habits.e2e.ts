import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenOf, waitForState } from "@stile/testkit/browser/browser";
import { given, openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite } from "@stile/testkit/service/easy-service";

const { service, visit, visitBody } = await openForms();
const { siteKey: asking } = await addEasySite(service, { name: "asking", mode: "interactive" });

const WIDGET = `<stile-captcha sitekey="${service.siteKey}"></stile-captcha>`;
const CONTAINER = `<div class="stile-captcha" data-sitekey="${service.siteKey}"></div>`;
const ASKING = `<stile-captcha sitekey="${asking}"></stile-captcha>`;

test("a container whose content the page replaces has a widget again, unless the page called stile.remove", async () => {
  await visit(CONTAINER, async ({ page }) => {
    const widget = page.locator(".stile-captcha stile-captcha");
    for (const replace of ["innerHTML", "textContent", "replaceChildren"] as const) {
      await widget.waitFor({ state: "attached" });
      const first = await widget.elementHandle();
      await page.evaluate((way) => {
        const holder = document.querySelector(".stile-captcha") as HTMLElement;
        if (way === "replaceChildren") holder.replaceChildren();
        else holder[way] = "";
      }, replace);
      await page.waitForFunction((old) => {
        const now = document.querySelector(".stile-captcha stile-captcha");
        return now !== null && now !== old;
      }, first);
    }
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    const count = await page.evaluate(async () => {
      (window as unknown as { stile: { remove: () => void } }).stile.remove();
      document.querySelector(".stile-captcha")?.append(" ");
      await new Promise((resolve) => setTimeout(resolve));
      return document.querySelectorAll("stile-captcha").length;
    });
    assert.equal(count, 0);
  });
});

test("a page that removes each widget of a container as soon as it appears stays usable", async () => {
  const script = pageScript(`const holder = document.querySelector(".stile-captcha");
    const empty = () => { if (holder.firstChild) got.push("removed"); holder.replaceChildren(); };
    new MutationObserver(empty).observe(holder, { childList: true });`);
  await visit(`${CONTAINER}${script}`, async ({ page }) => {
    assert.equal((await given(page, 3))[2], "removed");
  });
});

test("undefined and null parameters of stile.render are absent, and no attribute holds a callback's source", async () => {
  const script =
    pageScript(`globalThis.loaded = () => { const widget = stile.render("#here", { sitekey: "${service.siteKey}",
    action: undefined, cdata: null, "response-field-name": undefined, tabindex: null, callback: () => "secret source" });
    widget.form = undefined; stile.render("#there", null); };`);
  await visit(
    `<div id="here"></div><div id="there"></div>${script}`,
    async ({ page }) => {
      const names = await page
        .locator("#here > stile-captcha")
        .evaluate((widget) => widget.getAttributeNames());
      assert.deepEqual(names.toSorted(), ["callback", "sitekey"]);
      assert.ok(!(await page.locator("#here").innerHTML()).includes("secret source"));
      await page.locator("#there > stile-captcha").waitFor({ state: "attached" });
    },
    "?onload=loaded",
  );
});

test("execute() rejects in a disabled fieldset as soon as a press is needed, and gets a token if none is", async () => {
  for (const [inside, expected] of [
    [ASKING, "stile.execute: disabled"],
    [WIDGET, "token"],
  ] as const) {
    const script =
      pageScript(`addEventListener("click", async ({ target }) => { if (target.id === "other")
      got.push(await stile.execute().then(() => "token", (error) => error.message)); });`);
    await visit(`<fieldset disabled>${inside}</fieldset>${script}`, async ({ page }) => {
      await pressByHand(page, "#name");
      await pressByHand(page, "#other");
      assert.deepEqual(await given(page, 1), [expected]);
    });
  }
});

test("execute() rejects if the page disables the fieldset while the widget asks for a press", async () => {
  // The widget gets the focus once execute() needs the press, and waits from the end of that task
  // on.
  const script = pageScript(`const fieldset = document.querySelector("fieldset");
    addEventListener("click", async ({ target }) => { if (target.id !== "other") return;
      fieldset.addEventListener("focusin", () => setTimeout(() => { fieldset.disabled = true; }));
      got.push(await stile.execute().catch((error) => error.message)); });`);
  await visit(`<fieldset>${ASKING}</fieldset>${script}`, async ({ page }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "interactive");
    await pressByHand(page, "#other");
    assert.deepEqual(await given(page, 1), ["stile.execute: disabled"]);
  });
});

test("execute() leaves no timer behind", async () => {
  const script = pageScript(`const left = new Set(), set = setTimeout, clear = clearTimeout;
    globalThis.setTimeout = (work, ms) => { const id = set(() => { left.delete(id); work(); }, ms); if (ms === 9000) left.add(id); return id; };
    globalThis.clearTimeout = (id) => { left.delete(id); clear(id); };
    addEventListener("click", async ({ target }) => { if (target.id === "other") { await stile.execute(); got.push(left.size); } });`);
  await visit(`${script}${WIDGET}`, async ({ page }) => {
    await pressByHand(page, "#name");
    await pressByHand(page, "#other");
    assert.deepEqual(await given(page, 1), [0]);
  });
});

test("a widget that moves into a document of another window keeps its styles", async () => {
  await visit(`${WIDGET}<iframe srcdoc="<body>"></iframe>`, async ({ page }) => {
    const sheets = await page.evaluate(() => {
      const widget = document.querySelector("stile-captcha") as Element;
      document.querySelector("iframe")?.contentDocument?.body.append(widget);
      return [...(widget.shadowRoot?.adoptedStyleSheets ?? [])].map(
        (sheet) => sheet.cssRules.length > 0,
      );
    });
    assert.deepEqual(sheets, [true]);
  });
});

test("with tabindex a widget is a stop of its own for a script that keeps the focus in a dialog", async () => {
  await visit(WIDGET.replace(" sitekey", ' tabindex="0" sitekey'), async ({ page }) => {
    // As focus traps do: they focus the last element that has a tabindex or takes input.
    const inside = await page.evaluate(() => {
      const stops = [...document.querySelectorAll<HTMLElement>("form :is(input,[tabindex])")];
      stops.at(-1)?.focus();
      return document.activeElement?.shadowRoot?.activeElement?.localName;
    });
    assert.equal(inside, "button");
    await page.focus("#name");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.localName), "stile-captcha");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "send");
  });
});

test("a listener before the widget's sees a held submission twice, and isResubmitting marks the second", async () => {
  const first = `<script>globalThis.seen = []; addEventListener("submit", (event) => {
    seen.push(document.querySelector("stile-captcha").isResubmitting); }, true);</script>`;
  const script = pageScript(
    `document.forms[0].addEventListener("submit", (event) => { event.preventDefault(); got.push(seen); });`,
  );
  await visit(`${first}${WIDGET}${script}`, async ({ page }) => {
    await pressByHand(page, "#send");
    const state = await page.waitForFunction(() => {
      const { state: now } = document.querySelector("stile-captcha") as unknown as {
        state: string;
      };
      return /verified|interactive/.test(now) && now;
    });
    if ((await state.jsonValue()) === "interactive") await pressByHand(page, "stile-captcha");
    assert.deepEqual(await given(page, 1), [[false, true]]);
  });
});

test("a form for a new window that was held too long asks for another press, which opens it with the token", async () => {
  const late = `<script>Object.defineProperty(navigator, "userActivation", { value: { get isActive() { return globalThis.isPressed; } } });</script>`;
  await visitBody(
    `${late}<form action="/sent" method="post" target="_blank">${WIDGET}<button id="send">Send it</button></form>`,
    async ({ page, shop }) => {
      await page.evaluate(() => Object.assign(window, { isPressed: false }));
      await pressByHand(page, "#send");
      const asked = page.locator("stile-captcha .status").filter({ hasText: "Send it" });
      const widgetState = await page.waitForFunction(() => {
        const { state: now } = document.querySelector("stile-captcha") as unknown as {
          state: string;
        };
        return /verified|interactive/.test(now) && now;
      });
      if ((await widgetState.jsonValue()) === "interactive")
        await pressByHand(page, "stile-captcha");
      await asked.waitFor();
      assert.equal(shop.sent.length, 0);
      const token = await tokenOf(page);
      const opened = page.context().waitForEvent("page");
      await page.evaluate(() => Object.assign(window, { isPressed: true }));
      await pressByHand(page, "#send");
      await (await opened).waitForURL(/\/sent$/);
      assert.equal(shop.sent[0]?.fields["stile-response"], token);
    },
  );
});

test("the page's owner gets one warning about a script that reads a form too early, and a form without a widget", async () => {
  const script =
    pageScript(`addEventListener("click", ({ target }) => { if (target.id !== "other") return;
    for (let i = 0; i < 3; i++) new FormData(document.forms[0]); });`);
  await visit(
    `<stile-captcha sitekey="${service.siteKey}" execution="execute"></stile-captcha>${script}`,
    async ({ page, complaints }) => {
      await pressByHand(page, "#other");
      while (complaints.length === 0) await page.waitForEvent("console");
      assert.deepEqual(complaints, [
        "stile: token_pending. A script read the form before it had a token. Use stile.execute(). " +
          `See ${service.baseUrl}/docs#token_pending`,
      ]);
    },
  );
  const bare = `${WIDGET}<form action="/sent" method="post"><button id="send">Send</button></form>`;
  await visitBody(bare, async ({ page, complaints, shop }) => {
    await pressByHand(page, "#send");
    await page.waitForURL(/\/sent$/);
    assert.equal(shop.sent.length, 1);
    assert.deepEqual(complaints, [
      "stile: form_without_widget. A form was sent without a token. Put <stile-captcha> inside the form. " +
        `See ${service.baseUrl}/docs#form_without_widget`,
    ]);
  });
});
