// Pages move elements while the widget works: lists are sorted, forms go into dialogs, libraries remove and reinsert.
import assert from "node:assert/strict";
import { test } from "node:test";
import { waitForState } from "@stile/testkit/browser/browser";
import { type FormVisit, given, openForms, pageScript } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";
import type { Stile } from "@stile/widget/stile";
import type { Page } from "playwright-core";

type PageWindow = { readonly stile: Stile; readonly got: unknown[]; readonly move: () => void };

const { service, visit } = await openForms();
const WIDGET = `<stile-captcha sitekey="${service.siteKey}" style="display:block;min-block-size:66px"></stile-captcha>`;

const move = (page: Page): Promise<void> => page.evaluate(() => (window as unknown as PageWindow).move());

/** Presses the button that sends the form, and has the page's script move the widget in the middle of its work. */
async function moveHeld({ page }: FormVisit): Promise<void> {
  await pressByHand(page, "#send");
  await page.waitForFunction(() =>
    /ing$/.test((document.querySelector("stile-captcha") as Element & { state?: string }).state ?? ""),
  );
  await move(page);
}

const WAYS = {
  "within its form": "document.forms[0].prepend(widget)",
  "with its form into a dialog": "dialog.append(document.forms[0]); dialog.showModal()",
  "out and back again": "widget.remove(); document.forms[0].append(widget)",
  twice: "document.forms[0].prepend(widget); document.forms[0].append(widget)",
};

for (const [way, script] of Object.entries(WAYS)) {
  test(`a form that waits for its token goes out once, also if its widget is moved ${way}`, async () => {
    const moving = pageScript(`const widget = document.querySelector("stile-captcha");
      const dialog = document.body.appendChild(document.createElement("dialog"));
      globalThis.move = () => { ${script} };`);
    await visit(`${WIDGET}${moving}`, async (one) => {
      await moveHeld(one);
      await one.page.waitForURL(/\/sent$/);
      const tokens = one.shop.sent.map(({ fields }) => fields["stile-response"] ?? "");
      assert.equal(tokens.length, 1);
      assert.equal((await redeem(service, tokens[0] ?? "")).body.data.verified, true);
      assert.deepEqual(one.complaints, []);
    });
  });
}

test("a script that waits for a token gets it, also if the widget is moved meanwhile", async () => {
  const script = pageScript(`const widget = document.querySelector("stile-captcha");
    globalThis.move = () => document.forms[0].append(widget);
    addEventListener("click", ({ target }) => target.id === "other" && stile.execute().then((token) => got.push(token), (error) => got.push(error.message)));`);
  await visit(`${WIDGET}${script}`, async ({ page }) => {
    await pressByHand(page, "#other");
    await waitForState(page, "verifying");
    await move(page);
    const [token] = await given(page, 1);
    assert.equal((await redeem(service, `${token}`)).body.data.verified, true);
  });
});

for (const [where, script, end] of [
  [
    "out of the page, and put back later",
    "document.activeElement.blur(); widget.remove(); setTimeout(() => document.forms[0].append(widget), 100)",
    "idle",
  ],
  ["into another form", 'document.body.appendChild(document.createElement("form")).append(widget)', "verified"],
] as const) {
  test(`nobody's form is sent behind their back by a widget that is taken ${where}`, async () => {
    const moving = pageScript(`const widget = document.querySelector("stile-captcha");
      globalThis.move = () => { ${script} };`);
    await visit(`${WIDGET}${moving}`, async (one) => {
      await moveHeld(one);
      await one.page.locator("stile-captcha").waitFor({ state: "attached" });
      await waitForState(one.page, end);
      // Only what is sent now arrives, and nothing was sent before.
      await one.page.fill("#name", "Eve");
      await pressByHand(one.page, "#send");
      await one.page.waitForURL(/\/sent$/);
      assert.deepEqual(
        one.shop.sent.map(({ fields }) => fields.name),
        ["Eve"],
      );
    });
  });
}

test("a page that moves its widget at every change of its state ends its run, and does not ask the service for ever", async () => {
  const moving = pageScript(`const widget = document.querySelector("stile-captcha");
    globalThis.move = () => document.forms[0].append(widget);
    widget.addEventListener("stile:statechange", ({ detail }) => /error/.test(detail.state) && got.push(detail.state));
    widget.addEventListener("stile:statechange", move);`);
  await visit(`${WIDGET}${moving}`, async ({ page, asked }) => {
    const challenges = (): number => asked.filter((path) => path.endsWith("/challenge")).length;
    await pressByHand(page, "#name");
    // The error, on which the widget is moved once more, does not start the next attempt either.
    assert.deepEqual(await given(page, 1), ["error"]);
    assert.ok(challenges() > 1 && challenges() <= 10, `${challenges()} challenges`);
    await waitForState(page, "error");
    await page.evaluate(() => {
      const widget = document.querySelector("stile-captcha");
      widget?.removeEventListener("stile:statechange", (window as unknown as PageWindow).move);
    });
    await pressByHand(page, "stile-captcha button");
    await waitForState(page, "verified");
  });
});

test("a page that puts a new widget in the place of each that begins to work does not ask the service for ever", async () => {
  const replacing = pageScript(`document.addEventListener("stile:statechange", ({ target }) => setTimeout(() => {
      got.push(target.state);
      target.replaceWith(target.cloneNode(true));
    }));`);
  await visit(`${WIDGET}${replacing}`, async ({ page, asked }) => {
    const challenges = (): number => asked.filter((path) => path.endsWith("/challenge")).length;
    await pressByHand(page, "#name");
    await given(page, 10);
    await page.waitForLoadState("networkidle");
    const begun = challenges();
    assert.ok(begun <= 10, `${begun} challenges`);
    // Each action of the visitor still begins a run.
    await pressByHand(page, "stile-captcha button");
    await given(page, 11);
  });
});
