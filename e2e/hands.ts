import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";

/** How somebody works a page. Every journey is walked with each pair of hands. */
export type Hands = {
  readonly name: string;
  /** Follows a link, presses a button, ticks a box, takes a radio button. */
  readonly press: (target: Locator) => Promise<void>;
  /** Replaces the text of a field. */
  readonly write: (field: Locator, text: string) => Promise<void>;
  /** Takes an option of a native select, by its label. */
  readonly choose: (field: Locator, label: string) => Promise<void>;
};

/** The pointer, and a keyboard for text alone. */
export const mouse: Hands = {
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

/** No page has more stops than this; who does not get there by then, never does. */
const MAX_STOPS = 150;

/** A place the focus came to: what is wrong with how it shows itself. */
type Stop = { readonly isPage: boolean; readonly faults: readonly string[] };

/** Looks at the element with the focus: it must be drawn as focused, within the window, and not be covered. */
function readStop(): Stop {
  const element = document.activeElement;
  if (element === null || element === document.body) return { isPage: true, faults: [] };
  const faults: string[] = [];
  if (!element.matches(":focus-visible")) faults.push("is not :focus-visible");
  let ring: Element | null = element;
  const hasRing = (candidate: Element): boolean => {
    const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  };
  // A control that is drawn by its label or its chart has its ring there.
  for (let steps = 0; ring !== null && !hasRing(ring); steps++) ring = steps < 3 ? ring.parentElement : null;
  if (ring === null) return { isPage: false, faults: [...faults, "has no ring"] };
  const { left, top, right, bottom } = ring.getBoundingClientRect();
  const isInside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  if (!isInside) faults.push("is outside the window");
  const [first, last] = [Math.max(top, 0) + 2, Math.min(bottom, innerHeight) - 2];
  const [start, end] = [Math.max(left, 0) + 2, Math.min(right, innerWidth) - 2];
  const isSeen = [first, (first + last) / 2, last].some((y) =>
    [start, (start + end) / 2, end].some((x) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (ring.contains(hit) || hit.contains(ring));
    }),
  );
  if (isInside && !isSeen) faults.push("is covered");
  return { isPage: false, faults };
}

/** Where the focus is, seen from the target: a group of radio buttons has one stop for all. */
function placeOf(target: Element): "here" | "group" | "elsewhere" {
  const active = document.activeElement;
  if (active === target) return "here";
  const isRadio = target instanceof HTMLInputElement && target.type === "radio";
  const isGroup = isRadio && active instanceof HTMLInputElement && active.name === target.name;
  return isGroup && active.form === target.form ? "group" : "elsewhere";
}

/** Asserts that the place the focus is at says what it is, and shows that it is there. */
async function assertStop(page: Page): Promise<void> {
  const { isPage, faults } = await page.evaluate(readStop);
  // Past the last stop the focus leaves for the browser's own controls.
  if (isPage) return;
  const said = await page.locator("*:focus").ariaSnapshot();
  const [line = ""] = said.split("\n");
  assert.match(line, /^- '?\w+ "[^"]/, "a stop has a role and a name");
  assert.deepEqual(faults, [], line);
}

/** Tabs until the focus is on the target, or on the stop of its group. */
async function tabTo(target: Locator): Promise<"here" | "group"> {
  await target.waitFor({ state: "attached" });
  const page = target.page();
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    const place = await target.evaluate(placeOf);
    if (place !== "elsewhere") {
      await assertStop(page);
      return place;
    }
    if (stops > 0) await assertStop(page);
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way to it by keyboard: ${target}`);
}

async function pressByKeys(target: Locator): Promise<void> {
  const page = target.page();
  const isGroup = (await tabTo(target)) === "group";
  for (let moves = 0; isGroup && (await target.evaluate(placeOf)) === "group"; moves++) {
    assert.ok(moves < 12, `the arrow keys don't lead to ${target}`);
    await page.keyboard.press("ArrowDown");
  }
  const type = await target.evaluate((element) => (element instanceof HTMLInputElement ? element.type : ""));
  await page.keyboard.press(type === "radio" || type === "checkbox" ? "Space" : "Enter");
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
  const chosen = () => field.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label);
  await keyboard.press("Home");
  for (let moves = 0; (await chosen()) !== label; moves++) {
    assert.ok(moves < 20, `${field} has no option ${label}`);
    await keyboard.press("ArrowDown");
  }
}

/** The keyboard alone: at each stop of the focus its role, its name and its ring are looked at. */
export const keyboard: Hands = {
  name: "by keyboard",
  press: pressByKeys,
  write: writeByKeys,
  choose: chooseByKeys,
};
