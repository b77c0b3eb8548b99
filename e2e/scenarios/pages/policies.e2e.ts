// The page's owner is warned when a Content-Security-Policy blocks part of the widget, and not if
// it allows enough.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SITE_MODES, type SiteMode } from "@stile/protocol/site-settings";
import {
  type Complaints,
  launchVisitorBrowser,
  NOW_AND_THEN,
  waitForState,
} from "@stile/testkit/browser/browser";
import { type StrictPageOptions, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { visitWidget, type WidgetVisit } from "@stile/testkit/browser/widget-visit";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import type { Page } from "playwright-core";

const [service, browser] = await Promise.all([startEasyService(), launchVisitorBrowser()]);

after(async () => {
  await browser.close();
  await service.dispose();
});

/** Visits a page with that policy. */
async function visit(
  options: Partial<StrictPageOptions>,
  use: (visit: WidgetVisit) => Promise<void>,
): Promise<void> {
  const attributes = `sitekey="${service.siteKey}" ${options.attributes ?? ""}`;
  const shop = await serveStrictPage({ base: service.baseUrl, ...options, attributes });
  await visitWidget(browser, { ...shop, url: shop.urlOn("localhost") }, use);
}

const toldBy = (complaints: Complaints): readonly string[] =>
  complaints.filter((text) => text.startsWith("stile: "));

/** Waits until the page's owner got a report, and returns all reports. */
async function told(page: Page, complaints: Complaints): Promise<readonly string[]> {
  while (toldBy(complaints).length === 0) await page.waitForEvent("console");
  return toldBy(complaints);
}

const allow = (directive: string): string =>
  "stile: csp_blocked. This page's Content-Security-Policy blocks the check. " +
  `The site owner must allow it in ${directive}. See ${service.baseUrl}/docs#csp_blocked`;

test("under the strict policy, Trusted Types and COEP a page gets its token in every mode, without reports (D8, challenge; D9, submission)", async () => {
  const modes = Object.keys(SITE_MODES) as SiteMode[];
  const widgets: string[] = [];
  for (const mode of modes.filter((name) => name !== "managed")) {
    const { siteKey } = await addEasySite(service, { name: mode, mode });
    widgets.push(`<stile-captcha id="${mode}" sitekey="${siteKey}"></stile-captcha>`);
  }
  const options = { attributes: 'id="managed"', below: widgets.join(""), isIsolated: true };
  await visit(options, async ({ page, complaints }) => {
    await pressByHand(page, "input");
    await page.locator("#interactive [role=status]").filter({ hasText: "Please press" }).waitFor();
    await pressByHand(page, "#interactive button");
    const ends = await page.waitForFunction(
      () => {
        const all = [...document.querySelectorAll("stile-captcha")] as (Element & {
          readonly state: string;
        })[];
        return (
          all.every(({ state }) => /verified|error/.test(state)) && all.map(({ state }) => state)
        );
      },
      undefined,
      NOW_AND_THEN,
    );
    assert.deepEqual(
      await ends.jsonValue(),
      modes.map(() => "verified"),
    );
    const isSeen = await Promise.all(
      modes.map((mode) => page.locator(`#${mode} .box`).isVisible()),
    );
    assert.deepEqual(
      isSeen,
      modes.map((mode) => mode !== "invisible"),
    );
    assert.deepEqual(complaints, []);
  });
});

test("a page with a nonce in its policy, behind a proxy that forbids framing of all its responses", async (context) => {
  const options = { scriptPolicy: "'nonce-bm9uY2U'", nonce: "bm9uY2U" };
  await visit(options, async ({ page, complaints, answered }) => {
    await page.route("**/frame", async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        headers: { ...response.headers(), "x-frame-options": "SAMEORIGIN" },
      });
    });
    await pressByHand(page, "input");
    await waitForState(page, "verified");
    await context.test(
      "the nonce is enough for everything that the widget loads, draws or computes",
      () => {
        assert.ok(answered.includes("/frame.js") && answered.includes("/collector.js"));
        assert.deepEqual(complaints, []);
      },
    );
    await context.test("the widget keeps its frame (X-Frame-Options)", () => {
      assert.ok(
        answered.includes("/frame") && !answered.includes("/solver-fallback.js"),
        "the frame was not given up",
      );
    });
  });
});

test("a policy that allows only stile.js of the widget's scripts is named once, and nothing is retried", async () => {
  const scriptPolicy = `${service.baseUrl}/stile.js`;
  await visit(
    { scriptPolicy, attributes: 'execution="render"' },
    async ({ page, complaints, answered }) => {
      await waitForState(page, "error");
      const status = page.locator("stile-captcha [role=status]");
      await status.filter({ hasText: "must allow it in script-src." }).waitFor();
      const button = page.locator("stile-captcha button");
      assert.deepEqual(
        [await button.textContent(), await button.getAttribute("aria-disabled")],
        ["Not verified", "true"],
        "no button offers a try that could not help",
      );
      await pressByHand(page, "input");
      assert.deepEqual(await told(page, complaints), [allow("script-src")]);
      assert.deepEqual(answered, ["/stile.js"]);
    },
  );
});

test("a refused connection is reported at load if the page needs a translation, and otherwise on use", async () => {
  const refused = { connectPolicy: "'self'" };
  await visit({ ...refused, attributes: 'language="de"' }, async ({ page, complaints }) => {
    assert.deepEqual(await told(page, complaints), [allow("connect-src")]);
  });
  await visit(refused, async ({ page, complaints }) => {
    await pressByHand(page, "input");
    await waitForState(page, "error");
    const status = page.locator("stile-captcha [role=status]");
    await status.filter({ hasText: "must allow it in connect-src." }).waitFor();
    assert.deepEqual(await told(page, complaints), [allow("connect-src")]);
  });
});

test("a report-only policy refuses nothing: the frame solves, and nobody gets a warning", async () => {
  const reportedPolicy = "frame-src 'none'; connect-src 'none'; script-src 'none'";
  await visit({ reportedPolicy }, async ({ page, complaints, answered }) => {
    await pressByHand(page, "input");
    await waitForState(page, "verified");
    assert.ok(!answered.includes("/solver-fallback.js"), "the frame was not given up");
    assert.deepEqual(toldBy(complaints), []);
  });
});

test("the name of another service is reported at load, before anybody touches the form", async () => {
  await visit(
    { attributes: 'endpoint="https://else.example"' },
    async ({ page, complaints, answered }) => {
      const [line] = await told(page, complaints);
      assert.match(
        line ?? "",
        /^stile: endpoint_not_allowed\. The endpoint attribute must be http/,
      );
      assert.deepEqual(answered, ["/stile.js"]);
    },
  );
});
