import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createScenes } from "@stile/core/domain/layout/bake-bank";
import type { BankScene } from "@stile/core/domain/layout/layout-bank";
import type { Store } from "@stile/core/ports/store";
import { createRandom } from "@stile/risk/seeded-random";
import { openBakePage } from "@stile/server/baking/bake-page";
import { findBrowsers } from "@stile/server/baking/installed-browsers";
import { addScenes } from "@stile/testkit/browser/baked-scenes";
import { launchVisitorBrowser } from "@stile/testkit/browser/browser";
import { ADDED_STYLES, GUISES, withStyle } from "@stile/testkit/browser/layout-guises";
import { type StrictPage, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { type PageVisit, type VisitOptions, visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { earnToken } from "@stile/testkit/minting/solver-client";
import { addEasySite } from "@stile/testkit/service/easy-service";
import type { OperatorSite } from "@stile/testkit/service/operator-site";
import { type CommandResult, runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceStore } from "@stile/testkit/service/service-store";
import type { Browser, Page } from "playwright-core";

// Proof of browser, with answers of this machine's browsers: how each lays out scenes, how it is judged (0045).

const READER = readFileSync(join(import.meta.dirname, "../../../packages/widget/dist/read-layout.js"));

let service: RunningService;
let browser: Browser;
/** How `bake` went, and the scenes that it left. */
let baking: CommandResult;
let scenes: readonly BankScene[];
let live: OperatorSite;
let shadow: OperatorSite;
let shop: StrictPage;

/** A release whose visitors disagree with the bank that there was before. */
const FALLEN = { release: "Chromium 99", near: 0, nearShare: 0, low: 40, lowShare: 20 };

const settings = () => ({ STILE_DATA_DIR: service.dataDirectory });

async function withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openServiceStore(service.dataDirectory, "");
  return work(store).finally(() => store.close());
}

/** Restarts the service with a bank of these scenes as if baked an hour ago: all visitors have scenes of it by then. */
async function startWith(bank: readonly BankScene[]): Promise<void> {
  await addScenes(service.dataDirectory, bank);
  await service.kill();
  await service.restart();
}

before(async () => {
  service = await startService({ STILE_LIMIT_CHALLENGE: "1000" });
  live = await addEasySite(service, { name: "Shop", proofOfBrowser: "live" });
  shadow = await addEasySite(service, { name: "Careful shop" });
  await withStore(({ layoutVotes }) => layoutVotes.addVotes([FALLEN], Date.now()));
  baking = await runStile(["bake"], settings());
  assert.equal(baking.code, 0, baking.stderr);
  scenes = (await withStore(({ layoutBanks }) => layoutBanks.listBanks()))[0]?.scenes ?? [];
  await startWith(scenes);
  browser = await launchVisitorBrowser();
  shop = await serveStrictPage({ base: service.baseUrl, attributes: `sitekey="${live.siteKey}"` });
});

after(async () => {
  await browser?.close();
  await shop?.stop();
  await service?.dispose();
});

test("bake asks the browsers of this machine, forgets who fell, and doctor says what there is", async () => {
  assert.equal(baking.stderr, "");
  assert.match(baking.stdout, /Chromium at pixel ratio 1\.1: 2500 of 2500 scenes/);
  assert.match(baking.stdout, /Bank \d+: \d{4} scenes, answered by Chromium/);
  const votes = await withStore(({ layoutVotes }) => layoutVotes.listVotes(Date.now()));
  assert.ok(!votes.some(({ release }) => release === FALLEN.release));
  const { stdout } = await runStile(["doctor"], settings());
  assert.match(stdout, /lay out \d{4} pages, made today and baked by Chromium/);
  assert.match(stdout, /at sites set to Automatic: Shadow: \d+ of 200 visits/);
});

test("where there is no browser, bake says what to do and changes nothing", async () => {
  const none = await runStile(["bake"], { ...settings(), PATH: "/nowhere" });
  assert.equal(none.code, 1);
  assert.match(
    none.stderr,
    /No browser was found that could be asked: install Chromium or Firefox here, make the pages in the dashboard/,
  );
});

type Judged = { readonly score: number; readonly layoutFlags: Readonly<Record<string, boolean>> };
const seen = new Set<string>();

/** The site's next decision that no test has looked at: its score, and its layout flags by whether they count. */
function nextDecision({ siteKey }: OperatorSite): Promise<Judged> {
  return withStore(async ({ decisions }) => {
    for (let tries = 0; tries < 150; tries++) {
      const entries = await decisions.list({ siteKey, limit: 5 });
      const fresh = entries.find((entry) => "contributions" in entry && !seen.has(entry.requestId));
      if (fresh !== undefined && "contributions" in fresh) {
        for (const { requestId } of entries) seen.add(requestId);
        const flags = fresh.contributions.filter(({ flag }) => flag.startsWith("layout_"));
        const layoutFlags = Object.fromEntries(flags.map(({ flag, weight }) => [flag, weight > 0]));
        return { score: fresh.score, layoutFlags };
      }
      await delay(200);
    }
    throw new Error("nothing was judged in 30 seconds");
  });
}

/** Looks at what is there: a visit that was asked for more work after its press has two decisions. */
const lookAtAll = ({ siteKey }: OperatorSite): Promise<void> =>
  withStore(async ({ decisions }) => {
    for (const { requestId } of await decisions.list({ siteKey, limit: 5 })) seen.add(requestId);
  });

/** Visits the strict page through the widget: returns how the visit was judged, and what the page complained about. */
function visit(options: VisitOptions = {}, work = (page: Page) => pressByHand(page, "stile-captcha")) {
  const address = shop.urlOn("localhost");
  const judge = async ({ page, complaints }: PageVisit) => {
    await lookAtAll(live);
    await work(page);
    return { judged: await nextDecision(live), complaints };
  };
  return visitPage(browser, address, judge, options);
}

for (const [guise, options] of Object.entries(GUISES)) {
  test(`a person's Chromium ${guise} lays out what it is asked to, and nothing is made of it`, async () => {
    const { judged, complaints } = await visit(options);
    assert.deepEqual([judged.layoutFlags, complaints], [{}, []]);
  });
}

test("a page that hides the whole widget lays out nothing, which is missing and not wrong", async () => {
  const { judged } = await visit({}, async (page) => {
    await page.locator("stile-captcha").evaluate((widget: HTMLElement) => widget.style.setProperty("display", "none"));
    await pressByHand(page, "input");
  });
  assert.deepEqual(judged.layoutFlags, { layout_missing: true });
  assert.ok(judged.score >= 0.3 && judged.score < 0.6, `score ${judged.score}`);
});

for (const style of ADDED_STYLES) {
  test(`a style that an extension adds to all frames changes no layout: ${style}`, async () => {
    const { judged } = await visit({ prepare: withStyle(style) });
    assert.deepEqual(judged.layoutFlags, {});
  });
}

test("where an extension zooms or moves the whole document, nothing is laid out, which is missing and not wrong", async () => {
  for (const style of ["html{zoom:1.3!important}", "html{transform:scale(.9)!important}"]) {
    const { judged } = await visit({ prepare: withStyle(style) });
    assert.deepEqual(judged.layoutFlags, { layout_missing: true });
  }
});

/** Earns a token without a browser; `layOut` makes up the answers about the scenes. */
function forge(site: OperatorSite, layOut?: (scenes: string) => Uint8Array) {
  const target = { baseUrl: service.baseUrl, siteKey: site.siteKey, origin: "http://localhost" };
  return earnToken({ ...target, ...(layOut && { layOut }) });
}

/** Answers with the bank's number as it came, followed by guesses. */
function guesses(text: string): Uint8Array {
  const version = Number(text.split("\n")[0]);
  return Uint8Array.of(version & 255, version >> 8, ...randomBytes(48));
}

test("who guesses is blocked where it counts (layout_wrong)", async () => {
  await assert.rejects(forge(live, guesses), /blocked/);
  const { score, layoutFlags } = await nextDecision(live);
  assert.deepEqual(layoutFlags, { layout_wrong: true });
  assert.ok(score >= 0.6, `score ${score}`);
});

test("who says nothing of the scenes is asked for a click (layout_missing)", async () => {
  await forge(live).catch(() => {});
  const { score, layoutFlags } = await nextDecision(live);
  assert.deepEqual(layoutFlags, { layout_missing: true });
  assert.ok(score >= 0.3, `score ${score}`);
});

test("on a site in shadow the same is shown and scores as if nothing had been asked", async () => {
  await forge(shadow, guesses);
  const guessed = await nextDecision(shadow);
  assert.deepEqual(guessed.layoutFlags, { layout_wrong: false });
  assert.ok(guessed.score < 0.3, `score ${guessed.score}`);
});

test("answers that are changed after the work are no solution (D9)", async () => {
  const late = await fetch(`${service.baseUrl}/api/v1/pow/challenge?site_key=${live.siteKey}`, {
    headers: { Origin: "http://localhost" },
  });
  const { data } = (await late.json()) as { data: { challenge: string; scenes: string } };
  assert.equal(data.scenes.split("\n").length, 10);
  const answer = await fetch(`${service.baseUrl}/api/v1/verify`, {
    method: "POST",
    headers: { Origin: "http://localhost", "Content-Type": "application/json" },
    body: JSON.stringify({
      site_key: live.siteKey,
      challenge: data.challenge,
      solution: Buffer.alloc(114).toString("base64url"),
      signals: { environment: "" },
    }),
  });
  const refused = (await answer.json()) as { data: { next: string } };
  assert.equal(refused.data.next, "retry");
});

test("any text is answered with 16 bytes a scene, and leaves nothing behind", async () => {
  const lengths = await visitPage(browser, `${service.baseUrl}/frame`, ({ page }) =>
    page.evaluate(async () => {
      const address = "./read-layout.js";
      const { readLayout } = (await import(address)) as { readLayout: (text: string) => Uint8Array };
      const signs = "<>abchrltw0o{}:;.@()\n \\\u0000é";
      const texts = Array.from({ length: 300 }, (_, index) =>
        Array.from({ length: index }, () => signs[Math.floor(Math.random() * signs.length)]).join(""),
      );
      const odd = [">>>>\nh h0 hzz rla rzz\n}}}", "<a<b\n\n", "a\nh00\n", "<a>\nrla\n@import 'x';", "<<<<>"];
      const right = [...texts, ...odd].every((text) => {
        const scene = text.replaceAll("\n", " ");
        return readLayout(text).length >= 2 && readLayout(`1\n${scene}\n${scene}\n${scene}`).length === 18;
      });
      return { right, left: document.body.childElementCount };
    }),
  );
  assert.deepEqual(lengths, { right: true, left: 0 });
});

test("what bake asks is read in a frame as visitors have it: nothing that counts differs in the widget's own frame", async () => {
  const compared = scenes.slice(0, 600);
  // The widget keeps its frame only until there is work to do, or for a limited time; a twin beside it stays.
  const prepare = (page: Page) => page.route("**/api/v1/pow/challenge?**", () => {});
  const read = async ({ page }: PageVisit) => {
    const opened = page.waitForEvent("frameattached");
    await pressByHand(page, "input");
    const twinAttached = opened.then(() => page.waitForEvent("frameattached"));
    await (await (await opened).frameElement()).evaluate((element) => {
      const original = element as HTMLIFrameElement;
      const twin = document.createElement("iframe");
      twin.style.cssText = original.style.cssText;
      twin.src = original.src;
      original.after(twin);
    });
    const frame = await twinAttached;
    await frame.waitForLoadState();
    assert.deepEqual(await frame.evaluate(() => [innerWidth, innerHeight]), [256, 256]);
    return frame.evaluate(
      async (text) => {
        const address = "./read-layout.js";
        const { readLayout } = (await import(address)) as { readLayout: (text: string) => Uint8Array };
        return [...readLayout(text)].slice(2);
      },
      ["0", ...compared.map(({ text }) => text)].join("\n"),
    );
  };
  const visitors = await visitPage(browser, shop.urlOn("localhost"), read, { prepare });
  const wrong = compared.filter(({ answers: { blink } }, nth) => {
    const { reads, kept } = blink ?? assert.fail("Chromium was not asked");
    return [...reads].some((read, at) => (kept >> at) % 2 === 1 && read !== visitors[16 * nth + at]);
  });
  assert.deepEqual([visitors.length, wrong], [16 * 600, []]);
});

test("an answer that is lost on its way to bake, refused as it came, or not heard of again is sent once more", async () => {
  const page = await openBakePage(createScenes(createRandom(102), 60), READER, () => {});
  const lose = async (tab: Page) => {
    await tab.route("**/answers?at=20", (route) => route.abort(), { times: 1 });
    // An empty answer, as from a frame that is not laid out yet.
    await tab.route("**/answers?at=0", (route) => route.continue({ postData: Buffer.of() }), { times: 1 });
    await tab.route("**/answers?at=40", () => {}, { times: 1 });
  };
  assert.equal((await visitPage(browser, page.url, () => page.answered, { prepare: lose })).length, 16 * 60);
  page.close();
});

const hasFirefox = findBrowsers().some(({ engine }) => engine === "gecko");

test("Chromium that claims to be Firefox is told by how it lays out (layout_engine_mismatch)", {
  skip: !hasFirefox,
}, async () => {
  const splitting = scenes.filter(({ answers: { blink, gecko } }) => {
    if (blink === undefined || gecko === undefined) return false;
    const differ = [...blink.reads].filter((value, at) => {
      return ((blink.kept & gecko.kept) >> at) % 2 === 1 && value !== gecko.reads[at];
    });
    return differ.length >= 2;
  });
  assert.ok(splitting.length >= 3, `${splitting.length} scenes`);
  await startWith(splitting);
  const liar = await visit({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0" });
  assert.equal(liar.judged.layoutFlags.layout_engine_mismatch, true);
});

test("an honest one is not, in a small window at ratio 3", async () => {
  const { judged, complaints } = await visit({ viewport: { width: 320, height: 480 }, deviceScaleFactor: 3 });
  assert.deepEqual([judged.layoutFlags, complaints], [{}, []]);
});
