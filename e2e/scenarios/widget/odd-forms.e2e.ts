import assert from "node:assert/strict";
import { test } from "node:test";
import { NOW_AND_THEN, waitForState } from "@stile/testkit/browser/browser";
import { type FormVisit, given, openForms, pageScript, WATCHED_FOR_EVER } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";

const { service, visit } = await openForms();
const WIDGET = `<stile-captcha sitekey="${service.siteKey}" style="display:block;min-block-size:66px"></stile-captcha>`;

/** On such a page a touch leads to work, but to no token: only a form that is held until there is one has a token. */
const SEEN_FOR_EVER = pageScript(WATCHED_FOR_EVER);

/** Presses `#send`; returns the fields that arrive, and what the service says of the token in them. */
async function sendByHand({ page, shop }: FormVisit): Promise<readonly [Readonly<Record<string, string>>, string]> {
  await pressByHand(page, "#send");
  await page.waitForURL(/\/sent$/);
  const fields = shop.sent.at(-1)?.fields ?? {};
  const { body } = await redeem(service, fields["stile-response"] ?? "");
  return [fields, body.data.verified === true ? "verified" : `${body.reasonCode}`];
}

/** Names of fields that hide a form's, or any element's, own property of that name. */
const TAKEN = (
  "action append attributes before checkValidity children closest contains dir elements focus form hidden id isConnected lang length " +
  "matches method name nodeName normalize ownerDocument parentNode prefix remove replace reset role shadowRoot slot state style " +
  "submit tagName target title type value"
).split(" ");
const taking = TAKEN.map((name) => `<input type="hidden" name="${name}" value="1">`).join("");

