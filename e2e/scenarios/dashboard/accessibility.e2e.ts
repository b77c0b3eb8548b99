import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bringAxe, EVERYTHING, findViolations, type Rules } from "@stile/testkit/browser/axe";
import { type DashboardFixture, load, openDashboard, type Visit } from "@stile/testkit/browser/dashboard";
import { setTestbed, type Testbed } from "@stile/testkit/browser/dashboard-testbed";
import { button, goWithin } from "@stile/testkit/browser/on-page";
import type { Scene } from "@stile/testkit/browser/scene";
import type { Page } from "playwright-core";

/** The only rules that another colour scheme can break: elements and their places are those of the light one. */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] } satisfies Rules;
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 320, height: 800 };

let dashboard: DashboardFixture;
let testbed: Testbed;

before(async () => {
  dashboard = await openDashboard();
  testbed = await setTestbed(dashboard);
});

after(() => dashboard?.dispose());

/** Controls that can't be reached or read: beyond the window where nothing scrolls, or with their text cut off. */
function findHiddenControls(): string[] {
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const controls = [...document.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary")];
  const seen = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }));
  const isCut = (control: HTMLElement): boolean => {
    const { overflowX, overflowY } = getComputedStyle(control);
    const isClipping = overflowX !== "visible" || overflowY !== "visible";
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
    return (
      isClipping &&
      !isText &&
      (control.scrollWidth > control.clientWidth + 1 || control.scrollHeight > control.clientHeight + 1)
    );
  };
  const isOutside = (control: HTMLElement): boolean => {
    const { left, right } = control.getBoundingClientRect();
    return (right > document.documentElement.clientWidth + 1 || left < -1) && !scrolls(control.parentElement);
  };
  return seen
    .filter((control) => isCut(control) || isOutside(control))
    .map((control) => control.outerHTML.slice(0, 200));
}

/** By how much the page is wider than its window, if it is. */
function findOverflow(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll("main *")].filter(
    (part) => part.getBoundingClientRect().right > clientWidth + 1,
  );
  return [`${scrollWidth} px in ${clientWidth} px`, ...wide.slice(0, 3).map((part) => part.outerHTML.slice(0, 160))];
}

/** Tables whose rows are stacked since the window is narrow, and are wider than their box all the same: text is cut off. */
function findCutTables(): string[] {
  return [...document.querySelectorAll(".table-box:has(.data-table)")]
    .filter((box) => getComputedStyle(box.querySelector("tbody") ?? box).display === "block")
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .map((box) => box.outerHTML.slice(0, 200));
}

/** Passwords that a password manager can't tell whose they are: it reads no inputs of the type `hidden`. */
function findNamelessPasswords(): string[] {
  const passwords = [...document.querySelectorAll<HTMLInputElement>("input[autocomplete$=password]")];
  return passwords
    .filter(({ form }) => form?.querySelector("[autocomplete=username]:not([type=hidden])") == null)
    .map((password) => password.outerHTML);
}

/** Scrolls to the top, so that the fixed bar covers nothing, and waits a frame for charts to adapt to their width. */
async function resize(page: Page, viewport: typeof WIDE): Promise<void> {
  await page.setViewportSize(viewport);
  await page.evaluate(async () => {
    scrollTo(0, 0);
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  });
}

async function inspect(page: Page): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = { passwords: await page.evaluate(findNamelessPasswords) };
  for (const [width, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    await resize(page, viewport);
    await page.emulateMedia({ colorScheme: "light" });
    found[`${width}, light`] = await findViolations(page, EVERYTHING);
    await page.emulateMedia({ colorScheme: "dark" });
    found[`${width}, dark`] = await findViolations(page, COLOURS);
    found[`${width}, sideways`] = await page.evaluate(findOverflow);
    found[`${width}, controls`] = await page.evaluate(findHiddenControls);
  }
  await resize(page, WIDE);
  const large = await page.addStyleTag({ content: "html { font-size: 200% !important }" });
  found["large text, sideways"] = await page.evaluate(findOverflow);
  found["large text, controls"] = await page.evaluate(findHiddenControls);
  await large.evaluate((style: Element) => style.remove());
  return found;
}

/** One page per member, which goes from scene to scene: to load it anew takes a sixth of a second of a core. */
const visits = new Map<string, Visit>();

/** Goes on without a page load, by way of a page without the bar above: so that nothing of the last scene is left. */
async function goOn(page: Page, path: string): Promise<void> {
  await goWithin(page, "/dashboard/link");
  await goWithin(page, path);
}

async function open(scene: Scene): Promise<Page> {
  const member = testbed.memberFor(scene);
  const key = member?.userId ?? "nobody";
  const options = { bypassCSP: true, reducedMotion: "reduce", ...(member !== undefined && { as: member }) } as const;
  const known = visits.get(key);
  const visit = known ?? (await dashboard.visit("/healthz", options));
  visits.set(key, visit);
  const { page, context } = visit;
  // A form that was touched asks whether it may be left.
  if (known === undefined) page.on("dialog", (dialog) => dialog.accept());
  await context.setOffline(false);
  await page.emulateMedia({ colorScheme: "light" });
  const isSignedIn = known !== undefined && member !== undefined;
  if (isSignedIn) await goOn(page, scene.path);
  else await load(page, dashboard.origin + scene.path);
  await scene.prepare(page);
  return page;
}

async function look(scene: Scene): Promise<void> {
  const page = await open(scene);
  await bringAxe(page);
  const found = Object.entries(await inspect(page)).filter(([, faults]) => faults.length > 0);
  assert.deepEqual(Object.fromEntries(found), {});
}

const GUARANTEE = "every page and state is without a violation, wide and narrow, light and dark, and with large text";

test(GUARANTEE, async (t) => {
  for (const scene of testbed.scenes) await t.test(scene.name, () => look(scene));
});

test("at 320 px, where rows are stacked, no email of an open invitation is cut off (1.4.10)", async () => {
  const visit = await dashboard.visit("/dashboard/members", { as: "owner", viewport: NARROW });
  const { page } = visit;
  await button(page, "Make an invitation").click();
  await button(page, "Done").click();
  await page.locator("td", { hasText: visit.member?.email ?? "" }).waitFor();
  assert.deepEqual(await page.evaluate(findCutTables), []);
  await visit.close();
});
