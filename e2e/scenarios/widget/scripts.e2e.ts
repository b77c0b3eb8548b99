import assert from "node:assert/strict";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import { behaviourSignalsSchema, environmentSignalsSchema } from "@stile/protocol/schemas/signals";
import {
  type BehaviourSignals,
  type EnvironmentSignals,
  POINTER_KINDS,
} from "@stile/protocol/signals";
import { launchVisitorBrowser, tokenOf, waitForState } from "@stile/testkit/browser/browser";
import { serveStrictPage } from "@stile/testkit/browser/strict-page";
import { type VisitOptions, visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { startEasyService } from "@stile/testkit/service/easy-service";
import { redeem } from "@stile/testkit/service/redeem";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import type { BrowserContextOptions, Page } from "playwright-core";

const [service, browser] = await Promise.all([startEasyService(), launchVisitorBrowser()]);
const shop = await serveStrictPage({
  base: service.baseUrl,
  attributes: `sitekey="${service.siteKey}"`,
});

after(async () => {
  await browser.close();
  await shop.stop();
  await service.dispose();
});

function visitShop<Result>(
  use: (page: Page) => Promise<Result>,
  options: VisitOptions = {},
): Promise<Result> {
  return visitPage(browser, shop.urlOn("localhost"), ({ page }) => use(page), options);
}

type Observed = { readonly environment: EnvironmentSignals; readonly behaviour: BehaviourSignals };

function read<Signals>(text: string, parse: (json: unknown) => Signals): Signals {
  const bytes = Buffer.from(text, "base64url");
  assert.ok(bytes.length <= SIGNALS_BYTES_LIMIT, `${bytes.length} bytes`);
  return parse(JSON.parse(bytes.toString()));
}

/**
 * The observations of the widget during `work`, on a page where `disguise` ran before any of the
 * page's own scripts.
 */
async function observe(
  work: (page: Page) => Promise<void>,
  disguise?: () => void,
  options?: BrowserContextOptions,
): Promise<Observed> {
  const prepare = disguise && ((page: Page): unknown => page.addInitScript(disguise));
  return await visitShop(
    async (page) => {
      await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
      await work(page);
      const envelope = await page.evaluate(() =>
        (
          window as unknown as { readonly stile: { collect: () => Promise<string> } }
        ).stile.collect(),
      );
      const [, environment = "", behaviour = ""] = envelope.split(".");
      return {
        environment: read(environment, (json) => environmentSignalsSchema.parse(json)),
        behaviour: read(behaviour, (json) => behaviourSignalsSchema.parse(json)),
      };
    },
    { ...options, prepare },
  );
}

const flagsOf = (observed: Observed): readonly string[] => assessVisit(observed).flags;
const focus = (page: Page): Promise<void> => page.focus("input");

/**
 * Size limits, gzip bytes. The listeners in stile.js take about 1,300 of them, so both collectors
 * stay below 3 KiB.
 */
const BUDGETS = {
  "stile.js": 11_000,
  "run.js": 3280,
  "collector.js": 1760,
  "solver-worker.js": 5820,
  "frame.js": 2552,
  "surface.js": 4180,
  "trouble.js": 2140,
  "waiting-button.js": 256,
  "test-ribbon.js": 512,
};
/** The scripts that a visit loads when nothing goes wrong. */
const VISIT = ["/collector.js", "/frame.js", "/run.js", "/solver-worker.js", "/stile.js"];
/**
 * Size limits with Brotli, bytes: stile.js loads with the page, run.js at the first touch of the
 * form.
 */
const BROTLI_BUDGETS = { "stile.js": 9_900, "run.js": 2900 };

test("each script of the widget stays within its size limit", async (context) => {
  for (const [file, budget] of Object.entries(BUDGETS)) {
    const text = await (await fetch(`${service.baseUrl}/${file}`)).text();
    const { length } = gzipSync(text, { level: 9 });
    context.diagnostic(`${file}: ${length} of ${budget} bytes`);
    assert.ok(length <= budget, `${file}: ${length} bytes`);
  }
});

test("clients that accept Brotli get the scripts in it, with the same text and within their size limits", async (context) => {
  for (const [file, budget] of Object.entries(BROTLI_BUDGETS)) {
    const url = `${service.baseUrl}/${file}`;
    const [packed, plain] = await Promise.all(
      ["gzip, br", "identity"].map((coding) =>
        fetch(url, { headers: { "accept-encoding": coding } }),
      ),
    );
    assert.deepEqual(
      [packed?.headers.get("content-encoding"), plain?.headers.get("content-encoding")],
      ["br", null],
    );
    assert.equal(await packed?.text(), await plain?.text());
    const length = Number(packed?.headers.get("content-length"));
    context.diagnostic(`${file}: ${length} of ${budget} bytes`);
    assert.ok(length > 0 && length <= budget, `${file}: ${length} bytes`);
  }
});

test("a visit in which nothing goes wrong", async (context) => {
  const asked: string[] = [];
  const prepare = (page: Page): unknown =>
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await visitShop(
    async (page) => {
      await context.test(
        "fetches nothing and sends nothing before the visitor uses the form (ePrivacy)",
        async () => {
          await page.mouse.move(300, 300);
          await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
          assert.deepEqual(asked.toSorted(), ["/", "/shop.css", "/stile.js"]);
          const collector = page.waitForRequest(`${service.baseUrl}/collector.js`);
          await page.focus("input");
          await collector;
        },
      );
      await context.test("fetches only what it runs", async () => {
        await pressByHand(page, "input");
        await waitForState(page, "verified");
        const scripts = asked.filter((path) => path.endsWith(".js"));
        assert.deepEqual([...new Set(scripts)].toSorted(), VISIT);
      });
    },
    { isFresh: true, prepare },
  );
});

// Before the visits that make this network a suspect.
test("a lost request costs nobody a press: the script is requested again, at another address since browsers may cache failures", async () => {
  const asked: string[] = [];
  // Each is lost once: the script that observes, the one that works, and its fallback.
  const prepare = (page: Page): unknown =>
    page.route(/\/(collector\.js|frame|solver-fallback\.js)\??$/, (route) => {
      const { pathname, search, href } = new URL(route.request().url());
      const isFirst = !asked.some((one) => one.startsWith(pathname));
      asked.push(pathname + (href.endsWith("?") ? "?" : search));
      return isFirst ? route.abort("connectionreset") : route.continue();
    });
  await visitShop(
    async (page) => {
      const failed = page.evaluate(async () => {
        const event = await new Promise((resolve) => addEventListener("stile:error", resolve));
        return (event as CustomEvent).detail.name;
      });
      await pressByHand(page, "input");
      assert.equal(await failed, "network");
      await waitForState(page, "verified", 40_000);
    },
    { prepare },
  );
  assert.deepEqual(asked.toSorted(), [
    "/collector.js",
    "/collector.js?",
    "/frame",
    "/frame",
    "/solver-fallback.js",
  ]);
});

let honest: Promise<Observed> | undefined;
/**
 * The observations of a visitor who pressed into the form by hand, in the first visit that needs
 * them.
 */
const observeHonest = (): Promise<Observed> => {
  honest ??= observe((page) => pressByHand(page, "input"));
  return honest;
};

test("page, fresh frame, solver frame and worker of an honest browser agree, and nothing looks replaced", async () => {
  const { environment, behaviour } = await observeHonest();
  const { userAgent, platform, languages, cores } = environment;
  for (const place of [environment.blank, environment.frame, environment.worker]) {
    assert.deepEqual(
      { ...place, webdriver: null },
      { userAgent, platform, languages, cores, webdriver: null },
    );
  }
  assert.deepEqual(
    [environment.natives, environment.driverGlobals, behaviour.callers],
    [[], [], []],
  );
  assert.deepEqual(
    [environment.pageScale, environment.isFramed, environment.isSecure],
    [1, false, true],
  );
  assert.ok(
    environment.chrome !== null && environment.permission !== null && environment.graphics !== null,
  );
});

test("moves carry their movement, and presses their distance from the middle of their target", async () => {
  const { behaviour } = await observeHonest();
  const moves = behaviour.pointer.filter((sample) => POINTER_KINDS[sample[3]] === "move");
  assert.deepEqual(moves[1]?.slice(7, 9), [-27, -19]);
  assert.ok((moves[1]?.[9] ?? 0) >= 1, "coalesced events are counted");
  const [down] = behaviour.pointer.filter((sample) => POINTER_KINDS[sample[3]] === "down");
  assert.ok(down !== undefined && down.length === 9 && (down[7] ?? 0) < -5, JSON.stringify(down));
});

test("a script that hides navigator.webdriver in every frame is detected (native_tampered)", async () => {
  const disguise = (): void => {
    Object.defineProperty(Navigator.prototype, "webdriver", {
      configurable: true,
      get: () => false,
    });
  };
  assert.ok(flagsOf(await observe(focus, disguise)).includes("native_tampered"));
});

test("a script that wraps the function instead of replacing it is detected (stealth plugins)", async () => {
  const disguise = (): void => {
    const { get = () => false } =
      Object.getOwnPropertyDescriptor(Navigator.prototype, "webdriver") ?? {};
    Object.defineProperty(Navigator.prototype, "webdriver", {
      configurable: true,
      get: new Proxy(get, {}),
    });
  };
  assert.ok(flagsOf(await observe(focus, disguise)).includes("native_tampered"));
});

test("a machine that reports more in windows than in workers is detected (worker_mismatch)", async () => {
  const disguise = (): void => {
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 64 });
  };
  const observed = await observe(focus, disguise);
  assert.equal(observed.environment.cores, 64);
  // The tests' browser has neither a graphics card nor a window.
  const ofTests = ["software_gl", "emulated_screen"];
  assert.deepEqual(
    flagsOf(observed).filter((flag) => !ofTests.includes(flag)),
    ["worker_mismatch"],
  );
});

