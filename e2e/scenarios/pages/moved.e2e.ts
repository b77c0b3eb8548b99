// Pages move elements while the widget works: they sort lists, show forms in dialogs, remove and
// reinsert elements.
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

/** A page with more forms next to the visit's own. */
const pageOf = (forms: string): string =>
  pageScript(`addEventListener("DOMContentLoaded", () =>
    document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(`${forms}<iframe name="answers"></iframe>`)}));`);

const move = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as PageWindow).move());

/** A form with a widget of its own. The answer to it loads in a frame, so that the page stays. */
const formOf = (
  id: string,
): string => `<form id="${id}" action="/sent" method="post" target="answers">
<input type="hidden" name="id" value="${id}"><input name="name">${WIDGET}<button class="send">Send</button></form>`;

/** Presses the button that sends a form, and moves its widget in the middle of its work. */
async function moveHeld(page: Page, id: string, script: string): Promise<void> {
  await pressByHand(page, `#${id} .send`);
  const widget = `document.querySelector("#${id} stile-captcha")`;
  await page.waitForFunction(`/ing$/.test(${widget}.state ?? "")`);
  await page.evaluate(`{ const widget = ${widget}, form = widget.form; ${script} }`);
}

/** The names that arrived in a form, once there is one. */
async function namesIn({ page, shop }: FormVisit, id: string): Promise<readonly string[]> {
  const found = () => shop.sent.filter(({ fields }) => fields.id === id);
  while (found().length === 0) await page.waitForResponse(/\/sent$/);
  return found().map(({ fields }) => fields.name ?? "");
}

/** Ways to move a widget along with its held form. A dialog hides the rest of the page. */
const WAYS = {
  within: { way: "within its form", script: "form.prepend(widget)" },
  out: { way: "out and back again", script: "widget.remove(); form.append(widget)" },
  twice: { way: "twice", script: "form.prepend(widget); form.append(widget)" },
  dialog: {
    way: "with its form into a dialog",
    script:
      'const dialog = document.body.appendChild(document.createElement("dialog")); dialog.append(form); dialog.showModal()',
  },
};

test("a held form is sent once, even if its widget is moved", async (t) => {
  const forms = Object.keys(WAYS).map(formOf).join("");
  await visit(pageOf(forms), async (one) => {
    const { page, shop, complaints } = one;
    for (const [id, { way, script }] of Object.entries(WAYS)) {
      await t.test(way, async () => {
        await moveHeld(page, id, script);
        assert.equal((await namesIn(one, id)).length, 1);
      });
    }
    assert.equal(shop.sent.length, Object.keys(WAYS).length, "nothing went out a second time");
    for (const { fields } of shop.sent) {
      assert.equal(
        (await redeem(service, fields["stile-response"] ?? "")).body.data.verified,
        true,
        fields.id ?? "",
      );
    }
    assert.deepEqual(complaints, []);
  });
});

test("a script that waits for a token gets it, even if the widget is moved meanwhile", async () => {
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

test("a held form is not sent later if its widget moves away", async (t) => {
  await visit(pageOf(formOf("out") + formOf("else")), async (one) => {
    const { page } = one;
    /** Only the form that is sent now arrives, and none was sent before. */
    const sendsOnlyEve = async (id: string): Promise<void> => {
      await page.fill(`#${id} [name=name]`, "Eve");
      await pressByHand(page, `#${id} .send`);
      assert.deepEqual(await namesIn(one, id), ["Eve"]);
    };

    await t.test("moved out of the page, and back in later", async () => {
      const script =
        "document.activeElement.blur(); widget.remove(); setTimeout(() => form.append(widget), 100)";
      await moveHeld(page, "out", script);
      await page.locator("#out stile-captcha").waitFor({ state: "attached" });
      await waitForState(page, "idle");
      await sendsOnlyEve("out");
    });

    await t.test("moved into another form", async () => {
      await moveHeld(
        page,
        "else",
        'const other = document.createElement("form"); document.body.prepend(other); other.append(widget)',
      );
      await waitForState(page, "verified");
      await sendsOnlyEve("else");
    });
  });
});

test("a page that moves its widget at every change of state ends its run, and requests stop", async () => {
  const moving = pageScript(`const widget = document.querySelector("stile-captcha");
    globalThis.move = () => document.forms[0].append(widget);
    widget.addEventListener("stile:statechange", ({ detail }) => /error/.test(detail.state) && got.push(detail.state));
    widget.addEventListener("stile:statechange", move);`);
  await visit(`${WIDGET}${moving}`, async ({ page, challenges }) => {
    await pressByHand(page, "#name");
    // The error, which makes the page move the widget once more, does not start the next attempt
    // either.
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

test("a page that replaces each widget as it begins to work does not send requests forever", async () => {
  const replacing =
    pageScript(`document.addEventListener("stile:statechange", ({ target }) => setTimeout(() => {
      got.push(target.state);
      target.replaceWith(target.cloneNode(true));
    }));`);
  await visit(`${WIDGET}${replacing}`, async ({ page, challenges }) => {
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
