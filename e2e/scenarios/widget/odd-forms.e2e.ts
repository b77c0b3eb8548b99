import assert from "node:assert/strict";
import { test } from "node:test";
import { waitForState } from "@stile/testkit/browser/browser";
import {
  type FormVisit,
  given,
  openForms,
  pageScript,
  WATCHED_WITHOUT_LIMIT,
} from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";

const { service, visit } = await openForms();
const WIDGET = `<stile-captcha sitekey="${service.siteKey}" style="display:block;min-block-size:66px"></stile-captcha>`;

/** On such a page a touch starts work but earns no token: only a held form gets one. */
const WATCHING = pageScript(WATCHED_WITHOUT_LIMIT);

/**
 * Presses `#send`; returns the fields that arrive, and what the service says of the token in them.
 */
async function sendByHand({
  page,
  shop,
}: FormVisit): Promise<readonly [Readonly<Record<string, string>>, string]> {
  await pressByHand(page, "#send");
  await page.waitForURL(/\/sent$/);
  const fields = shop.sent.at(-1)?.fields ?? {};
  const { body } = await redeem(service, fields["stile-response"] ?? "");
  return [fields, body.data.verified === true ? "verified" : `${body.reasonCode}`];
}

/** Names of fields that hide a form's, or any element's, own property of that name. */
const TAKEN = (
  "action append attributes before checkValidity children closest contains dir elements focus form hidden id isConnected lang length " +
  "matches method name nodeName normalize ownerDocument dispatchEvent parentNode prefix remove replace requestSubmit reset role shadowRoot slot state style " +
  "submit tagName target title type value"
).split(" ");
const taking = TAKEN.map((name) => `<input type="hidden" name="${name}" value="1">`).join("");

test("a form whose fields hide its own properties is watched, held and sent as any other", async () => {
  await visit(`${WATCHING}${taking}${WIDGET}`, async (one) => {
    const { page, complaints } = one;
    const { x, y, height } = await page.evaluate(() => {
      const [form] = document.forms;
      for (const [name, value] of [
        ["lang", "de"],
        ["style", "padding-block-end:60px"],
      ] as const)
        Element.prototype.setAttribute.call(form, name, value);
      return Element.prototype.getBoundingClientRect.call(form).toJSON() as DOMRect;
    });
    // On the form itself, below its fields.
    await page.mouse.move(x + 140, y + height - 40);
    await page.mouse.move(x + 120, y + height - 25);
    await page.mouse.click(x + 120, y + height - 25, { delay: 70 });
    await waitForState(page, "verifying");
    const [fields, outcome] = await sendByHand(one);
    assert.deepEqual([fields.contains, outcome, complaints], ["1", "verified", []]);
  });
});

test("a widget is found by its form, and getResponse() matches its field until reset() drops the token", async () => {
  const script = pageScript(`const form = document.forms[0];
    const field = () => new FormData(form).get("stile-response");
    addEventListener("click", async ({ target }) => {
      if (target.id !== "other") return;
      got.push(stile.getResponse());
      const token = await stile.execute(form).catch(String);
      got.push(token, field(), stile.getResponse(), stile.getResponse(form), stile.getResponse("form"), stile.isExpired(form));
      stile.reset(form);
      got.push(stile.getResponse(form), stile.getResponse(), field(), document.getElementById("name").value);
      stile.remove(form);
      got.push(document.querySelectorAll("form").length, document.querySelectorAll("stile-captcha").length);
    });`);
  await visit(`${WIDGET}${script}`, async ({ page }) => {
    await page.fill("#name", "Grace");
    await pressByHand(page, "#other");
    const [none, token, ...rest] = await given(page, 13);
    assert.deepEqual(
      [none, ...rest],
      ["", token, token, token, token, false, "", "", "pending", "Grace", 1, 0],
    );
    assert.match(`${token}`, /^[\w.-]{50,}$/);
  });
});

test("two widgets in one form let it go, with a token each", async () => {
  await visit(`${WIDGET}${WIDGET}`, async (one) => {
    const [, outcome] = await sendByHand(one);
    assert.equal(outcome, "verified");
  });
});