test("an injected script that clicks the widget is named (injected_stack, synthetic_click)", async () => {
  const observed = await observe((page) =>
    page.evaluate(() => {
      const { shadowRoot } = document.querySelector("stile-captcha") as Element;
      shadowRoot?.querySelector("button")?.click();
    }),
  );
  assert.ok(observed.behaviour.callers.length > 0);
  assert.ok(flagsOf(observed).includes("injected_stack"));
});

test("a driver's own move and click are detected, with and without a path", async () => {
  const path = await observe(async (page) => {
    await page.mouse.move(83, 503);
    await page.mouse.move(171, 37, { steps: 40 });
    await page.click("input");
  });
  assert.ok(flagsOf(path).includes("fractional_pointer"), flagsOf(path).join());
  const wanted = [
    "scripted_click",
    "no_approach",
    "press_too_short",
    "exact_centre_click",
  ] as const;
  // The machine decides how long a driver holds the button: a busy one may hold it as long as a
  // hand.
  for (let tries = 1; ; tries++) {
    const jump = await observe(async (page) => {
      await page.mouse.move(700, 500);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 250)));
      await page.click("#send");
    });
    const missing = wanted.filter((flag) => !flagsOf(jump).includes(flag));
    if (missing.length > 0 && tries < 6) continue;
    assert.deepEqual(missing, [], `not in ${flagsOf(jump)}`);
    assert.ok(assessVisit(jump).score >= 0.6);
    return;
  }
});

