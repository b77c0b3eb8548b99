import assert from "node:assert/strict";
import { test } from "node:test";
import { NOW_AND_THEN, waitForState } from "@stile/testkit/browser/browser";
import { type FormVisit, given, openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";
import type { Page } from "playwright-core";

const { service, visit } = await openForms();
const widgetWith = (attributes = ""): string =>
  `<stile-captcha sitekey="${service.siteKey}" ${attributes} style="display:block;min-block-size:66px"></stile-captcha>`;

/**
 * How libraries older than FormData collect a form: jQuery 1 to 4 (and jquery.form) by tag names,
 * rails-ujs by `name`, Prototype and MooTools among the form's descendants, htmx 1 by the
 * attribute.
 */
const LIBRARIES = {
  jQuery: `[...form.elements].filter((one) => one.name && !one.matches(":disabled") &&
    /^(?:input|select|textarea|keygen)/i.test(one.nodeName) && !/^(?:submit|button|image|reset|file)$/i.test(one.type))
    .map((one) => [one.name, one.value])`,
  "rails-ujs": `[...form.elements].filter((one) => one.name && !one.disabled && one.type !== "submit").map((one) => [one.name, one.value])`,
  Prototype: `[...form.getElementsByTagName("*")].filter((one) => /^(input|select|textarea)$/i.test(one.tagName) && !one.disabled && one.name)
    .map((one) => [one.name, one.value])`,
  "htmx 1": `[...form.elements].filter((one) => one.name != null && one.name !== "" && !one.disabled && one.type !== "submit")
    .map((one) => [one.getAttribute("name"), one.value]).filter(([name]) => name != null)`,
};
/** Waits until that many forms have arrived, and returns the service's outcome for each. */
async function outcomes({ page, shop }: FormVisit, count: number): Promise<readonly string[]> {
  while (shop.sent.length < count) await page.waitForResponse(/\/sent$/);
  const found: string[] = [];
  for (const { fields } of shop.sent) {
    const { body } = await redeem(service, fields["stile-response"] ?? "");
    found.push(
      body.data.verified === true ? "verified" : `${body.reasonCode} ${body.data.response}`,
    );
  }
  return found;
}

/** Earns a token by typing another letter into the form. */
async function touchAgain(page: Page): Promise<void> {
  await pressByHand(page, "#name");
  await page.keyboard.type("!");
  await waitForState(page, "verified");
}

test("a form carries a new token each time it is sent, once, for every serializer", async (t) => {
  // All reads of the field in one task return the same value, so each submission runs all libraries.
  const script = pageScript(`const form = document.forms[0];
    const libraries = { ${Object.entries(LIBRARIES).map(([name, collect]) => `"${name}": () => ${collect}`)} };
    const tokens = (list) => [...list].filter(([name]) => name === "stile-response").map(([, value]) => value);
    form.addEventListener("submit", (event) => { event.preventDefault();
      got.push(Object.fromEntries(Object.entries(libraries).map(([name, collect]) => [name, tokens(collect())])));
      const all = [...new FormData(form)];
      got.at(-1).browser = tokens(all);
      fetch("/sent", { method: "POST", body: new URLSearchParams(all) }); });`);
  await visit(`${widgetWith()}${script}`, async (one) => {
    const { page, shop, complaints } = one;
    await pressByHand(page, "#send");
    await given(page, 1);
    await touchAgain(page);
    await pressByHand(page, "#send");
    const collected = (await given(page, 2)) as readonly Readonly<
      Record<string, readonly string[]>
    >[];
    const verdicts = await outcomes(one, 2);
    const sent = shop.sent.map(({ fields }) => [fields["stile-response"]]);
    const collectedBy = (name: string) => collected.map((all) => all[name]);
    await t.test("the browser reads a new token each time", () => {
      assert.deepEqual(verdicts, ["verified", "verified"]);
      assert.deepEqual(collectedBy("browser"), sent);
    });
    for (const library of Object.keys(LIBRARIES)) {
      await t.test(`${library} reads the same tokens as the browser`, () =>
        assert.deepEqual(collectedBy(library), sent),
      );
    }
    assert.deepEqual(complaints, []);
  });
});

test("an <input type=button> whose handler resets the widget after sending: the next touch earns another token", async (t) => {
  const script = pageScript(`const form = document.forms[0];
    const post = async (list) => { await fetch("/sent", { method: "POST", body: new URLSearchParams(list) }); stile.reset(); };
    addEventListener("click", ({ target }) => target.id === "collect" && post(${LIBRARIES.jQuery}));
    addEventListener("click", ({ target }) => target.id === "read" && post([...new FormData(form)]));`);
  const buttons = ["collect", "read"]
    .map((id) => `<input type="button" id="${id}" value="${id}">`)
    .join("");
  await visit(`${widgetWith()}${buttons}${script}`, async (one) => {
    const { page } = one;
    let times = 0;
    const press = async (button: string): Promise<void> => {
      await touchAgain(page);
      await pressByHand(page, button);
      times += 1;
      assert.equal((await outcomes(one, times)).at(-1), "verified");
    };
    await t.test("collects the inputs", () => press("#collect"));
    await t.test("reads the form after that", () => press("#read"));
    await t.test("collects the inputs once more", () => press("#collect"));
  });
});

test("pages that clear all inputs in strict mode, or replace the form by a copy, work like any other", async () => {
  const script = pageScript(`addEventListener("click", (event) => {
      "use strict";
      if (event.target.id !== "other") return;
      for (const one of document.querySelectorAll("input")) one.value = "";
      const form = document.forms[0], copy = form.cloneNode(true);
      form.replaceWith(copy);
      got.push(copy.innerHTML);
    });`);
  await visit(`${widgetWith()}${script}`, async (one) => {
    const { page, shop, complaints } = one;
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    const token = await page.evaluate(
      () => (document.querySelector("stile-captcha") as unknown as { value: string }).value,
    );
    await pressByHand(page, "#other");
    const [markup] = await given(page, 1);
    assert.ok(!`${markup}`.includes(token), "no token in what pages copy and keep");
    await pressByHand(page, "#send");
    await page.waitForURL(/\/sent$/);
    const { body } = await redeem(service, shop.sent[0]?.fields["stile-response"] ?? "");
    assert.equal(body.data.verified, true);
    assert.deepEqual(complaints, []);
  });
});

test("an untouched widget adds nothing to its markup, so a framework can hydrate the page", async () => {
  const script = pageScript(`const form = document.forms[0];
    const collect = () => ${LIBRARIES.jQuery};
    addEventListener("click", ({ target }) => target.id === "other" && got.push(collect().filter(([name]) => name === "stile-response").length));`);
  await visit(
    `${widgetWith('response-field="false"')}${widgetWith()}${script}`,
    async ({ page }) => {
      await pressByHand(page, "#name");
      await page.waitForFunction(
        () =>
          [...document.querySelectorAll<Element & { state?: string }>("stile-captcha")].every(
            ({ state }) => state === "verified",
          ),
        undefined,
        NOW_AND_THEN,
      );
      assert.deepEqual(
        await page.evaluate(() =>
          [...document.querySelectorAll("stile-captcha")].map((one) => one.childNodes.length),
        ),
        [0, 0],
      );
      // Only one of the two widgets has a field.
      await pressByHand(page, "#other");
      assert.deepEqual(await given(page, 1), [1]);
    },
  );
});