test("a submission that a script dispatches is held, and its listeners run once there is a token", async () => {
  const script =
    pageScript(`document.forms[0].addEventListener("submit", (event) => { event.preventDefault();
      got.push(event.isTrusted, new FormData(document.forms[0]).get("stile-response")); });
    addEventListener("click", ({ target }) => target.id === "other" &&
      document.forms[0].dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));`);
  await visit(`${WIDGET}${script}`, async ({ page }) => {
    await pressByHand(page, "#other");
    const [isTrusted, token] = await given(page, 2);
    assert.equal(isTrusted, false);
    const { body } = await redeem(service, `${token}`);
    assert.equal(body.data.verified, true);
  });
});

test("a page whose old library adds a toJSON to strings and arrays works as any other", async () => {
  const script = `<script>Array.prototype.toJSON = function () { return "[" + this.map(String).join(", ") + "]"; };
    String.prototype.toJSON = function () { return '"' + this + '"'; };
    Number.prototype.toJSON = function () { return "" + this; };</script>`;
  await visit(`${script}${WIDGET}`, async (one) => {
    const [, outcome] = await sendByHand(one);
    assert.equal(outcome, "verified");
  });
});

/**
 * Returns what the forms of a page sent, once the last of them arrived. The answers load in a
 * frame, so that the page stays.
 */
async function nextSent(
  { page, shop }: FormVisit,
  press: string,
): Promise<Readonly<Record<string, string>>> {
  const { length } = shop.sent;
  await pressByHand(page, press);
  while (shop.sent.length === length) await page.waitForResponse(/\/sent(\?|$)/);
  const [sent, ...more] = shop.sent.slice(length).map(({ fields }) => fields);
  assert.deepEqual(more, []);
  assert.equal((await redeem(service, sent?.["stile-response"] ?? "")).body.data.verified, true);
  return sent ?? {};
}

test("a form with a button of its own target goes where the button says", async (t) => {
  const ways = `<input type="image" id="picture" name="at" formaction="/sent?by=picture" alt="Send" width="40" height="40"></form>
    <button id="outside" form="odd" formaction="/sent?by=outside" name="at.x" value="0">Go</button><iframe name="answers"></iframe>
    <script>document.forms[0].id = "odd"; document.forms[0].target = "answers";</script>`;
  await visit(`${WIDGET}${ways}`, async (one) => {
    for (const [way, what] of [
      ["picture", "by a picture"],
      ["outside", "by a button outside of it"],
    ] as const) {
      await t.test(what, async () => {
        const arrived = one.page.waitForRequest(new RegExp(`/sent\\?by=${way}$`));
        assert.match((await nextSent(one, `#${way}`))["at.x"] ?? "", /^\d+$/);
        await arrived;
        // A press right after it would count as the second one of a double click.
        await one.page.waitForTimeout(1200);
      });
    }
  });
});

test("a replaced form whose script restores the focus waits for its visitor and asks nothing", async () => {
  const script = pageScript(`addEventListener("stile:interactive", () => got.push("asked"));
    addEventListener("submit", (event) => { event.preventDefault(); got.push(new FormData(event.target).get("stile-response")); });
    addEventListener("click", ({ target }) => {
      if (target.id !== "other") return;
      document.forms[0].replaceWith(document.forms[0].cloneNode(true));
      document.getElementById("send").focus();
    });`);
  await visit(`${WIDGET}${script}`, async ({ page, asked }) => {
    await pressByHand(page, "#other");
    // The work is done. Without the wait for a visitor, the widget would submit it within a second.
    await waitForState(page, "verifying");
    await page.waitForTimeout(1500);
    assert.ok(!asked.includes("/api/v1/verify"));
    await pressByHand(page, "#name");
    await pressByHand(page, "#send");
    const [token] = await given(page, 1);
    assert.equal((await redeem(service, `${token}`)).body.data.verified, true);
  });
});

test("a form in a table, whose fields the parser moves out of it, is watched, held and sent as any other", async () => {
  const table = `</form><table><form id="odd" action="/sent" method="post"><tr><td><input id="cell" name="cell" value="7"></td></tr>
    <tr><td>${WIDGET}</td></tr><tr><td><button id="other-way">Go</button></td></tr></form></table>`;
  await visit(`${WATCHING}${table}`, async ({ page, shop, complaints }) => {
    assert.equal(
      await page.locator("#odd").evaluate((form) => form.childNodes.length),
      0,
      "the parser has emptied it",
    );
    await pressByHand(page, "#cell");
    await waitForState(page, "verifying");
    await pressByHand(page, "#other-way");
    await page.waitForURL(/\/sent$/);
    const { cell, "stile-response": token = "" } = shop.sent.at(-1)?.fields ?? {};
    assert.equal(cell, "7");
    assert.equal((await redeem(service, token)).body.data.verified, true);
    assert.deepEqual(complaints, []);
  });
});

