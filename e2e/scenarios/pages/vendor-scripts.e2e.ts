// The scripts at the addresses of other vendors, in pages as the vendors document them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  collectComplaints,
  launchVisitorBrowser,
  NOW_AND_THEN,
  newPage,
  newVisitor,
} from "@stile/testkit/browser/browser";
import { serveVendorPage, type VendorPage } from "@stile/testkit/browser/vendor-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import type { OperatorSite } from "@stile/testkit/service/operator-site";
import type { RunningService } from "@stile/testkit/service/service";
import type { Browser, Page } from "playwright-core";

const DIST = join(import.meta.dirname, "..", "..", "..", "packages", "widget", "dist");
const MOST_BYTES = 2048;

let browser: Browser;
let service: RunningService;
/** A site that asks nobody for a press, as those of reCAPTCHA v3 do not. */
let quiet: OperatorSite;

before(async () => {
  [browser, service] = await Promise.all([launchVisitorBrowser(), startEasyService()]);
  quiet = await addEasySite(service, {
    name: "quiet",
    domains: ["localhost"],
    mode: "invisible",
    // A program types in these pages.
    thresholds: { challenge: 0.8, block: 0.9 },
  });
});
after(async () => {
  await browser?.close();
  await service?.dispose();
});

type Visit = { readonly page: Page; readonly shop: VendorPage; readonly complaints: string[] };

