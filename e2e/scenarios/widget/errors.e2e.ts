// Every error name that pages can receive (docs/reference/widget.md), reached through its real
// cause.
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { SiteSettings } from "@stile/core/domain/site/site";
import { launchVisitorBrowser } from "@stile/testkit/browser/browser";
import { serveFormPage } from "@stile/testkit/browser/form-page";
import { given, pageScript } from "@stile/testkit/browser/form-visit";
import { visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import { startTroubledProxy, type TroubledProxy } from "@stile/testkit/service/troubled-proxy";
import type { WidgetErrorName } from "@stile/widget/machine/widget-error";
import type { Page } from "playwright-core";

const MINUTE_MS = 60_000;
/** Challenges per minute and network; each visit is in a minute of its own. */
const CHALLENGES = 20;

const [service, browser] = await Promise.all([
  startEasyService({
    STILE_TRUSTED_PROXIES: "127.0.0.1",
    STILE_DEMO: "on",
    STILE_LIMIT_CHALLENGE: `${CHALLENGES}`,
  }),
  launchVisitorBrowser(),
]);

after(async () => {
  await browser.close();
  await service.dispose();
});

/** A visit to a form behind a proxy. */
type Visit = { readonly page: Page; readonly proxy: TroubledProxy };

/** Records the callbacks and events that the page receives. */
const LISTENING = `
globalThis.told = { error: (name) => got.push("error-callback " + name), timeout: () => got.push("timeout-callback"),
  unsupported: () => got.push("unsupported-callback") };
for (const name of ["error", "unsupported"]) document.addEventListener("stile:" + name, ({ target, detail }) =>
  got.push([target.id, "stile:" + name, detail.name].filter(Boolean).join(" ")));`;

let networks = 0;

async function visit(widgets: string, use: (visit: Visit) => Promise<void>): Promise<void> {
  const network = `198.18.${++networks}.7`;
  await using proxy = await startTroubledProxy(service.baseUrl, () => network);
  const shop = await serveFormPage(
    proxy.baseUrl,
    `<form><input name="name">${widgets}</form>${pageScript(LISTENING)}`,
  );
  try {
    await visitPage(browser, shop.url, async ({ page }) => {
      await page.waitForLoadState("networkidle");
      await use({ page, proxy });
    });
  } finally {
    await shop.stop();
  }
}

const keyOf = async (
  settings: Partial<SiteSettings> & Pick<SiteSettings, "name">,
): Promise<string> => `sitekey="${(await addEasySite(service, settings)).siteKey}"`;

/** Faults on the way, once the page is there. */
const TROUBLES = {
  network: ({ proxy }: Visit) => proxy.set("breaks"),
  timeout: ({ proxy }: Visit) => proxy.set("hangs", /\/api\//),
  /** Page and service are both behind the proxy; otherwise the page could not read the answer. */
  internal: async ({ page, proxy }: Visit) => {
    await page.goto(`${proxy.baseUrl}/demo`, { waitUntil: "networkidle" });
    await page.evaluate(`globalThis.got = [];${LISTENING}`);
    proxy.set("bad_gateway", /\/api\//);
  },
  /**
   * The requests here and those of the widget must fall into the same minute: each minute has a new
   * budget.
   */
  rate_limited: async ({ page, proxy }: Visit) => {
    const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
    if (leftMs < MINUTE_MS / 3) await delay(leftMs);
    await page.evaluate(
      async ([address, count]) => {
        for (let nth = 0; nth < count; nth++) await fetch(address);
      },
      [`${proxy.baseUrl}/api/v1/pow/challenge?site_key=${service.siteKey}`, CHALLENGES] as const,
    );
  },
  csp_blocked: ({ page }: Visit) =>
    page.evaluate(() => {
      const policy = document.createElement("meta");
      Object.assign(policy, {
        httpEquiv: "Content-Security-Policy",
        content: "connect-src 'self'",
      });
      document.head.append(policy);
    }),
  /**
   * As if the service were newer than the page's scripts: neither a worker nor the page knows the
   * puzzle.
   */
  worker_failed: ({ page }: Visit) =>
    page.route(/pow\/challenge/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replace('"algorithm":1', '"algorithm":9'),
      });
    }),
  solution_rejected: ({ proxy }: Visit) => proxy.set("repeats", /\/verify$/),
} satisfies Partial<Record<WidgetErrorName, (visit: Visit) => unknown>>;

/** Attributes of a widget that ends with that error. */
const WRONG: Readonly<Record<Exclude<WidgetErrorName, keyof typeof TROUBLES>, string>> = {
  sitekey_missing: 'action="login"',
  sitekey_unknown: 'sitekey="pk_0000000000000000000000"',
  attribute_invalid: `sitekey="${service.siteKey}" action="log in"`,
  endpoint_not_allowed: `sitekey="${service.siteKey}" endpoint="https://else.example"`,
  hostname_not_allowed: await keyOf({ name: "elsewhere", domains: ["shop.example"] }),
  site_disabled: await keyOf({ name: "off", isEnabled: false }),
  blocked_by_policy: await keyOf({
    name: "forbidding",
    thresholds: { challenge: 0.001, block: 0.001 },
  }),
};

/** The callbacks and events of an error, in order, where they differ from the usual ones. */
const TOLD: Readonly<Partial<Record<WidgetErrorName, readonly string[]>>> = {
  timeout: ["error-callback timeout", "timeout-callback", "stile:error timeout"],
  internal: ["stile:error internal"],
  worker_failed: [
    "error-callback worker_failed",
    "stile:error worker_failed",
    "unsupported-callback",
    "stile:unsupported",
  ],
};

test("a mistake of the page or its site is reported with its error name", async () => {
  const names = Object.keys(WRONG) as (keyof typeof WRONG)[];
  const widgets = names
    .map((name) => `<stile-captcha id="${name}" ${WRONG[name]}></stile-captcha>`)
    .join("");
  await visit(widgets, async ({ page }) => {
    await pressByHand(page, "input");
    const heard = await given(page, names.length);
    assert.deepEqual([...heard].sort(), names.map((name) => `${name} stile:error ${name}`).sort());
  });
});

// Each spends most of its time waiting.
suite("a fault during a visit is reported with its error name", { concurrency: 4 }, () => {
  for (const [name, befall] of Object.entries(TROUBLES)) {
    test(name, async () => {
      const callbacks = ["error", "timeout", "unsupported"]
        .map((what) => `${what}-callback="told.${what}"`)
        .join(" ");
      const widget = `<stile-captcha sitekey="${service.siteKey}" ${callbacks}></stile-captcha>`;
      await visit(widget, async (one) => {
        await befall(one);
        await pressByHand(one.page, "input >> nth=0");
        const wanted = TOLD[name as WidgetErrorName] ?? [
          `error-callback ${name}`,
          `stile:error ${name}`,
        ];
        assert.deepEqual(await given(one.page, wanted.length), wanted);
        const { length } = one.proxy.asked.filter((path) =>
          path.startsWith("/api/v1/pow/challenge"),
        );
        if (name === "solution_rejected") assert.equal(length, 3, "refused three times");
      });
    });
  }
});