const SENDING = 'action="/sent" method="post" target="answers"';
/** Tables with several forms, by the element around each row. */
const TABLES = {
  each: {
    what: "each row",
    row: (id: string, cells: string) => `<tr><form id="${id}" ${SENDING}>${cells}</form></tr>`,
  },
  around: {
    what: "what surrounds each row",
    row: (id: string, cells: string) => `<form id="${id}" ${SENDING}><tr>${cells}</tr></form>`,
  },
} as const;

test("each widget in a table belongs to its own form, and only the touched one works", async (t) => {
  const cellsOf = (id: string): string =>
    `<td><input id="cell-${id}" name="cell" value="${id}"></td><td>${WIDGET}</td><td><button id="go-${id}">Go</button></td>`;
  const tables = Object.entries(TABLES).map(([table, { row }]) => {
    const rows = [1, 2, 3].map((nth) => row(`${table}${nth}`, cellsOf(`${table}${nth}`)));
    return `<table>${rows.join("")}</table>`;
  });
  await visit(`</form>${tables.join("")}<iframe name="answers"></iframe>`, async (one) => {
    const { page, complaints } = one;
    /** The forms and states of a table's widgets. */
    const told = (table: string): Promise<readonly string[]> =>
      page.evaluate(
        (start) =>
          [
            ...document.querySelectorAll<HTMLElement & { form?: HTMLFormElement; state?: string }>(
              "stile-captcha",
            ),
          ]
            .filter(({ form }) => form?.id.startsWith(start))
            .map(({ form, state }) => `${form?.id} ${state}`),
        table,
      );
    for (const [table, { what }] of Object.entries(TABLES)) {
      await t.test(`with a form for ${what}`, async () => {
        assert.deepEqual(await told(table), [`${table}1 idle`, `${table}2 idle`, `${table}3 idle`]);
        await pressByHand(page, `#cell-${table}2`);
        while (!(await told(table)).includes(`${table}2 verified`)) await page.waitForTimeout(50);
        assert.deepEqual(await told(table), [
          `${table}1 idle`,
          `${table}2 verified`,
          `${table}3 idle`,
        ]);
        assert.equal((await nextSent(one, `#go-${table}3`)).cell, `${table}3`);
      });
    }
    assert.deepEqual(complaints, []);
  });
});

test("a widget outside the form that it is for", async (t) => {
  const component = pageScript(`customElements.define("x-field", class extends HTMLElement {
    static formAssociated = true;
    #internals = this.attachInternals();
    constructor() { super(); this.attachShadow({ mode: "open" }).append(document.createElement("input")); }
    get form() { return this.#internals.form; }
  });`);
  const empty = `<form id="empty" action="/sent" method="post"></form><x-field form="empty"></x-field>${WIDGET.replace(" ", ' form="empty" ')}`;
  const making = `<div id="here"></div><script type="module">
    await customElements.whenDefined("stile-captcha");
    const widget = document.createElement("stile-captcha");
    for (const [name, value] of [["sitekey", "${service.siteKey}"], ["form", "far"]])
      if (name in widget) widget[name] = value;
      else widget.setAttribute(name, value);
    document.getElementById("here").append(widget);
  </script>`;
  const far = `<form id="far" action="/sent" method="post"><input name="cell" value="7"><button id="go">Go</button></form>`;
  await visit(`</form>${empty}${far}${making}${component}`, async ({ page, shop, complaints }) => {
    const stateOf = (widget: string): Promise<unknown> =>
      page.locator(widget).evaluate((one) => (one as Element & { state?: string }).state);
    await page.locator("#here stile-captcha").waitFor();
    await t.test(
      "notices a touch of a component that the empty form's markup names, like one of a field",
      async () => {
        await pressByHand(page, "x-field input");
        await waitForState(page, "verified");
        assert.equal(await stateOf("#here stile-captcha"), "idle");
      },
    );
    await t.test("gets its form from a library that sets it as a property (React 19)", async () => {
      await pressByHand(page, "#go");
      await page.waitForURL(/\/sent$/);
      const { cell, "stile-response": token = "" } = shop.sent.at(-1)?.fields ?? {};
      assert.equal(cell, "7");
      assert.equal((await redeem(service, token)).body.data.verified, true);
    });
    assert.deepEqual(complaints, []);
  });
});
