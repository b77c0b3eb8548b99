import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenOf, waitForState } from "@stile/testkit/browser/browser";
import type { SentForm } from "@stile/testkit/browser/form-page";
import { type FormVisit, openForms } from "@stile/testkit/browser/form-visit";
import { pressByHand, wanderByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";
import type { Page } from "playwright-core";

const { service, visitBody } = await openForms();

/** Visits a page with this form around the widget. */
const visitForm = (
  { form = "", script = "", siteKey = service.siteKey, before: above = "" },
  use: (visit: FormVisit) => Promise<void>,
): Promise<void> =>
  visitBody(
    `${above}<form ${form} action="/sent" method="post"><label>Name <input id="name" name="name" required value="Ada"></label>
<label>Town <input id="town" name="town"></label>
<stile-captcha sitekey="${siteKey}" style="display:block;min-block-size:66px"></stile-captcha>
<button id="send" name="way" value="plain">Send</button> <button id="skip" name="way" value="skip" formnovalidate>Skip</button>
<button id="other" type="button">Other</button></form>
<script>const form = document.querySelector("form"), send = document.getElementById("send"), widget = document.querySelector("stile-captcha");
const post = (body) => fetch("/sent", { method: "POST", body });${script}</script>`,
    use,
  );

/** Waits until `count` forms have arrived, and returns the last. */
async function nthSent({ page, shop }: FormVisit, count: number): Promise<SentForm> {
  const untilMs = Date.now() + 30_000;
  while (shop.sent.length < count && Date.now() < untilMs)
    await page.waitForTimeout(50).catch(() => {});
  assert.equal(shop.sent.length, count, "forms that arrived");
  const last = shop.sent.at(-1);
  assert.ok(last !== undefined);
  return last;
}

/** The form that was sent by leaving the page. */
async function sentAway(visit: FormVisit): Promise<SentForm> {
  await visit.page.waitForURL(/\/sent$/);
  return await nthSent(visit, 1);
}

const tokenIn = ({ fields, header }: SentForm): string => fields["stile-response"] ?? header ?? "";

async function outcomeOf(token: string): Promise<string> {
  const { body } = await redeem(service, token);
  const { verified, response } = body.data;
  return verified === true ? "verified" : [body.reasonCode, response].filter(Boolean).join(" ");
}

const outcomes = async (forms: readonly SentForm[]): Promise<string[]> => {
  const found: string[] = [];
  for (const form of forms) found.push(await outcomeOf(tokenIn(form)));
  return found;
};

/** Waits until the widget has a token or asks for a press, and then presses. */
async function pressIfAsked(page: Page): Promise<void> {
  const state = await page.waitForFunction(() => {
    const { state: now } = document.querySelector("stile-captcha") as unknown as { state: string };
    return /verified|interactive/.test(now) && now;
  });
  if ((await state.jsonValue()) === "interactive") await pressByHand(page, "stile-captcha");
}

/** An AJAX form: it is sent by a script and the page stays. */
const AJAX =
  'form.addEventListener("submit", (event) => { event.preventDefault(); post(new FormData(form)); });';

for (const [what, options, selector, way] of [
  ["a novalidate form", { form: "novalidate" }, "#send", "plain"],
  ["a formnovalidate button", {}, "#skip", "skip"],
] as const) {
  test(`${what} waits for the token, and is then sent with the button that was pressed`, async () => {
    await visitForm(options, async (visit) => {
      await pressByHand(visit.page, selector);
      const sent = await sentAway(visit);
      assert.deepEqual([sent.fields.name, sent.fields.way], ["Ada", way]);
      assert.equal(await outcomeOf(tokenIn(sent)), "verified");
    });
  });
}

test("a script's requestSubmit() without any press also waits for the token", async () => {
  await visitForm({ form: "novalidate" }, async (visit) => {
    await wanderByHand(visit.page);
    await visit.page.evaluate(() => document.querySelector("form")?.requestSubmit());
    const { fields } = await sentAway(visit);
    assert.equal(fields.way, undefined);
    assert.ok((fields["stile-response"] ?? "").length > 100);
  });
});

test("a held form whose check fails is not sent: the widget reports it, has the focus, and holds nothing", async () => {
  const siteKey = "pk_0000000000000000000000";
  await visitForm(
    { form: "novalidate", siteKey, before: '<p style="block-size:3000px">' },
    async ({ page, shop }) => {
      await page.locator("#send").scrollIntoViewIfNeeded();
      await page.evaluate(() => {
        document.querySelector<HTMLElement>("#send")?.click();
        scrollTo(0, 0);
      });
      await waitForState(page, "error");
      const isSeen = await page.evaluate(() => {
        const widget = document.querySelector("stile-captcha");
        const box = widget?.shadowRoot?.querySelector("button")?.getBoundingClientRect();
        return (
          document.activeElement === widget &&
          box !== undefined &&
          box.top >= 0 &&
          box.bottom <= innerHeight
        );
      });
      assert.ok(isSeen);
      assert.equal(shop.sent.length, 0);
    },
  );
});

// The widget repeats a submission only after the browser's validation, so validation makes no
// difference.
for (const [what, form, script, way] of [
  ["disables", "", "send.disabled = true", "plain"],
  ["removes", "novalidate", "send.remove()", undefined],
] as const) {
  test(`a button that its own click ${what} does not hold the form forever (form ${form || "with validation"})`, async () => {
    const late = `send.addEventListener("click", () => setTimeout(() => { ${script}; }));`;
    await visitForm({ form, script: late }, async (visit) => {
      await pressByHand(visit.page, "#send");
      const sent = await sentAway(visit);
      assert.equal(sent.fields.way, way);
      assert.equal(await outcomeOf(tokenIn(sent)), "verified");
    });
  });
}

test("form.submit() before the widget is done sends a placeholder that the service recognises (D2, redemption)", async () => {
  await visitForm({}, async (visit) => {
    await visit.page.evaluate(() => document.querySelector("form")?.submit());
    const sent = await sentAway(visit);
    assert.equal(sent.fields["stile-response"], "pending");
    assert.equal(await outcomeOf(tokenIn(sent)), "missing_token pending");
  });
});

test("a widget in a disabled fieldset holds no form, and a dialog closes at once", async () => {
  await visitForm({ form: 'novalidate method="dialog"' }, async ({ page }) => {
    await page.evaluate(() => {
      const dialog = document.body.appendChild(document.createElement("dialog"));
      dialog.append(document.querySelector("form") as Element);
      dialog.showModal();
      document.querySelector<HTMLElement>("#skip")?.click();
    });
    assert.equal(await page.evaluate(() => document.querySelector("dialog")?.open), false);
  });
  const script =
    'const set = document.createElement("fieldset"); set.disabled = true; widget.replaceWith(set); set.append(widget);';
  await visitForm({ form: "novalidate", script }, async (visit) => {
    await pressByHand(visit.page, "#send");
    assert.equal((await sentAway(visit)).fields["stile-response"], undefined);
  });
});

/** Presses a second time right after the first, where the pointer is. */
async function pressAgain(page: Page): Promise<void> {
  await page.mouse.down({ clickCount: 2 });
  await page.waitForTimeout(60);
  await page.mouse.up({ clickCount: 2 });
}

test("a form that stays on the page", async (context) => {
  await visitForm({ script: AJAX }, async (visit) => {
    const { page, shop, challenges } = visit;
    await context.test(
      "is held until there is a token, and a double click sends it once",
      async () => {
        await pressByHand(page, "#send");
        await pressAgain(page);
        await nthSent(visit, 1);
      },
    );
    await context.test("earns no new token until it is touched again", async () => {
      await page.mouse.move(400, 400, { steps: 4 });
      await page.waitForTimeout(1000);
      assert.equal(challenges(), 1);
      await page.focus("#town");
      await page.waitForFunction(
        () =>
          (document.querySelector("stile-captcha") as unknown as { state: string }).state !==
          "verified",
      );
      await waitForState(page, "verified");
      assert.equal(challenges(), 2);
    });
    await context.test(
      "sends a fresh token each time, even right after the last submission",
      async () => {
        // The visitor has corrected what the server complained about.
        await pressByHand(page, "#town");
        await page.keyboard.type("Ulm");
        await pressByHand(page, "#send");
        await pressAgain(page);
        assert.equal((await nthSent(visit, 2)).fields.town, "Ulm");
        await page.waitForTimeout(1500);
        await waitForState(page, "verified");
        assert.equal(shop.sent.length, 2, "the second press of a double click sent nothing");
        // Once more, without touching anything else.
        await pressByHand(page, "#send");
        await nthSent(visit, 3);
        assert.deepEqual(await outcomes(shop.sent), ["verified", "verified", "verified"]);
      },
    );
  });
});

test("a handler that submits again after its own checks does not count as a second press", async () => {
  const script = `let isChecked = false; form.addEventListener("submit", (event) => { if (isChecked) return;
    event.preventDefault(); isChecked = true; setTimeout(() => form.requestSubmit(event.submitter)); });`;
  await visitForm({ script }, async (visit) => {
    await pressByHand(visit.page, "#town");
    await waitForState(visit.page, "verified");
    await pressByHand(visit.page, "#send");
    assert.equal(await outcomeOf(tokenIn(await sentAway(visit))), "verified");
  });
});

test("a handler that reads the form late, after the visitor touched it again, still finds a token", async () => {
  const script = `form.addEventListener("submit", async (event) => { event.preventDefault();
    await new Promise((resolve) => addEventListener("late", resolve)); post(new FormData(form)); });`;
  await visitForm({ script }, async (visit) => {
    await pressByHand(visit.page, "#send");
    await waitForState(visit.page, "verified");
    await visit.page.focus("#town");
    await visit.page.evaluate(() => dispatchEvent(new Event("late")));
    assert.equal(await outcomeOf(tokenIn(await nthSent(visit, 1))), "verified");
  });
});

test("reading a form consumes no token: it fetches no challenge, and the form sends the token that was read", async () => {
  const script = `globalThis.read = () => { for (let i = 0; i < 8; i++) new FormData(form).get("stile-response");
    for (const field of form.querySelectorAll("input")) void field.value; };
    for (const name of ["focusin", "click", "input"]) form.addEventListener(name, read); ${AJAX}`;
  await visitForm({ script }, async (visit) => {
    const { page, shop, challenges } = visit;
    await pressByHand(page, "#town");
    await waitForState(page, "verified");
    const token = await tokenOf(page);
    for (const field of ["#name", "#town", "#other", "#name"]) await pressByHand(page, field);
    assert.deepEqual([await tokenOf(page), challenges()], [token, 1]);
    await pressByHand(page, "#send");
    assert.equal(tokenIn(await nthSent(visit, 1)), token);
    // The server refused the first one. A change in between shows that the second press is meant.
    await page.fill("#town", "Bath");
    await pressByHand(page, "#send");
    await nthSent(visit, 2);
    assert.deepEqual(await outcomes(shop.sent), ["verified", "verified"]);
  });
});

test("a button of type button that sends the form's data gets a fresh token after reset()", async () => {
  const script = `document.getElementById("other").onclick = async () => { await post(new FormData(form)); stile.reset(form); };`;
  await visitForm({ script }, async (visit) => {
    const { page, shop } = visit;
    for (const count of [1, 2]) {
      await pressByHand(page, "#town");
      await waitForState(page, "verified");
      await pressByHand(page, "#other");
      await nthSent(visit, count);
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>("stile-captcha")?.value === "",
      );
    }
    assert.deepEqual(await outcomes(shop.sent), ["verified", "verified"]);
  });
});

