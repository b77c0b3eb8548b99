import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { decodeBase64url } from "@stile/pow/base64url";
import { unpackChallenge } from "@stile/pow/challenge";
import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import {
  launchLockedDownBrowser,
  launchVisitorBrowser,
  newVisitor,
  openPage,
  tokenOf,
  waitForState,
} from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { changeSite } from "@stile/testkit/service/operator-site";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Browser, Page } from "playwright-core";

/** The slider's highest step. Only a busy network adds further steps. */
const SLIDER_MOST = 2;
/** Limits high enough to let one network be busy. */
const ROOMY = { STILE_LIMIT_CHALLENGE: "100000" };
const ALGORITHM = 1;

let service: RunningService;
let browser: Browser;

before(async () => {
  [service, browser] = await Promise.all([startService(ROOMY), launchVisitorBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.dispose();
});

/**
 * Moves the owner's slider next to the running service, which may cache the former site for
 * CACHE_MS.
 */
const setSlider = (difficultyOffset: number): Promise<void> =>
  changeSite(service, { difficultyOffset });

async function askDifficulty(): Promise<number> {
  const response = await fetch(
    `${service.baseUrl}/api/v1/pow/challenge?site_key=${service.siteKey}`,
    {
      headers: { Origin: service.baseUrl, "User-Agent": browserAgent() },
    },
  );
  const { data } = (await response.json()) as { data: { difficulty: number } };
  return data.difficulty;
}

function browserAgent(): string {
  const major = browser.version().split(".")[0];
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}

/** How long a service may use the former site, ms. */
const CACHE_MS = 1100;
/** This many more challenges within a minute raise a network by one step. */
const ASKS_AT_ONCE = 25;
const MAX_TRIES = 40;

const stepOf = (difficulty: number): number => Math.log2(difficulty / BASE_DIFFICULTY[ALGORITHM]);

/**
 * Makes the service ask for that step. The owner's slider gives up to SLIDER_MOST steps; a busy
 * network gives the rest. Each request makes the network busier, and time calms it.
 */
async function reachStep(wanted: number, slider: number): Promise<number> {
  let at = slider;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const missing = wanted - stepOf(await askDifficulty());
    if (missing === 0) return at;
    const next = Math.max(-1, Math.min(SLIDER_MOST, at + missing));
    if (next !== at) {
      await setSlider(next);
      await new Promise((resolve) => setTimeout(resolve, CACHE_MS));
      at = next;
    } else for (let i = 0; i < ASKS_AT_ONCE; i++) await askDifficulty();
  }
  assert.fail(`the service never asked for step ${wanted}`);
}

/**
 * How long work may take, ms. The highest step is 8 times the usual work, and other browsers work
 * at the same time.
 */
const PATIENCE_MS = 240_000;

type Solved = {
  readonly difficulty: number;
  readonly seconds: number;
  readonly serverMs: number;
  readonly token: string;
};

/**
 * Presses into the demo's form and waits for a token. The requests of the page say which puzzle it
 * had to solve.
 */
async function solveDemo(page: Page): Promise<Solved> {
  const submitted = page.waitForResponse(/\/api\/v1\/verify$/, { timeout: PATIENCE_MS });
  const startedMs = performance.now();
  await pressByHand(page, "#email");
  const response = await submitted;
  const { challenge } = response.request().postDataJSON() as { challenge: string };
  await waitForState(page, "verified");
  const unpacked = unpackChallenge(decodeBase64url(challenge) ?? new Uint8Array(0));
  const { requestStart, responseStart } = response.request().timing();
  return {
    difficulty: unpacked?.challenge.difficulty ?? 0,
    seconds: (performance.now() - startedMs) / 1000,
    serverMs: responseStart - requestStart,
    token: await tokenOf(page),
  };
}

/** Visits the demo without WebAssembly. */
async function visitLockedDown(locked: Browser, use: (page: Page) => Promise<void>): Promise<void> {
  const visitor = await newVisitor(locked);
  const { page, complaints } = await openPage(visitor, `${service.baseUrl}/demo`);
  assert.equal(await page.evaluate(() => typeof WebAssembly), "undefined");
  await use(page);
  assert.deepEqual(complaints, []);
  await visitor.close();
}

// Before the network is busy, which would raise the work.
test("a browser without WebAssembly earns tokens", async (t) => {
  const locked = await launchLockedDownBrowser();
  t.after(() => locked.close());

  await t.test(
    "solves the fallback and gets the same token as any browser, without a click",
    async (context) => {
      await visitLockedDown(locked, async (page) => {
        const asked = page.waitForRequest((request) => request.url().includes("/pow/challenge"));
        await pressByHand(page, "#email");
        const startedMs = performance.now();
        assert.match((await asked).url(), /[?&]fallback=1/);
        await waitForState(page, "verified", PATIENCE_MS);
        context.diagnostic(
          `${((performance.now() - startedMs) / 1000).toFixed(1)} s from the touch to the token`,
        );
        const { data } = (await redeem(service, await tokenOf(page))).body;
        assert.equal(data.verified, true);
        assert.ok(Number(data.score) < 0.3, `score ${data.score}`);
      });
    },
  );

  await t.test(
    "asks a keyboard-only visitor for one press and an eighth of the work",
    async (context) => {
      await visitLockedDown(locked, async (page) => {
        await page.keyboard.press("Tab");
        const startedMs = performance.now();
        await page.locator("#email").focus();
        await page.keyboard.type("ada@example.org");
        await waitForState(page, "interactive", PATIENCE_MS);
        const askedMs = performance.now();
        await page.locator("stile-captcha").evaluate((one: HTMLElement) => one.focus());
        await page.keyboard.press("Space", { delay: 90 });
        await waitForState(page, "verified", PATIENCE_MS);
        const [first, second] = [askedMs - startedMs, performance.now() - askedMs].map((ms) =>
          (ms / 1000).toFixed(1),
        );
        context.diagnostic(
          `${first} s until it was asked for, ${second} s from there to the token`,
        );
        assert.ok(Number((await redeem(service, await tokenOf(page))).body.data.score) < 0.3);
      });
    },
  );
});

test("a real browser earns a token at the steps -1, 0 and +3 of the difficulty (POST /api/v1/verify)", async (context) => {
  let slider = 0;
  const { page } = await openPage(await newVisitor(browser), `${service.baseUrl}/demo`);
  for (const step of [-1, 0, 3]) {
    let solved: Solved | undefined;
    // If a minute ends between this request and the page's own, the step changes; then the test
    // does both again.
    for (let tries = 0; solved === undefined && tries < 5; tries++) {
      slider = await reachStep(step, slider);
      await page.goto(`${service.baseUrl}/demo`);
      const earned = await solveDemo(page);
      if (stepOf(earned.difficulty) === step) solved = earned;
    }
    assert.ok(solved, `the page was not asked for step ${step}`);
    assert.equal((await redeem(service, solved.token)).body.data.verified, true);
    const cost = `solved in ${solved.seconds.toFixed(2)} s, answered in ${solved.serverMs.toFixed(1)} ms`;
    context.diagnostic(`D = 2^${Math.log2(solved.difficulty)}: ${cost}`);
  }
});
