import assert from "node:assert/strict";
import type { ElementHandle, Locator, Page } from "playwright-core";

/** How somebody operates a page. Every journey is walked with each input method. */
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
 * Where the focus is: relative to a target (a group of radio buttons has one stop for all), how it is shown, and the
 * markup that gives its role and name.
 */
type Stop = {
  readonly place: "here" | "group" | "elsewhere";
  readonly kind: "page" | "summary" | "control";
  readonly faults: readonly string[];
  readonly markup: string;
};

/**
 * Inspects the focused element: it must be drawn as focused, within the window, and not be covered. Undefined if the
 * page no longer has the target.
 */
function readStop(target: Element): Stop | undefined {
  if (!target.isConnected) return undefined;
  const element = document.activeElement;
  if (element === null || element === document.body)
    return { place: "elsewhere", kind: "page", faults: [], markup: "" };
  const isRadio = element instanceof HTMLInputElement && target instanceof HTMLInputElement && target.type === "radio";
  const isGroup = isRadio && element.name === target.name && element.form === target.form;
  const place = element === target ? "here" : isGroup ? "group" : "elsewhere";
  const kind = element.tagName === "SUMMARY" ? "summary" : "control";
  const { labels } = element as Partial<HTMLInputElement>;
  const ids = element.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
  const sources = [element, ...(labels ?? []), ...ids.map((id) => document.getElementById(id))];
  const isHidden = element.closest("[aria-hidden=true]") !== null;
  const stop = { place, kind, markup: `${isHidden} ${sources.map((source) => source?.outerHTML).join(" ")}` } as const;
  const faults: string[] = [];
  if (!element.matches(":focus-visible")) faults.push("is not :focus-visible");
  const hasRing = (candidate: Element): boolean => {
    const { opacity, outlineStyle, outlineWidth } = getComputedStyle(candidate);
    return opacity !== "0" && outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  };
  // The ring of a control that is drawn by its label or its chart is there.
  let ring: Element | null = element;
  for (let steps = 0; ring !== null && !hasRing(ring); steps++) ring = steps < 3 ? ring.parentElement : null;
  if (ring === null) return { ...stop, faults: [...faults, "has no ring"] };
  const { left, top, right, bottom } = ring.getBoundingClientRect();
  const isInside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  if (!isInside) return { ...stop, faults: [...faults, "is outside the window"] };
  const [first, last] = [Math.max(top, 0) + 2, Math.min(bottom, innerHeight) - 2];
  const [start, end] = [Math.max(left, 0) + 2, Math.min(right, innerWidth) - 2];
  const isSeen = [first, (first + last) / 2, last].some((y) =>
    [start, (start + end) / 2, end].some((x) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (ring.contains(hit) || hit.contains(ring));
    }),
  );
  return { ...stop, faults: isSeen ? faults : [...faults, "is covered"] };
}

/**
 * Markup of stops already found to have a role and a name: asking is slow, and each walk passes most of them again. It
 * is kept from page to page: the role and name of a stop come from its markup alone.
 */
const named = new Set<string>();

/** Asserts that the focused stop has a role and a name, and is visibly focused. */
async function assertStop(page: Page, { kind, faults, markup }: Stop): Promise<void> {
  // After the last stop the focus moves to the browser's own controls.
  if (kind === "page") return;
  if (named.has(markup) && faults.length === 0) return;
  const said = await page.locator("*:focus").ariaSnapshot();
  const [line = ""] = said.split("\n");
  // The summary of a details element has no role in ARIA; its name is its text.
  const expected = kind === "summary" ? /^- text: \S/ : /^- '?\w+ "[^"]/;
  assert.match(line, expected, "a stop has a role and a name");
  assert.deepEqual(faults, [], line);
  named.add(markup);
}

/**
 * Returns a function that inspects the focus relative to the target, which is looked up only once, since that is slow.
 */
function lookFrom(target: Locator): () => Promise<Stop> {
  let found: ElementHandle<Element> | undefined;
  return async () => {
    for (;;) {
      found ??= (await target.elementHandle()) as ElementHandle<Element>;
      const stop = await found.evaluate(readStop);
      if (stop !== undefined) return stop;
      found = undefined;
    }
  };
}

/** Tabs until the focus is on the target, or on the stop of its group. */
export async function tabTo(target: Locator): Promise<"here" | "group"> {
  const page = target.page();
  const look = lookFrom(target);
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    const stop = await look();
    // Where a page or a dialog puts the focus by itself is not a stop, unless it is the target.
    if (stops > 0 || stop.place !== "elsewhere") await assertStop(page, stop);
    if (stop.place !== "elsewhere") return stop.place;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way to it by keyboard: ${target}`);
}

/** Asserts that the focus comes full circle without having been on the target. */
export async function assertNoWayByKeys(target: Locator): Promise<void> {
  const page = target.page();
  const look = lookFrom(target);
  const start = await page.evaluateHandle(() => document.activeElement);
  const isBack = () => start.evaluate((element) => element === document.activeElement);
  for (let stops = 0; stops === 0 || !(await isBack()); stops++) {
    assert.ok(stops < MAX_STOPS, "the focus never comes back");
    await page.keyboard.press("Tab");
    assert.equal((await look()).place, "elsewhere");
  }
}

async function pressByKeys(target: Locator): Promise<void> {
  const page = target.page();
  if ((await tabTo(target)) === "group") {
    const look = lookFrom(target);
    for (let moves = 0; (await look()).place === "group"; moves++) {
      assert.ok(moves < 12, `the arrow keys don't lead to ${target}`);
      await page.keyboard.press("ArrowDown");
    }
  }
  // The target has the focus; to look it up by its role once more takes as long as two stops.
  const type = await page.evaluate(() => (document.activeElement as Partial<HTMLInputElement> | null)?.type);
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

/** The keyboard alone: at each tab stop the role, name and ring are checked. */
export const keyboard: InputMethod = {
  name: "by keyboard",
  press: pressByKeys,
  write: writeByKeys,
  choose: chooseByKeys,
};
