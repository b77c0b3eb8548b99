import assert from "node:assert/strict";
import type { JSHandle, Locator, Page } from "playwright-core";
import { type Stop, startWalk, type TabWalk, type View } from "./tab-walk.ts";

/** A way to operate a page, for journeys that run with more than one. */
export type InputMethod = {
  readonly name: string;
  /** Follows a link, presses a button, ticks a box, selects a radio button. */
  readonly press: (target: Locator) => Promise<void>;
  /** Replaces the text of a field. */
  readonly write: (field: Locator, text: string) => Promise<void>;
  /** Selects an option of a native select, by its label. */
  readonly choose: (field: Locator, label: string) => Promise<void>;
};

/** The pointer, and a keyboard only for text. */
export const mouse: InputMethod = {
  name: "by mouse",
  press: (target) => target.click(),
  write: async (field, text) => {
    await field.click();
    await field.fill(text);
  },
  choose: async (field, label) => {
    await field.selectOption({ label });
  },
};

/** No page has more tab stops than this; a target not reached by then never is. */
const MAX_STOPS = 150;

/**
 * Markup of stops already found to have a role and a name: asking is slow, and each walk passes
 * most of them again. It is kept from page to page: the role and name of a stop come from its
 * markup alone.
 */
const named = new Set<string>();

/** Asserts that a stop has a role and a name, and was visibly focused. */
async function assertStop(page: Page, stop: Stop): Promise<void> {
  const { kind, faults, markup, path } = stop;
  // After the last stop the focus moves to the browser's own controls.
  if (kind === "page") return;
  // Words with digits in them, such as ids and names of synthetic members, count as equal.
  const known = markup.replace(/\w*\d\w*/g, "0");
  if (named.has(known) && faults.length === 0) return;
  const said = await page.locator(path).ariaSnapshot();
  const [line = ""] = said.split("\n");
  // The summary of a details element has no role in ARIA; its name is its text.
  const expected = kind === "summary" ? /^- text: \S/ : /^- '?\w+ "[^"]/;
  assert.match(line, expected, "a stop has a role and a name");
  assert.deepEqual(faults, [], line);
  named.add(known);
}

/** The position after tabbing. */
type Arrival = { readonly walk: JSHandle<TabWalk>; readonly stop: Stop };

type Watched = { readonly walk: JSHandle<TabWalk>; readonly view: View };

/** Watches the focus relative to the target. */
async function watch(target: Locator): Promise<Watched> {
  const walk = await target.evaluateHandle(startWalk);
  return { walk, view: await walk.evaluate((walk) => walk.look()) };
}

/** Holds Tab down until the focus has moved as often as that. */
async function holdTab({ keyboard }: Page, moves: number): Promise<void> {
  await Promise.all(Array.from({ length: moves }, () => keyboard.down("Tab")));
  await keyboard.up("Tab");
}

/**
 * Tabs until the focus is on the target, or on the stop of its group. It holds Tab down for as many
 * stops as there seem to be on the way, and the page records each of them: asking it after each
 * costs more than everything else.
 */
export async function tabTo(target: Locator): Promise<Arrival> {
  const page = target.page();
  let { walk, view } = await watch(target);
  // A place where a page or a dialog puts the focus automatically is no stop, unless it is the
  // target.
  if (view.stop.place !== "elsewhere") await assertStop(page, view.stop);
  for (let moves = 0; view.stop.place === "elsewhere"; ) {
    const { ahead } = view;
    moves += ahead;
    assert.ok(moves < MAX_STOPS, `no way to it by keyboard: ${target}`);
    await holdTab(page, ahead);
    view = await walk.evaluate((walk) => walk.look());
    assert.equal(view.passed.length, ahead, "the page saw each Tab");
    for (const stop of [...view.passed.slice(1), view.stop]) await assertStop(page, stop);
    if (!view.isThere) ({ walk, view } = await watch(target));
  }
  return { walk, stop: view.stop };
}

/** Asserts that the focus comes full circle without having been on the target. */
export async function assertNoWayByKeys(target: Locator): Promise<void> {
  const page = target.page();
  const { walk } = await watch(target);
  const start = await page.evaluateHandle(() => document.activeElement);
  const isBack = () => start.evaluate((element) => element === document.activeElement);
  for (let stops = 0; stops === 0 || !(await isBack()); stops++) {
    assert.ok(stops < MAX_STOPS, "the focus never comes back");
    await holdTab(page, 1);
    assert.equal((await walk.evaluate((walk) => walk.look())).stop.place, "elsewhere");
  }
}

async function pressByKeys(target: Locator): Promise<void> {
  const { keyboard } = target.page();
  const { walk, stop: first } = await tabTo(target);
  let stop = first;
  for (let moves = 0; stop.place === "group"; moves++) {
    assert.ok(moves < 12, `the arrow keys don't lead to ${target}`);
    await keyboard.press("ArrowDown");
    ({ stop } = await walk.evaluate((walk) => walk.look()));
  }
  await keyboard.press(stop.key);
}

async function writeByKeys(field: Locator, text: string): Promise<void> {
  await tabTo(field);
  const { keyboard } = field.page();
  await keyboard.press("ControlOrMeta+A");
  await keyboard.type(text);
}

async function chooseByKeys(field: Locator, label: string): Promise<void> {
  await tabTo(field);
  const { keyboard } = field.page();
  const chosen = () =>
    field.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label);
  await keyboard.press("Home");
  for (let moves = 0; (await chosen()) !== label; moves++) {
    assert.ok(moves < 20, `${field} has no option ${label}`);
    await keyboard.press("ArrowDown");
  }
}

/** The keyboard alone: at each tab stop the role, name and ring are checked. */
export const keyboard: InputMethod = {
  name: "by keyboard",
  press: pressByKeys,
  write: writeByKeys,
  choose: chooseByKeys,
};