test("a second button pressed right after the first sends the form too", async () => {
  await visitForm(
    { script: AJAX.replace("new FormData(form)", "new FormData(form, event.submitter)") },
    async (visit) => {
      const { page, shop } = visit;
      await pressByHand(page, "#town");
      await waitForState(page, "verified");
      await pressByHand(page, "#send");
      await pressByHand(page, "#skip");
      // So soon after the first, the widget may ask for a press.
      await pressIfAsked(page);
      await nthSent(visit, 2);
      assert.deepEqual(
        shop.sent.map(({ fields }) => fields.way),
        ["plain", "skip"],
      );
      assert.deepEqual(await outcomes(shop.sent), ["verified", "verified"]);
    },
  );
});

test("closing a dialog cancels its held submission: once reopened and verified, it sends only a new one", async () => {
  const script = `const dialog = document.body.appendChild(document.createElement("dialog")); dialog.append(form);
    dialog.showModal(); ${AJAX}`;
  await visitForm({ script }, async (visit) => {
    const { page, shop } = visit;
    await pressByHand(page, "#send");
    await page.evaluate(async () => {
      const dialog = document.querySelector("dialog") as HTMLDialogElement;
      const closed = new Promise((resolve) => dialog.addEventListener("close", resolve));
      dialog.close();
      await closed;
      dialog.showModal();
    });
    await pressIfAsked(page);
    await waitForState(page, "verified");
    // Only submissions from here on arrive.
    await page.fill("#name", "Grace");
    await pressByHand(page, "#send");
    await nthSent(visit, 1);
    assert.equal(shop.sent[0]?.fields.name, "Grace");
  });
});
