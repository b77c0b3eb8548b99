// The core of the compatibility grid, as published, and Stile's own components and an example: they
// share an install, a service and a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, suite, type TestContext, test } from "node:test";
import {
  collectComplaints,
  launchVisitorBrowser,
  newVisitor,
} from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { type LoggingFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import type { OperatorSite } from "@stile/testkit/service/operator-site";
import type { RunningService } from "@stile/testkit/service/service";
import type { Browser, Page } from "playwright-core";
import { APPS } from "../../../compat/apps.ts";
import { clientRow } from "../../../compat/client-rows.ts";
import {
  FRAMEWORKS,
  type Framework,
  serveComponent,
  sizeOf,
} from "../../../compat/component-page.ts";
import { canRun, EXAMPLES, runExample } from "../../../compat/examples.ts";
import { installLibraries } from "../../../compat/install.ts";
import { serverRows } from "../../../compat/server-rows.ts";
import { loadServerLibraries } from "../../../compat/servers.ts";

const CLIENTS = ["react-google-recaptcha", "@marsidev/react-turnstile", "@hcaptcha/react-hcaptcha"];
const SERVERS = ["better-auth, cloudflare-turnstile", "@friendlycaptcha/server-sdk, as delivered"];
/** A program types in these pages, and the libraries are not about scores. */
const THRESHOLDS = { challenge: 0.9, block: 0.95 };

let browser: Browser;
let service: RunningService;
let fixture: LoggingFixture;
let site: OperatorSite;

before(async () => {
  installLibraries();
  [browser, service, fixture] = await Promise.all([
    launchVisitorBrowser(),
    startEasyService(),
    startInOwnProcess(),
  ]);
  site = await addEasySite(service, {
    name: "shop",
    domains: ["localhost"],
    thresholds: THRESHOLDS,
  });
});
after(async () => {
  await browser?.close();
  await service?.dispose();
  await fixture?.stop();
});

// Each spends most of its time waiting for a token to expire.
suite("client libraries", { concurrency: true }, () => {
  for (const library of CLIENTS) {
    test(`${library} earns a token, fresh ones after a reset, an expiry and an outage, reports both to the page, and leaves nothing behind`, async () => {
      const app = APPS.find(({ library: known, name }) => known === library && name === undefined);
      assert.ok(app);
      const row = await clientRow(browser, service, app);
      const remark = "expiry: event; outage: event";
      assert.deepEqual(row, { ...row, passes: true, wrong: [], thrown: [], remark });
    });
  }
});

for (const name of SERVERS) {
  test(`${name} accepts a person's token, and nothing else that a visitor can send`, async () => {
    const libraries = (await loadServerLibraries()).filter(({ library }) => library === name);
    const [row] = await serverRows(fixture, libraries, () => {});
    assert.deepEqual(row, { ...row, passes: true, wrong: [], thrown: [] });
  });
}

/** What the component's functions were called with, as the pages of compat/components keep it. */
type Events = readonly (readonly [
  "verify" | "expire" | "error",
  { name: string; detail: string },
])[];
const eventsOf = (page: Page, name: string) =>
  page.evaluate((wanted) => {
    const { events } = window as unknown as { events: Events };
    return events.filter(([known]) => known === wanted).map(([, detail]) => detail);
  }, name);

/** Opens a page with the component. `complaints` are what the console said. */
async function openPage(t: TestContext, framework: Framework, options: Record<string, unknown>) {
  const { urlFor, stop } = await serveComponent(framework);
  const context = await newVisitor(browser);
  t.after(async () => {
    await context.close();
    stop();
  });
  const page = await context.newPage();
  const complaints = collectComplaints(page);
  await page.goto(urlFor(options));
  return { page, complaints, urlFor };
}

const redeem = async (token: string): Promise<boolean> => {
  const response = await fetch(`${service.baseUrl}/api/v1/token/verify`, {
    method: "POST",
    headers: { Authorization: `Bearer ${site.secretKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { data } = (await response.json()) as { data?: { verified: boolean } };
  return data?.verified === true;
};

const ROOT = join(import.meta.dirname, "..", "..", "..");

test("the components have types, which refuse a wrong option", () => {
  execFileSync(process.execPath, [join(ROOT, "sdk/widget/build.mjs")]);
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(ROOT, "compat/components")], {
    stdio: "inherit",
  });
});

const execute = (page: Page) => page.evaluate("captcha.current.execute()") as Promise<string>;

for (const framework of Object.keys(FRAMEWORKS) as Framework[]) {
  test(`the ${framework} component hydrates, reports each token once, survives a pause, and leaves nothing behind`, async (t) => {
    const { baseUrl } = service;
    // React's hydrates a widget that has its token already, and StrictMode connects it twice.
    const isLate = framework === "react";
    const { page, complaints } = await openPage(t, framework, {
      ...{ baseUrl, siteKey: site.siteKey, action: "login", theme: "dark", responseField: true },
    });
    if (isLate) await page.goto(`${page.url()}&late`);
    assert.match(
      await (await fetch(page.url())).text(),
      /<stile-captcha (?=[^>]*sitekey="pk_)(?=[^>]*action="login")(?=[^>]*response-field="true")/,
    );
    await pressByHand(page, "#name");
    await page.keyboard.type("Ada", { delay: 60 });
    if (isLate) {
      await page.waitForFunction("document.querySelector('stile-captcha').state === 'verified'");
      await page.evaluate("start()");
    }
    await page.waitForFunction("window.events.length > 0");
    const [token] = await eventsOf(page, "verify");
    const field = await page.evaluate("new FormData(form).get('stile-response')");
    assert.equal(field, token);

    await page.evaluate("pause()");
    await page.waitForSelector("#paused");
    // Vue's Transition removes the element a frame later.
    await page.locator("stile-captcha").waitFor({ state: "hidden" });
    await page.evaluate("resume()");
    await page.waitForSelector("stile-captcha");
    const first = await execute(page);
    assert.equal(await redeem(first), true);
    await page.evaluate("captcha.current.reset()");
    const second = await execute(page);
    assert.notEqual(second, first);
    assert.equal(await redeem(second), true);

    const reported = await eventsOf(page, "verify");
    assert.deepEqual(reported, [...new Set([token, first, second])]);
    assert.deepEqual(await eventsOf(page, "error"), []);
    const scripts = await page.locator("script[src$='/stile.js']").count();
    assert.equal(scripts, 1);
    await page.evaluate("unmount()");
    assert.equal(await page.locator("stile-captcha").count(), 0);
    assert.deepEqual(complaints, []);
  });

  test(`the ${framework} component adds at most 1 KB to the loader`, async () => {
    const size = await sizeOf(framework);
    assert.ok(size <= 1_024, `${size} bytes`);
  });
}

test("a component names every wrong option, and says if the script does not load", async (t) => {
  const right = { baseUrl: service.baseUrl, siteKey: site.siteKey };
  const wrong = { ...right, theme: "drak", responseField: "no", onUnavailable: "open" };
  const { page, urlFor } = await openPage(t, "react", wrong);
  const says = async (options: Record<string, unknown>, expected: readonly string[]) => {
    await page.goto(urlFor(options));
    await page.waitForFunction(`window.events.length >= ${expected.length}`);
    const errors = (await eventsOf(page, "error")).map(({ name, detail }) => `${name}: ${detail}`);
    for (const [at, text] of expected.entries())
      assert.ok(errors[at]?.includes(text), `${errors[at]}`);
  };
  await says(wrong, [
    'attribute_invalid: responseField must be true or false. It is "no".',
    'attribute_invalid: theme must be auto or light or dark or contrast. It is "drak".',
    'attribute_invalid: onUnavailable must be submit or block. It is "open".',
  ]);
  await says({ ...right, baseUrl: "captcha.example" }, ["attribute_invalid: baseUrl must be"]);
  await says({ ...right, baseUrl: undefined }, ["It is undefined."]);
  await says({ ...right, baseUrl: "http://localhost:9" }, [
    "network: http://localhost:9/stile.js did not load.",
  ]);
});

// `npm run compat -- examples` runs all.
for (const example of EXAMPLES.filter(({ name }) => name === "php")) {
  const skip = canRun(example) ? false : "PHP with curl is missing";
  test(
    `the example for ${example.name} lets a person pass, and refuses a form without a token, with a forged and with a used one`,
    {
      skip,
    },
    () => runExample(browser, service.baseUrl, site, example),
  );
}
