import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bringAxe, EVERYTHING, findViolations, type Rules } from "@stile/testkit/browser/axe";
import { type DashboardFixture, openDashboard } from "@stile/testkit/browser/dashboard";
import { setTestbed, type Testbed } from "@stile/testkit/browser/dashboard-testbed";
import { findLayoutFaults } from "@stile/testkit/browser/layout-faults";
import { button } from "@stile/testkit/browser/on-page";
import { resize, walkScenes } from "@stile/testkit/browser/scene-walk";
import type { Page } from "playwright-core";

/**
 * The only rules that another colour scheme can break: both schemes have the same elements in the
 * same places.
 */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] } satisfies Rules;
type Scheme = "light" | "dark";
type Schemes = readonly [Scheme, Scheme];
const NARROW = { width: 320, height: 800 };
/** The other widths at which nothing may be cut off, px. */
const WIDTHS = [390, 600, 768, 1024, 1440];

let dashboard: DashboardFixture;
let testbed: Testbed;

before(async () => {
  dashboard = await openDashboard();
  testbed = await setTestbed(dashboard);
});

after(() => dashboard?.dispose());

/**
 * Finds controls that nobody can reach or read: they lie beyond a window that does not scroll, or
 * their text is cut off.
 */
function findHiddenControls(): string[] {
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const controls = [
    ...document.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary"),
  ];
  const seen = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }));
  const isCut = (control: HTMLElement): boolean => {
    const { overflowX, overflowY } = getComputedStyle(control);
    const isClipping = overflowX !== "visible" || overflowY !== "visible";
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
    return (
      isClipping &&
      !isText &&
      (control.scrollWidth > control.clientWidth + 1 ||
        control.scrollHeight > control.clientHeight + 1)
    );
  };
  const isOutside = (control: HTMLElement): boolean => {
    const { left, right } = control.getBoundingClientRect();
    return (
      (right > document.documentElement.clientWidth + 1 || left < -1) &&
      !scrolls(control.parentElement)
    );
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
  return [
    `${scrollWidth} px in ${clientWidth} px`,
    ...wide.slice(0, 3).map((part) => part.outerHTML.slice(0, 160)),
  ];
}

/**
 * Finds tables with stacked rows (in a narrow window) that are wider than their box, so that text
 * is cut off.
 */
function findCutTables(): string[] {
  return [...document.querySelectorAll(".table-box:has(.data-table)")]
    .filter((box) => getComputedStyle(box.querySelector("tbody") ?? box).display === "block")
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .map((box) => box.outerHTML.slice(0, 200));
}

/**
 * Finds password fields without a user name that password managers can read: they skip inputs of
 * type `hidden`.
 */
function findNamelessPasswords(): string[] {
  const passwords = [
    ...document.querySelectorAll<HTMLInputElement>("input[autocomplete$=password]"),
  ];
  return passwords
    .filter(({ form }) => form?.querySelector("[autocomplete=username]:not([type=hidden])") == null)
    .map((password) => password.outerHTML);
}

/**
 * Wide: all of axe's rules in one colour scheme, and the colour rules in the other. Narrow: all
 * rules in that other one. No style depends on both width and scheme. Scenes take turns, so both
 * schemes meet each kind of page when narrow.
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
  await page.evaluate(() =>
    document.documentElement.style.setProperty("font-size", "200%", "important"),
  );
  await findHidden("large text");
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
  await resize(page, NARROW);
  found[`narrow, ${second}`] = await findViolations(page, EVERYTHING);
  await findHidden("narrow");
  found["320 px"] = await findLayoutFaults(page);
  for (const width of WIDTHS) {
    await resize(page, { ...NARROW, width });
    found[`${width} px`] = await findLayoutFaults(page);
  }
  return found;
}

async function look(page: Page, schemes: Schemes): Promise<void> {
  await bringAxe(page);
  const found = Object.entries(await inspect(page, schemes)).filter(
    ([, faults]) => faults.length > 0,
  );
  assert.deepEqual(Object.fromEntries(found), {});
}

const GUARANTEE =
  "every page and state is without a violation and cuts nothing off, from 320 to 1440 px, light and dark, and with large text";

test(GUARANTEE, async (t) => {
  const walk = await walkScenes(dashboard, testbed);
  for (const [nth, scene] of walk.scenes.entries()) {
    const schemes: Schemes = nth % 2 === 0 ? ["light", "dark"] : ["dark", "light"];
    await t.test(scene.name, async () => look(await walk.open(scene, schemes[0]), schemes));
  }
});

test("at 320 px, with stacked rows, no email of an open invitation is cut off (1.4.10)", async () => {
  const visit = await dashboard.visit("/dashboard/members", { as: "owner", viewport: NARROW });
  const { page } = visit;
  await button(page, "Create invitation").click();
  await button(page, "Done").click();
  await page.locator("td", { hasText: visit.member?.email ?? "" }).waitFor();
  assert.deepEqual(await page.evaluate(findCutTables), []);
  await visit.close();
});
