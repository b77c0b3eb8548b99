import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Member } from "@stile/core/domain/account/member";
import { bringAxe, EVERYTHING, findViolations, type Rules } from "@stile/testkit/browser/axe";
import { type DashboardFixture, load, openDashboard, type Visit } from "@stile/testkit/browser/dashboard";
import { setTestbed, type Testbed } from "@stile/testkit/browser/dashboard-testbed";
import { button, goWithin } from "@stile/testkit/browser/on-page";
import type { Scene } from "@stile/testkit/browser/scene";
import type { Page } from "playwright-core";

/** The only rules that another colour scheme can break: elements and their places are those of the light one. */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] } satisfies Rules;
type Scheme = "light" | "dark";
type Schemes = readonly [Scheme, Scheme];
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

/**
 * Wide, all of axe's rules in one colour scheme, and those about colours in the other one; narrow, all in that other one.
 * No style depends on width and scheme together, and both schemes meet each kind of page when narrow: scenes take turns.
 */
async function inspect(page: Page, [first, second]: Schemes): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = { passwords: await page.evaluate(findNamelessPasswords) };
  const findHidden = async (how: string): Promise<void> => {
    found[`${how}, sideways`] = await page.evaluate(findOverflow);
    found[`${how}, controls`] = await page.evaluate(findHiddenControls);
  };
  found[`wide, ${first}`] = await findViolations(page, EVERYTHING);
  await page.emulateMedia({ colorScheme: second });
  found[`wide, ${second}`] = await findViolations(page, COLOURS);
  await findHidden("wide");
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%", "important"));
  await findHidden("large text");
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
  await resize(page, NARROW);
  found[`narrow, ${second}`] = await findViolations(page, EVERYTHING);
  await findHidden("narrow");
  return found;
}

/** The page that goes from scene to scene and from member to member, since to load it anew takes a sixth of a second. */
let visit: Visit;
/** Who is signed in there. */
let shownTo: Member | undefined;

/** Pages without the bar above. */
const BARE = ["/dashboard/link", "/dashboard/sign-in"];

/** Goes on without a page load, by way of a bare page that is neither the last nor the next: nothing of the last is left. */
async function goOn(page: Page, path: string): Promise<void> {
  const { pathname } = new URL(page.url());
  const between = BARE.find((bare) => bare !== pathname && !path.startsWith(bare));
  if (between !== undefined) await goWithin(page, between);
  await goWithin(page, path);
}

async function open(scene: Scene, colorScheme: Scheme): Promise<Page> {
  const member = testbed.memberFor(scene);
  const { page, context } = visit;
  await context.setOffline(false);
  await page.emulateMedia({ colorScheme });
  await resize(page, WIDE);
  if (member === shownTo) await goOn(page, scene.path);
  else {
    if (member !== undefined) await visit.become(member);
    shownTo = member;
    await load(page, dashboard.origin + scene.path);
  }
  await scene.prepare(page);
  return page;
}

async function look(scene: Scene, schemes: Schemes): Promise<void> {
  const page = await open(scene, schemes[0]);
  await bringAxe(page);
  const found = Object.entries(await inspect(page, schemes)).filter(([, faults]) => faults.length > 0);
  assert.deepEqual(Object.fromEntries(found), {});
}

const GUARANTEE = "every page and state is without a violation, wide and narrow, light and dark, and with large text";

test(GUARANTEE, async (t) => {
  visit = await dashboard.visit("/dashboard/sign-in", { bypassCSP: true, reducedMotion: "reduce" });
  // A form that was touched asks whether it may be left.
  visit.page.on("dialog", (dialog) => dialog.accept());
  for (const [, scenes] of Map.groupBy(testbed.scenes, testbed.memberFor)) {
    for (const [nth, scene] of scenes.entries()) {
      await t.test(scene.name, () => look(scene, nth % 2 === 0 ? ["light", "dark"] : ["dark", "light"]));
    }
  }
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