async function visit(
  markup: string,
  use: (visit: Visit) => Promise<void>,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<void> {
  const shop = await serveVendorPage(
    markup
      .replaceAll("BASE", service.baseUrl)
      .replaceAll("QUIET", quiet.siteKey)
      .replaceAll("KEY", service.siteKey),
  );
  const context = await newVisitor(browser);
  try {
    const page = await newPage(context);
    const complaints = collectComplaints(page);
    await prepare?.(page);
    await page.goto(shop.url);
    await use({ page, shop, complaints });
  } finally {
    await context.close();
    await shop.stop();
  }
}

/** The value of an expression in the page, once it is truthy. */
async function become(page: Page, expression: string): Promise<unknown> {
  const handle = await page.waitForFunction(expression, undefined, NOW_AND_THEN);
  return await handle.jsonValue();
}

async function siteverify(
  path: string,
  response: string,
  secret = service.secretKey,
): Promise<Record<string, unknown>> {
  const body = new URLSearchParams({ secret, response });
  const headers = { "X-API-Key": secret };
  const answer = await fetch(service.baseUrl + path, { method: "POST", body, headers });
  return (await answer.json()) as Record<string, unknown>;
}

async function typeName(page: Page): Promise<void> {
  await pressByHand(page, "#name");
  await page.keyboard.type("Ada", { delay: 60 });
}

const form = (inside: string): string =>
  `<form action="/sent" method="post"><input id="name" name="name">${inside}<button id="send">Send</button></form>`;

const PLAIN = [
  ["g-recaptcha", "/recaptcha/api.js", "g-recaptcha-response", "/recaptcha/api/siteverify"],
  ["h-captcha", "/1/api.js", "h-captcha-response", "/siteverify"],
  ["cf-turnstile", "/turnstile/v0/api.js", "cf-turnstile-response", "/turnstile/v0/siteverify"],
  [
    "frc-captcha",
    "/friendlycaptcha/site.min.js",
    "frc-captcha-response",
    "/api/v2/captcha/siteverify",
  ],
] as const;

for (const [className, script, field, path] of PLAIN) {
  test(`${script} renders .${className}, calls back, and sends the vendor's field next to ours`, async () => {
    const markup = `<script src="BASE${script}" async defer></script>
<script>globalThis.got = []; setTimeout(() => { globalThis.onGood = (token) => got.push(token) }, 800)</script>
${form(`<div class="${className}" data-sitekey="KEY" data-callback="onGood" data-theme="dark"></div>`)}`;
    await visit(markup, async ({ page, shop, complaints }) => {
      await typeName(page);
      await become(page, "got.length > 0");
      await page.click("#send");
      await page.waitForURL("**/sent");
      const [fields] = shop.sent;
      const token = fields?.[field] ?? "";
      assert.equal(fields?.["stile-response"], token);
      assert.equal((await siteverify(path, token)).success, true);
      assert.equal((await siteverify(path, token)).success, false);
      assert.deepEqual(complaints, []);
    });
  });
}

test("sets each global in the line after the script, before anything is loaded", async () => {
  const markup = `<script src="BASE/recaptcha/enterprise.js"></script><script src="BASE/1/api.js"></script>
<script src="BASE/turnstile/v0/api.js?render=explicit"></script><script src="BASE/friendlycaptcha/site.min.js"></script>
<script>globalThis.seen = [typeof grecaptcha.render, typeof grecaptcha.enterprise.execute, typeof hcaptcha.render,
typeof turnstile.ready, typeof frcaptcha.createWidget, typeof globalThis.stile]</script>`;
  const use = async ({ page }: Visit): Promise<void> => {
    const seen = await page.evaluate("globalThis.seen");
    assert.deepEqual(seen, [...Array(5).fill("function"), "undefined"]);
  };
  const holdBack = (page: Page): Promise<unknown> =>
    page.route("**/stile.js*", async (route) => {
      await become(page, "globalThis.seen");
      await route.continue();
    });
  await visit(markup, use, holdBack);
});

test("calls onload, drains what waited for grecaptcha, and renders explicitly with functions", async () => {
  const markup = `<script>
globalThis.got = []; globalThis.___grecaptcha_cfg = { fns: [() => got.push("waited")] };
globalThis.onReady = () => {
  const id = grecaptcha.render("box", { sitekey: "KEY", callback: (token) => got.push(token) });
  got.push("ready", id, grecaptcha.render(document.getElementById("box"), { sitekey: "KEY" }));
}</script><script src="BASE/recaptcha/api.js?onload=onReady&render=explicit&hl=de" async defer></script>
${form('<div id="box"></div>')}`;
  await visit(markup, async ({ page }) => {
    await become(page, "got.includes('ready')");
    assert.equal(await page.getAttribute("stile-captcha", "language"), "de");
    assert.deepEqual(await page.evaluate("got.slice(0, 4).sort()"), [0, 0, "ready", "waited"]);
    await typeName(page);
    await become(page, "got.length > 4");
    const told = await page.evaluate(
      "[got[4], grecaptcha.getResponse(), grecaptcha.getResponse(0), grecaptcha.getResponse('box'), document.getElementById('g-recaptcha-response').value]",
    );
    assert.equal(new Set(told as string[]).size, 1);
    assert.ok((told as string[])[0]);
    await page.evaluate("grecaptcha.reset()");
    assert.equal(
      await page.evaluate(
        "grecaptcha.getResponse() + document.getElementById('g-recaptcha-response').value",
      ),
      "",
    );
    await page.evaluate("grecaptcha.remove()");
    assert.equal(await page.evaluate("document.querySelectorAll('#box *').length"), 0);
  });
});

test("earns a token of reCAPTCHA v3 for each action, in turn", async () => {
  const markup = `<script src="BASE/recaptcha/api.js?render=QUIET"></script>${form("")}
<script>globalThis.earn = () => Promise.all(["login", "buy"].map((action) => grecaptcha.execute("QUIET", { action })));</script>`;
  await visit(markup, async ({ page }) => {
    await typeName(page);
    const tokens = (await page.evaluate("earn()")) as string[];
    assert.equal(new Set(tokens).size, 2);
    const answers = [];
    for (const token of tokens)
      answers.push(await siteverify("/recaptcha/api/siteverify", token, quiet.secretKey));
    assert.deepEqual(
      answers.map(({ success, action, score }) => [success, action, Number(score) > 0.2]),
      [
        [true, "login", true],
        [true, "buy", true],
      ],
    );
  });
});

for (const [script, global] of [
  ["/turnstile/v0/api.js", "turnstile"],
  ["/1/api.js", "hcaptcha"],
]) {
  test(`${script} in a page that resets it at every error asks the service for an unknown site only once, and again at a press`, async () => {
    const markup = `<script src="BASE${script}?render=explicit"></script>${form('<div id="box"></div>')}
<script>globalThis.errors = []; const id = ${global}.render("box", { sitekey: "pk_unknown",
"error-callback": (name) => { errors.push(name); ${global}.reset(id); } })</script>`;
    await visit(markup, async ({ page }) => {
      await pressByHand(page, "#name");
      await become(page, "errors.length > 0");
      await page.keyboard.type("Ada, Countess of Lovelace", { delay: 100 });
      assert.deepEqual(await page.evaluate("errors"), ["sitekey_unknown"]);
      await pressByHand(page, "stile-captcha button");
      await become(page, "errors.length === 2");
    });
  });
}

test("binds an invisible reCAPTCHA to a button, and executes an invisible hCaptcha as a promise", async () => {
  const markup = `<script>globalThis.got = []; globalThis.onSubmit = (token) => got.push(token)</script>
<script src="BASE/recaptcha/api.js" async></script><script src="BASE/1/api.js?render=explicit" async></script>
${form('<button id="go" class="g-recaptcha" data-sitekey="QUIET" data-callback="onSubmit">Go</button><div id="box"></div>')}`;
  await visit(markup, async ({ page, shop }) => {
    await typeName(page);
    await pressByHand(page, "#go");
    assert.ok(await become(page, "got[0]"));
    assert.deepEqual(shop.sent, []);
    const earn = `(async () => { const id = hcaptcha.render("box", { sitekey: "${quiet.siteKey}", size: "invisible" });
      return (await hcaptcha.execute(id, { async: true })).response })()`;
    const token = (await page.evaluate(earn)) as string;
    assert.equal((await siteverify("/siteverify", token, quiet.secretKey)).success, true);
  });
});

test("keeps its functions, and names the error, if another vendor's script is on the page", async () => {
  const markup = `<script src="BASE/turnstile/v0/api.js"></script>
<script>const ours = turnstile; turnstile = { render() {} }; globalThis.isKept = turnstile === ours;</script>`;
  await visit(markup, async ({ page, complaints }) => {
    assert.equal(await page.evaluate("isKept"), true);
    assert.match(complaints[0] ?? "", /^stile: second_vendor\. .*\/docs#second_vendor$/);
  });
});

test("names the error for the scripts of vendors, and for no other script of their companies", async () => {
  for (const [src, isVendor] of [
    ["https://cdnjs.cloudflare.com/ajax/libs/jquery/3.7.1/jquery.min.js", false],
    ["https://accounts.google.com/gsi/client", false],
    ["https://maps.google.com/maps/api/js", false],
    ["https://www.google.com/recaptcha/api.js", true],
    ["https://www.recaptcha.net/recaptcha/api.js", true],
    ["https://js.hcaptcha.com/1/api.js", true],
    ["https://challenges.cloudflare.com/turnstile/v0/api.js", true],
    ["https://cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@0.1.36/site.min.js", true],
  ] as const) {
    // Scripts of this type are not fetched.
    const markup = `<script type="text/plain" src="${src}"></script><script src="BASE/1/api.js"></script>`;
    await visit(markup, async ({ page, complaints }) => {
      await become(page, "document.readyState === 'complete'");
      await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
      assert.equal(/second_vendor/.test(complaints.join()), isVendor, src);
    });
  }
});

test("names the error if Friendly Captcha's own script comes first", async () => {
  const markup = `<script>frcaptcha = { createWidget() {}, attach() {} }</script>
<script src="BASE/friendlycaptcha/site.min.js"></script>`;
  await visit(markup, async ({ complaints }) => assert.match(complaints.join(), /second_vendor/));
});

test("takes the language from the query of each script", async () => {
  for (const [script, className] of [
    ["/recaptcha/api.js", "g-recaptcha"],
    ["/1/api.js", "h-captcha"],
    ["/friendlycaptcha/site.min.js", "frc-captcha"],
  ] as const) {
    const markup = `<script src="BASE${script}?hl=de"></script><div class="${className}" data-sitekey="KEY"></div>`;
    await visit(markup, async ({ page }) =>
      assert.equal(await page.getAttribute("stile-captcha", "language"), "de", script),
    );
  }
});

test("finds the second of two widgets by its id, and no widget by a text that is no selector", async () => {
  const markup = `<script src="BASE/recaptcha/api.js?render=explicit"></script>${form('<div id="one"></div><div id="two"></div>')}`;
  await visit(markup, async ({ page, complaints }) => {
    const seen = await page.evaluate(`(() => {
      const errorOf = (work) => { try { work(); return "none" } catch (error) { return String(error) } };
      const ids = ["one", "two"].map((id) => grecaptcha.render(id, { sitekey: "KEY" }));
      grecaptcha.reset("1");
      return [...ids, grecaptcha.getResponse("1"), grecaptcha.getResponse("2"), grecaptcha.getResponse("two"),
        errorOf(() => grecaptcha.render()), errorOf(() => grecaptcha.render(null)), errorOf(() => grecaptcha.render("1"))];
    })()`);
    const errors = ["undefined", "null", "1"].map((name) => `Error: stile: no ${name}`);
    assert.deepEqual(seen, [0, 1, "", "", "", ...errors]);
    assert.deepEqual(complaints, []);
  });
});

test("leaves Turnstile's field away if the page asks for no field", async () => {
  const markup = `<script src="BASE/turnstile/v0/api.js"></script>
${form('<div class="cf-turnstile" data-sitekey="KEY" data-response-field="false"></div><div id="box"></div>')}`;
  await visit(markup, async ({ page }) => {
    await page.waitForSelector("stile-captcha");
    await page.evaluate(`turnstile.render("box", { sitekey: "KEY", "response-field": false })`);
    const count = "document.getElementsByName('cf-turnstile-response').length";
    assert.equal(await page.evaluate(count), 0);
    await page.evaluate(`turnstile.render("#send", { sitekey: "KEY" })`);
    assert.equal(await page.evaluate(count), 1);
  });
});

test("earns again for a second tag, a clone and a second widget, each with its own token", async () => {
  const markup = `<script>globalThis.got = []; const keep = (name) => (token) => got.push([name, token]);
globalThis.first = keep("first"); globalThis.second = keep("second"); globalThis.again = () => got.push(["again", "x"])</script>
<script src="BASE/turnstile/v0/api.js"></script><script src="BASE/turnstile/v0/api.js?onload=again&render=explicit"></script>
${form('<div class="cf-turnstile" data-sitekey="KEY" data-callback="first"></div><div class="cf-turnstile" data-sitekey="KEY" data-callback="second"></div>')}`;
  await visit(markup, async ({ page }) => {
    await typeName(page);
    await become(page, "got.length >= 3");
    const got = (await page.evaluate("got")) as [string, string][];
    assert.deepEqual(got.map(([name]) => name).sort(), ["again", "first", "second"]);
    assert.equal(new Set(got.map(([, token]) => token)).size, 3);
    assert.equal(await page.evaluate("document.querySelectorAll('stile-captcha').length"), 2);
  });
});

test(`is thin: at most ${MOST_BYTES} bytes for each script, compressed`, () => {
  for (const vendor of ["recaptcha", "hcaptcha", "turnstile", "friendly"]) {
    const bytes = gzipSync(readFileSync(join(DIST, `vendor-${vendor}.js`)), { level: 9 }).length;
    console.log(`${vendor}: ${bytes} bytes`);
    assert.ok(bytes <= MOST_BYTES, `${vendor}: ${bytes}`);
  }
});
