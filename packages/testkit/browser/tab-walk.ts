/**
 * The focused element: its position relative to a target (a group of radio buttons has one stop for
 * all), how the focus is shown, and the markup that gives its role and name.
 */
export type Stop = {
  readonly place: "here" | "group" | "elsewhere";
  readonly kind: "page" | "summary" | "control";
  readonly faults: readonly string[];
  readonly markup: string;
  /** Leads to it as a selector does. */
  readonly path: string;
  /** The key that presses or ticks it. */
  readonly key: "Enter" | "Space";
};

/** The focus, and how it came there. */
export type View = {
  readonly stop: Stop;
  /** The stops at each Tab since the last look. */
  readonly passed: readonly Stop[];
  /** How many times to press Tab for the target, as far as the markup shows; at least once. */
  readonly ahead: number;
  /** Whether the page still has the target. */
  readonly isThere: boolean;
};

/** Watches the focus until it reaches the target or a look finds the target gone. */
export type TabWalk = { readonly look: () => View };

/**
 * Runs in the page, without the test. It inspects each stop before the next Tab: it must be drawn
 * as focused, within the window, and not be covered.
 */
export function startWalk(target: Element): TabWalk {
  const nowhere = {
    place: "elsewhere",
    kind: "page",
    faults: [],
    markup: "",
    path: "html",
    key: "Enter",
  } as const;

  const isOfGroup = (element: Element): element is HTMLInputElement =>
    element instanceof HTMLInputElement &&
    target instanceof HTMLInputElement &&
    target.type === "radio" &&
    element.name === target.name &&
    element.form === target.form;

  const hasRing = (candidate: Element): boolean => {
    const { opacity, outlineStyle, outlineWidth } = getComputedStyle(candidate);
    return opacity !== "0" && outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  };

  const findFaults = (element: Element): string[] => {
    const faults: string[] = [];
    if (!element.matches(":focus-visible")) faults.push("is not :focus-visible");
    // The ring of a control that is drawn by its label or its chart is there.
    let ring: Element | null = element;
    for (let steps = 0; ring !== null && !hasRing(ring); steps++)
      ring = steps < 3 ? ring.parentElement : null;
    if (ring === null) return [...faults, "has no ring"];
    const { left, top, right, bottom } = ring.getBoundingClientRect();
    const isInside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    if (!isInside) return [...faults, "is outside the window"];
    const [first, last] = [Math.max(top, 0) + 2, Math.min(bottom, innerHeight) - 2];
    const [start, end] = [Math.max(left, 0) + 2, Math.min(right, innerWidth) - 2];
    const isSeen = [first, (first + last) / 2, last].some((y) =>
      [start, (start + end) / 2, end].some((x) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && (ring.contains(hit) || hit.contains(ring));
      }),
    );
    return isSeen ? faults : [...faults, "is covered"];
  };

  const markupOf = (element: Element): string => {
    const { labels } = element as Partial<HTMLInputElement>;
    const ids = element.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
    const sources = [element, ...(labels ?? []), ...ids.map((id) => document.getElementById(id))];
    const isHidden = element.closest("[aria-hidden=true]") !== null;
    return `${isHidden} ${sources.map((source) => source?.outerHTML).join(" ")}`;
  };

  const pathOf = (element: Element): string => {
    const parent = element.parentElement;
    if (parent === null) return "html";
    return `${pathOf(parent)} > :nth-child(${1 + [...parent.children].indexOf(element)})`;
  };

  const readStop = (): Stop => {
    const element = document.activeElement;
    if (element === null || element === document.body) return nowhere;
    const { type } = element as Partial<HTMLInputElement>;
    return {
      place: element === target ? "here" : isOfGroup(element) ? "group" : "elsewhere",
      kind: element.tagName === "SUMMARY" ? "summary" : "control",
      faults: findFaults(element),
      markup: markupOf(element),
      path: pathOf(element),
      key: type === "radio" || type === "checkbox" ? "Space" : "Enter",
    };
  };

  const isStop = (element: HTMLElement): boolean => {
    const { type, checked } = element as Partial<HTMLInputElement>;
    if (type === "radio" && checked !== true) return false;
    return (
      element.tabIndex >= 0 &&
      !element.matches(":disabled") &&
      element.checkVisibility({ visibilityProperty: true })
    );
  };

  const countAhead = (): number => {
    const place: ParentNode = target.closest("dialog") ?? document;
    const all = [
      ...place.querySelectorAll<HTMLElement>(
        "a, button, input, select, textarea, summary, [tabindex]",
      ),
    ];
    const goal = all.find((element) => isOfGroup(element) && element.checked) ?? target;
    const stops = all.filter(
      (element) => element === goal || element === document.activeElement || isStop(element),
    );
    const at = (element: Element | null) => (stops as (Element | null)[]).indexOf(element);
    const [from, to] = [at(document.activeElement), at(goal)];
    return to > from ? to - from : stops.length - from + to;
  };

  let passed: Stop[] = [];
  const note = ({ key }: KeyboardEvent): void => {
    if (key === "Tab") passed.push(readStop());
  };
  addEventListener("keydown", note, true);

  return {
    look: () => {
      const stop = readStop();
      const isThere = target.isConnected;
      if (stop.place !== "elsewhere" || !isThere) removeEventListener("keydown", note, true);
      const view = { stop, passed, ahead: countAhead(), isThere };
      passed = [];
      return view;
    },
  };
}
