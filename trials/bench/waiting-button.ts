// `node trials/bench/waiting-button.ts [VISITS]`: how long visitors wait on a page that enables its
// button with the token, and for which step. Nobody else should be using the machine.
import { launchVisitorBrowser, newVisitor, openPage } from "@stile/testkit/browser/browser";
import { serveFormPage } from "@stile/testkit/browser/form-page";
import { moveByHand, pressByHand } from "@stile/testkit/browser/visitor-hand";
import { startService } from "@stile/testkit/service/service";
import type { Browser } from "playwright-core";

/** Moments of a visit, ms after the first touch of the form. */
type Moment = "aimed" | "challenged" | "solved" | "submitted" | "answered" | "enabled";
type Visit = Readonly<Record<Moment, number>>;

/** The text typed before the pointer goes to the button, a key in 120 ms. */
const TYPED = ["ab", "Lovelace", "ada.lovelace@example.org"];
const KEY_MS = 120;
const VISITS = Number(process.argv[2] ?? 15);

/** Notes each moment but those of requests, which the browser notes itself. */
const NOTING = `const moments = (globalThis.moments = {});
const note = (name) => (moments[name] ??= performance.now());
const widget = document.querySelector("stile-captcha");
widget.addEventListener("stile:statechange", ({ detail }) => detail.state === "verifying" && note("solved"));
widget.addEventListener("stile:verified", () => { send.disabled = false; note("enabled"); });
addEventListener("pointerdown", () => note("touched"), true);
addEventListener("pointermove", ({ clientX, clientY }) => {
  const { left, right, top, bottom } = send.getBoundingClientRect();
  if (clientX > left && clientX < right && clientY > top && clientY < bottom) note("aimed");
}, true);`;

async function visitOnce(browser: Browser, url: string, typed: string): Promise<Visit> {
  const context = await newVisitor(browser);
  const { page } = await openPage(context, url);
  await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
  await pressByHand(page, "#name");
  await page.keyboard.type(typed, { delay: KEY_MS });
  await moveByHand(page, "#send");
  await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>("#send")?.disabled);
  const visit = await page.evaluate(() => {
    const request = (path: string) =>
      performance
        .getEntriesByType("resource")
        .find(({ name }) => name.includes(path)) as PerformanceResourceTiming;
    const { touched = 0, ...noted } = (globalThis as unknown as { moments: Record<string, number> })
      .moments;
    const all = {
      ...noted,
      challenged: request("/pow/challenge").responseEnd,
      submitted: request("/api/v1/verify").startTime,
      answered: request("/api/v1/verify").responseEnd,
    };
    return Object.fromEntries(Object.entries(all).map(([name, ms]) => [name, ms - touched]));
  });
  await context.close();
  return visit as Visit;
}

const median = (all: readonly number[]): number =>
  Math.round(all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0);

const [service, browser] = await Promise.all([
  startService({ STILE_LIMIT_CHALLENGE: "1000" }),
  launchVisitorBrowser(),
]);
const shop = await serveFormPage(
  service.baseUrl,
  `<form action="/sent" method="post"><input id="name" name="name"><stile-captcha sitekey="${service.siteKey}"
  style="display:block;min-block-size:66px"></stile-captcha><button id="send" disabled>Send</button></form><script>${NOTING}</script>`,
);
try {
  const rows = [];
  for (const typed of TYPED) {
    const visits: Visit[] = [];
    for (let visit = 0; visit < VISITS; visit++)
      visits.push(await visitOnce(browser, shop.url, typed));
    const at = (moment: Moment): number => median(visits.map((visit) => visit[moment]));
    const waits = visits.map(({ enabled, aimed }) => Math.max(0, enabled - aimed));
    rows.push({
      ...{
        keys: typed.length,
        challenged: at("challenged"),
        solved: at("solved"),
        aimed: at("aimed"),
      },
      ...{
        submitted: at("submitted"),
        answered: at("answered"),
        waited: median(waits),
        longest: Math.round(Math.max(...waits)),
      },
    });
  }
  console.table(rows);
} finally {
  await browser.close();
  await shop.stop();
  await service.dispose();
}