test("a driver's click that claims to be a pen's, where no rule of the mouse applies, is detected (scripted_pen)", async () => {
  const observed = await observe(async (page) => {
    const protocol = await page.context().newCDPSession(page);
    const box = await page.locator("#send").boundingBox();
    assert.ok(box !== null);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const at = { x, y, pointerType: "pen" } as const;
    const button = { button: "left", clickCount: 1 } as const;
    await protocol.send("Input.dispatchMouseEvent", { ...at, type: "mouseMoved" });
    await protocol.send("Input.dispatchMouseEvent", {
      ...at,
      ...button,
      type: "mousePressed",
      buttons: 1,
    });
    await protocol.send("Input.dispatchMouseEvent", { ...at, ...button, type: "mouseReleased" });
  });
  assert.ok(flagsOf(observed).includes("scripted_pen"), JSON.stringify(observed.behaviour.pointer));
  assert.ok(assessVisit(observed).score >= 0.3);
});

test("a driver's user agent option is detected by the parts of the system that it leaves (platform_mismatch)", async () => {
  const real = await observeHonest();
  assert.ok(!flagsOf(real).includes("platform_mismatch"), "without it nothing contradicts");
  const userAgent = real.environment.userAgent.replace(
    "X11; Linux x86_64",
    "Windows NT 10.0; Win64; x64",
  );
  const disguised = await observe(async () => {}, undefined, { userAgent });
  assert.equal(disguised.environment.clientHints?.platform, "Windows");
  assert.ok(
    flagsOf(disguised).includes("platform_mismatch"),
    JSON.stringify(disguised.environment),
  );
});

/** Uses the form, is asked for a press, and gets a token with it. */
async function passByPress(page: Page): Promise<string> {
  await pressByHand(page, "input");
  await waitForState(page, "interactive");
  await pressByHand(page, "stile-captcha button");
  // More work follows the press, 16 times the usual.
  await waitForState(page, "verified", 90_000);
  return await tokenOf(page);
}

test("a browser whose collector fails, as with extensions that refuse its requests, passes with a click", async () => {
  const prepare = (page: Page): unknown =>
    page.addInitScript(() => {
      const get = (): never => {
        throw new TypeError("Illegal invocation");
      };
      Object.defineProperty(Screen.prototype, "width", { get });
    });
  await visitShop(passByPress, { prepare });
});

test("a visitor who blocks the collector is asked for a click, and passes with it (D9, withheld)", async () => {
  const prepare = (page: Page): unknown => page.route("**/collector.js*", (route) => route.abort());
  const token = await visitShop(passByPress, { prepare });
  const { body } = await redeem(service, token);
  assert.ok(Number(body.data.score) >= 0.3, `score ${body.data.score}`);
});
