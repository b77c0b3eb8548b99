import assert from "node:assert/strict";
import { test } from "node:test";
import { NOW_AND_THEN, waitForState } from "@stile/testkit/browser/browser";
import { type FormVisit, given, openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";

const { service, visit } = await openForms();
const widgetWith = (attributes = ""): string =>
  `<stile-captcha sitekey="${service.siteKey}" ${attributes} style="display:block;min-block-size:66px"></stile-captcha>`;

/**
 * How libraries older than FormData collect a form: jQuery 1 to 4 (and jquery.form) by tag names, rails-ujs by `name`,
 * Prototype and MooTools among the form's descendants, htmx 1 by the attribute.
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
const collecting = (collect: string): string => `const form = document.forms[0];
  const collect = () => ${collect};
  const post = () => fetch("/sent", { method: "POST", body: new URLSearchParams(collect()) });
  const count = (list) => [...list].filter(([name]) => name === "stile-response").length;`;

/** Waits until that many forms have arrived, and returns what the service says of each. */
async function outcomes({ page, shop }: FormVisit, count: number): Promise<readonly string[]> {
  while (shop.sent.length < count) await page.waitForResponse(/\/sent$/);
  const found: string[] = [];
  for (const { fields } of shop.sent) {
    const { body } = await redeem(service, fields["stile-response"] ?? "");
    found.push(body.data.verified === true ? "verified" : `${body.reasonCode} ${body.data.response}`);
  }
  return found;
}

for (const [library, collect] of Object.entries(LIBRARIES)) {
  test(`a form that ${library} collects carries a token of its own each time, once; so does what the browser collects`, async () => {
    const script = pageScript(`${collecting(collect)}
      form.addEventListener("submit", (event) => { event.preventDefault();
        got.push([count(collect()), count(new FormData(form))]); post(); });`);
    await visit(`${widgetWith()}${script}`, async (one) => {
      const { page, complaints } = one;
      await pressByHand(page, "#send");
      await given(page, 1);
      await pressByHand(page, "#name");
      await page.keyboard.type("!");
      await waitForState(page, "verified");
      await pressByHand(page, "#send");
      assert.deepEqual(await given(page, 2), [
        [1, 1],
        [1, 1],
      ]);
      assert.deepEqual(await outcomes(one, 2), ["verified", "verified"]);
      assert.deepEqual(complaints, []);
    });
  });
}

for (const [what, collect] of [
  ["collects the inputs", LIBRARIES.jQuery],
  ["reads the form", "[...new FormData(form)]"],
] as const) {
  test(`an <input type=button> whose handler ${what}: what it read counts as sent, and the next touch earns another`, async () => {
    const script = pageScript(
      `${collecting(collect)} addEventListener("click", ({ target }) => target.id === "go" && post());`,
    );
    await visit(`${widgetWith()}<input type="button" id="go" value="Go">${script}`, async (one) => {
      const { page } = one;
      for (const times of [1, 2]) {
        await pressByHand(page, "#name");
        await page.keyboard.type("!");
        await waitForState(page, "verified");
        await pressByHand(page, "#go");
        assert.equal((await outcomes(one, times)).at(-1), "verified");
      }
    });
  });
}

test("pages that clear all inputs in strict mode, and that put a copy of the form in its place, are served as any other", async () => {
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

test("before anything was pressed nothing stands in the widget: who takes over a page that a server drew finds it as it was", async () => {
  const script = pageScript(`${collecting(LIBRARIES.jQuery)} 
      addEventListener("click", ({ target }) => target.id === "other" && got.push(count(collect())));`);
  await visit(`${widgetWith('response-field="false"')}${widgetWith()}${script}`, async ({ page }) => {
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
      await page.evaluate(() => [...document.querySelectorAll("stile-captcha")].map((one) => one.childNodes.length)),
      [0, 0],
    );
    // Only one of the two widgets has a field.
    await pressByHand(page, "#other");
    assert.deepEqual(await given(page, 1), [1]);
  });
});