test("a form whose fields take the names of its own properties is watched, held and sent as any other", async () => {
  await visit(`${SEEN_FOR_EVER}${taking}${WIDGET}`, async (one) => {
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

test("a widget is found by the form around it, and getResponse() says what its field has until reset() drops it", async () => {
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
    assert.deepEqual([none, ...rest], ["", token, token, token, token, false, "", "", "pending", "Grace", 1, 0]);
    assert.match(`${token}`, /^[\w.-]{50,}$/);
  });
});

test("two widgets in one form let it go, with a token each", async () => {
  await visit(`${WIDGET}${WIDGET}`, async (one) => {
    const [, outcome] = await sendByHand(one);
    assert.equal(outcome, "verified");
  });
});

test("a script that dispatches a submission of its own has it held, and heard once there is a token", async () => {
  const script = pageScript(`document.forms[0].addEventListener("submit", (event) => { event.preventDefault();
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

test("a page whose old library teaches texts and lists a toJSON of their own is served as any other", async () => {
  const script = `<script>Array.prototype.toJSON = function () { return "[" + this.map(String).join(", ") + "]"; };
    String.prototype.toJSON = function () { return '"' + this + '"'; };
    Number.prototype.toJSON = function () { return "" + this; };</script>`;
  await visit(`${script}${WIDGET}`, async (one) => {
    const [, outcome] = await sendByHand(one);
    assert.equal(outcome, "verified");
  });
});

test("a form that is sent by a picture, or by a button outside of it, goes where that says", async () => {
  const picture =
    '<input type="image" id="other-way" name="at" formaction="/sent?by=picture" alt="Send" width="40" height="40">';
  const outside = `</form><button id="other-way" form="odd" formaction="/sent?by=outside" name="at.x" value="0">Go</button>
    <script>document.forms[0].id = "odd"</script>`;
  for (const inside of [picture, outside]) {
    await visit(`${WIDGET}${inside}`, async ({ page, shop }) => {
      await pressByHand(page, "#other-way");
      await page.waitForURL(/\/sent\?by=(picture|outside)$/);
      const { "at.x": at, "stile-response": token = "" } = shop.sent.at(-1)?.fields ?? {};
      assert.match(at ?? "", /^\d+$/);
      assert.equal((await redeem(service, token)).body.data.verified, true);
    });
  }
});

test("a form put in the place of the last, with the focus given back by a script, waits for its visitor and asks nothing of them", async () => {
  const script = pageScript(`addEventListener("stile:interactive", () => got.push("asked"));
    addEventListener("submit", (event) => { event.preventDefault(); got.push(new FormData(event.target).get("stile-response")); });
    addEventListener("click", ({ target }) => {
      if (target.id !== "other") return;
      document.forms[0].replaceWith(document.forms[0].cloneNode(true));
      document.getElementById("send").focus();
    });`);
  await visit(`${WIDGET}${script}`, async ({ page, asked }) => {
    await pressByHand(page, "#other");
    // The work is done; without a wait for somebody, it would be handed in after at most a second.
    await waitForState(page, "verifying");
    await page.waitForTimeout(1500);
    assert.ok(!asked.includes("/api/v1/verify"));
    await pressByHand(page, "#name");
    await pressByHand(page, "#send");
    const [token] = await given(page, 1);
    assert.equal((await redeem(service, `${token}`)).body.data.verified, true);
  });
});

test("a form that stands in a table, out of which the parser takes its fields, is watched, held and sent as any other", async () => {
  const table = `</form><table><form id="odd" action="/sent" method="post"><tr><td><input id="cell" name="cell" value="7"></td></tr>
    <tr><td>${WIDGET}</td></tr><tr><td><button id="other-way">Go</button></td></tr></form></table>`;
  await visit(`${SEEN_FOR_EVER}${table}`, async ({ page, shop, complaints }) => {
    assert.equal(await page.locator("#odd").evaluate((form) => form.childNodes.length), 0, "the parser has emptied it");
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

for (const [what, row] of Object.entries({
  "each row": (id: string, cells: string) => `<tr><form id="${id}" action="/sent" method="post">${cells}</form></tr>`,
  "what surrounds each row": (id: string, cells: string) =>
    `<form id="${id}" action="/sent" method="post"><tr>${cells}</tr></form>`,
})) {
  test(`a table with a form for ${what} has each widget in its own, and only whose fields are touched works`, async () => {
    const rows = ["1", "2", "3"].map((id) =>
      row(
        `row${id}`,
        `<td><input id="cell${id}" name="cell" value="${id}"></td><td>${WIDGET}</td><td><button id="go${id}">Go</button></td>`,
      ),
    );
    await visit(`</form><table>${rows.join("")}</table>`, async (one) => {
      const { page, shop, complaints } = one;
      const told = () =>
        page.evaluate(() =>
          [...document.querySelectorAll("stile-captcha")].map((widget) => {
            const { form, state } = widget as Element & { readonly form?: HTMLFormElement; readonly state?: string };
            return `${form?.id} ${state}`;
          }),
        );
      assert.deepEqual(await told(), ["row1 idle", "row2 idle", "row3 idle"]);
      await pressByHand(page, "#cell2");
      await page.waitForFunction(
        () =>
          /verified/.test((document.querySelectorAll("stile-captcha")[1] as Element & { state?: string })?.state ?? ""),
        undefined,
        NOW_AND_THEN,
      );
      assert.deepEqual(await told(), ["row1 idle", "row2 verified", "row3 idle"]);
      await pressByHand(page, "#go3");
      await page.waitForURL(/\/sent$/);
      const [sent, ...more] = shop.sent.map(({ fields }) => fields);
      assert.deepEqual([sent?.cell, more], ["3", []]);
      assert.equal((await redeem(service, sent?.["stile-response"] ?? "")).body.data.verified, true);
      assert.deepEqual(complaints, []);
    });
  });
}

test("a touch of a component counts for the empty form that its markup names, as one of a field does", async () => {
  const component = pageScript(`customElements.define("x-field", class extends HTMLElement {
    static formAssociated = true;
    #internals = this.attachInternals();
    constructor() { super(); this.attachShadow({ mode: "open" }).append(document.createElement("input")); }
    get form() { return this.#internals.form; }
  });`);
  const widget = WIDGET.replace(" ", ' form="far" ');
  const apart = `</form><form id="far" action="/sent" method="post"></form><x-field form="far"></x-field>${widget}`;
  await visit(`${apart}${component}`, async ({ page, complaints }) => {
    await pressByHand(page, "x-field input");
    await waitForState(page, "verified");
    assert.deepEqual(complaints, []);
  });
});

test("a library that sets what it finds as a property (React 19) names the form of a widget that stands elsewhere", async () => {
  const making = `<div id="here"></div><script type="module">
    await customElements.whenDefined("stile-captcha");
    const widget = document.createElement("stile-captcha");
    for (const [name, value] of [["sitekey", "${service.siteKey}"], ["form", "far"]])
      if (name in widget) widget[name] = value;
      else widget.setAttribute(name, value);
    document.getElementById("here").append(widget);
  </script>`;
  const far = `</form><form id="far" action="/sent" method="post"><input name="cell" value="7"><button id="go">Go</button></form>`;
  await visit(`${far}${making}`, async ({ page, shop, complaints }) => {
    await page.locator("stile-captcha").waitFor();
    await pressByHand(page, "#go");
    await page.waitForURL(/\/sent$/);
    const { cell, "stile-response": token = "" } = shop.sent.at(-1)?.fields ?? {};
    assert.equal(cell, "7");
    assert.equal((await redeem(service, token)).body.data.verified, true);
    assert.deepEqual(complaints, []);
  });
});
