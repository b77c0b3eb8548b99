import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { decodeBase64url } from "@stile/pow/base64url";
import { unpackChallenge } from "@stile/pow/challenge";
import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import { openSqliteStore } from "@stile/stores/sqlite/store";
import type { Browser, Page } from "playwright-core";
import {
  launchLockedDownBrowser,
  launchVisitorBrowser,
  newVisitor,
  openPage,
  tokenOf,
  waitForState,
} from "../browser.ts";
import { redeem } from "../redeem.ts";
import { type RunningService, startService } from "../service.ts";
import { pressByHand } from "../visitor-hand.ts";

/** Steps of the owner's slider; beyond, the network's own doublings lead on. */
const SLIDER_MOST = 2;
/** Budget enough to be a busy network. */
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

/** Moves the owner's slider, beside the running service, and waits until its cache has let go of the former site. */
async function setSlider(difficultyOffset: number): Promise<void> {
  const store = await openSqliteStore({ file: join(service.dataDirectory, "stile.sqlite") });
  const site = await store.sites.findSite(service.siteKey);
  assert.ok(site);
  await store.sites.replaceSite({ ...site, difficultyOffset, revision: site.revision + 1 }, site.revision);
  await store.close();
}

async function askDifficulty(): Promise<number> {
  const response = await fetch(`${service.baseUrl}/api/v1/pow/challenge?site_key=${service.siteKey}`, {
    headers: { Origin: service.baseUrl, "User-Agent": browserAgent() },
  });
  const { data } = (await response.json()) as { data: { difficulty: number } };
  return data.difficulty;
}

function browserAgent(): string {
  const major = browser.version().split(".")[0];
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}

/** Asks until the service wants that difficulty: at first the cache must let go, later the network must be busy enough. */
async function reachDifficulty(wanted: number): Promise<void> {
  for (let asked = 0; asked < 1000; asked++) {
    if ((await askDifficulty()) === wanted) return;
    if (asked % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 60));
  }
  assert.fail(`the service never asked for ${wanted}`);
}

type Solved = {
  readonly difficulty: number;
  readonly seconds: number;
  readonly serverMs: number;
  readonly token: string;
};

/** Touches the demo's form and waits for a token; what the widget was asked for is read off the wire. */
async function solveDemo(page: Page): Promise<Solved> {
  const submitted = page.waitForResponse((response) => response.url().endsWith("/api/v1/verify"));
  const startedMs = performance.now();
  await page.locator("input").first().focus();
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

test("a real browser earns a token at every step of the difficulty, -1 to +5 (POST /api/v1/verify)", async (context) => {
  for (let exponent = -1; exponent <= 5; exponent++) {
    const difficulty = BASE_DIFFICULTY[ALGORITHM] * 2 ** exponent;
    await setSlider(Math.min(exponent, SLIDER_MOST));
    await reachDifficulty(difficulty);
    const visitor = await newVisitor(browser);
    const { page } = await openPage(visitor, `${service.baseUrl}/demo`);
    const solved = await solveDemo(page);
    await visitor.close();
    assert.equal(solved.difficulty, difficulty);
    assert.equal((await redeem(service, solved.token)).body.data.verified, true);
    const cost = `solved in ${solved.seconds.toFixed(2)} s, answered in ${solved.serverMs.toFixed(1)} ms`;
    context.diagnostic(`D = 2^${Math.log2(difficulty)}: ${cost}`);
  }
});

test("a browser without WebAssembly solves the fallback, is asked for a click, and gets a token of 0.30 or more", async () => {
  const own = await startService(ROOMY);
  const locked = await launchLockedDownBrowser();
  try {
    const visitor = await newVisitor(locked);
    const { page, complaints } = await openPage(visitor, `${own.baseUrl}/demo`);
    assert.equal(await page.evaluate(() => typeof WebAssembly), "undefined");
    const asked = page.waitForRequest((request) => request.url().includes("/pow/challenge"));
    await page.locator("input").first().focus();
    assert.match((await asked).url(), /[?&]fallback=1/);
    await waitForState(page, "interactive");
    await pressByHand(page, "stile-captcha button");
    await waitForState(page, "verified");
    const { data } = (await redeem(own, await tokenOf(page))).body;
    assert.equal(data.verified, true);
    assert.ok(Number(data.score) >= 0.3, `score ${data.score}`);
    assert.deepEqual(complaints, []);
  } finally {
    await locked.close();
    await own.dispose();
  }
});
