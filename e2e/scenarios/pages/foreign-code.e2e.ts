import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type Complaints,
  launchVisitorBrowser,
  NOW_AND_THEN,
  tokenOf,
  waitForState,
} from "@stile/testkit/browser/browser";
import {
  documentWith,
  FOREIGN_MARK,
  type ForeignCode,
  INJECTIONS,
  serveForeignCode,
  serveNoncePage,
} from "@stile/testkit/browser/foreign-code";
import { visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { startEasyService } from "@stile/testkit/service/easy-service";
import { redeem } from "@stile/testkit/service/redeem";
import type { RunningService } from "@stile/testkit/service/service";
import type { Browser, Page } from "playwright-core";

let service: RunningService;
let browser: Browser;
let foreign: ForeignCode;

before(async () => {
  [service, browser, foreign] = await Promise.all([
    startEasyService(),
    launchVisitorBrowser(),
    serveForeignCode(),
  ]);
});

after(async () => {
  await browser?.close();
  await foreign?.stop();
  await service?.dispose();
});

async function visit(
  document: string,
  use: (page: Page, complaints: Complaints) => Promise<void>,
): Promise<void> {
  const shop = await serveNoncePage(service.baseUrl, document);
  try {
    await visitPage(browser, shop.url, ({ page, complaints }) => use(page, complaints));
  } finally {
    await shop.stop();
  }
}

/**
 * Waits until the page is done with the injected markup: the widget or the collection ended, or
 * there is no widget.
 */
const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () => {
      const { state } = (document.querySelector("stile-captcha") ?? {}) as { state?: string };
      const isUndefined =
        "stile" in globalThis && customElements.get("stile-captcha") === undefined;
      return (
        isUndefined || state === "error" || state === "verified" || document.title === "collected"
      );
    },
    undefined,
    NOW_AND_THEN,
  );

for (const { name, document } of INJECTIONS) {
  test(`no foreign code runs and nothing is sent to its host: ${name} (D8, challenge)`, async () => {
    const { baseUrl: base, siteKey } = service;
    await visit(document({ base, siteKey, foreign: foreign.origin }), async (page) => {
      await settled(page);
      assert.equal(await page.locator(`html[${FOREIGN_MARK}]`).count(), 0, "foreign code ran");
      assert.deepEqual(foreign.asked, []);
    });
  });
}

test("widgets whose endpoint names another service tell the visitor, and once the developer (D8, challenge)", async () => {
  const { baseUrl, siteKey } = service;
  const script = `<script NONCE src="${baseUrl}/stile.js" async></script>`;
  const others = [
    foreign.origin,
    `${baseUrl}/uploads`,
    `${baseUrl}.example`,
    "//localhost",
    "javascript:1",
    "",
  ];
  const after = others.map(
    (endpoint) => `<stile-captcha sitekey="${siteKey}" endpoint="${endpoint}"></stile-captcha>`,
  );
  await visit(documentWith({ script, after: after.join("") }), async (page, complaints) => {
    const paths: string[] = [];
    page.on("request", (request) => paths.push(request.url()));
    for (const [nth, endpoint] of others.entries()) {
      const widget = page.locator("stile-captcha").nth(nth);
      await widget.getByRole("button").focus();
      const status = widget
        .locator("[role=status]")
        .filter({ hasText: /^The endpoint attribute must be / });
      await status.waitFor();
      assert.equal(
        await widget.evaluate((element) => (element as unknown as { state: string }).state),
        "error",
        endpoint,
      );
    }
    const told = complaints.filter((text) =>
      text.startsWith("stile: endpoint_not_allowed. The endpoint attribute must be "),
    );
    assert.equal(told.length, 1, complaints.join("\n"));
    assert.deepEqual(paths, [], "nothing is loaded or sent");
  });
});

test("an endpoint attribute may name the script's own service, with or without a slash (D8, challenge)", async () => {
  const { baseUrl, siteKey } = service;
  const script = `<script NONCE src="${baseUrl}/stile.js" async></script>`;
  const after = [baseUrl, `${baseUrl}/`].map(
    (endpoint) =>
      `<stile-captcha sitekey="${siteKey}" endpoint="${endpoint}" execution="render"></stile-captcha>`,
  );
  await visit(documentWith({ script, after: after.join("") }), async (page) => {
    await pressByHand(page, "body");
    const tokens = await page.waitForFunction(
      () => {
        const all = [...document.querySelectorAll("stile-captcha")] as (Element & {
          state: string;
          value: string;
        })[];
        return all.every(({ state }) => state === "verified") && all.map(({ value }) => value);
      },
      undefined,
      NOW_AND_THEN,
    );
    const [plain = "", slash = ""] = (await tokens.jsonValue()) || [];
    for (const token of [plain, slash])
      assert.equal((await redeem(service, token)).body.data.verified, true);
  });
});

test("a page that serves its own copy as a module names the service once with stile.configure (D8, challenge)", async () => {
  const { baseUrl, siteKey } = service;
  const script = `<script type="module" NONCE>
    import "/stile.js";
    const failures = [];
    const attempt = (endpoint) => { try { stile.configure({ endpoint }); } catch ({ message }) { failures.push(message); } };
    await stile.collect({ siteKey: "${siteKey}" }).catch(({ message }) => failures.push(message));
    attempt("/relative");
    failures.push(String(customElements.get("stile-captcha")));
    attempt("${baseUrl}/");
    attempt("${foreign.origin}");
    document.documentElement.dataset.failures = JSON.stringify(failures);
  </script>`;
  const after = `<stile-captcha sitekey="${siteKey}" execution="render"></stile-captcha>`;
  await visit(documentWith({ script, after }), async (page) => {
    await pressByHand(page, "body");
    await waitForState(page, "verified");
    assert.equal((await redeem(service, await tokenOf(page))).body.data.verified, true);
    const failures = await page.evaluate(() =>
      JSON.parse(document.documentElement.dataset.failures ?? "[]"),
    );
    const [collected, relative, element, late] = failures;
    assert.match(collected, /endpoint_unknown$/);
    assert.match(relative, /URL/);
    assert.equal(
      element,
      "undefined",
      "nothing is defined before the page has said where the service is",
    );
    assert.match(late, new RegExp(`the service is ${baseUrl} already`));
    assert.deepEqual(foreign.asked, []);
  });
});

test("a script that an optimizer inlined into the page logs that it cannot know its service", async () => {
  const text = await (await fetch(`${service.baseUrl}/stile.js`)).text();
  const after = `<stile-captcha sitekey="${service.siteKey}"></stile-captcha>`;
  const configure = `stile.configure({ endpoint: "${service.baseUrl}" })`;
  for (const [more, lines] of [
    ["", 1],
    [configure, 0],
  ] as const) {
    await visit(
      documentWith({ script: `<script NONCE>${text}\n${more}</script>`, after }),
      async (page, complaints) => {
        await page.waitForTimeout(3500);
        const told = complaints.filter((line) =>
          line.startsWith("stile: endpoint_unknown. Call stile.configure"),
        );
        assert.equal(told.length, lines, complaints.join("\n"));
      },
    );
  }
});
