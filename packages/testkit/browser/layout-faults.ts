import type { Page } from "playwright-core";

/**
 * Finds parts of a page that are cut off, or tiles that leave cells empty. Each fault names the
 * element and the pixels. A place may scroll sideways if shadows at its ends show that to the
 * visitor (`background-attachment`). A chart draws itself again one moment after its box changed, so
 * only faults that last for five seconds count.
 */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  const giveUpAt = Date.now() + 5000;
  while (true) {
    const faults = await page.evaluate(findInPage);
    if (faults.length === 0 || Date.now() > giveUpAt) return faults;
    await page.waitForTimeout(100);
  }
}

function findInPage(): string[] {
  const windowWidth = document.documentElement.clientWidth;
  const nameOf = (element: Element): string => element.outerHTML.slice(0, 120);
  const styleOf = (element: Element): CSSStyleDeclaration => getComputedStyle(element);
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest("svg, .unseen, .skip, thead") === null &&
    element.getBoundingClientRect().width > 0;
  const clips = (element: Element): boolean => styleOf(element).overflowX !== "visible";
  const isClipped = (element: Element): boolean =>
    element.parentElement !== null &&
    (clips(element.parentElement) || isClipped(element.parentElement));
  const isPainted = (element: Element): boolean =>
    styleOf(element).backgroundColor !== "rgba(0, 0, 0, 0)";
  const saysSo = (element: Element): boolean => {
    const { overflowX, textOverflow, backgroundAttachment } = styleOf(element);
    if (textOverflow === "ellipsis") return true;
    return /auto|scroll/.test(overflowX) && backgroundAttachment.includes("local");
  };

  const findOutside = (element: Element): string[] => {
    const { left, right } = element.getBoundingClientRect();
    if ((left >= -1 && right <= windowWidth + 1) || isClipped(element)) return [];
    return [
      `from ${Math.round(left)} to ${Math.round(right)} of ${windowWidth} px: ${nameOf(element)}`,
    ];
  };
  const findCut = (element: Element): string[] => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    if (!clips(element) || element.matches("input, select, textarea") || saysSo(element)) return [];
    const isShort =
      /hidden|clip/.test(styleOf(element).overflowY) && scrollHeight > clientHeight + 1;
    if (scrollWidth <= clientWidth + 1 && !isShort) return [];
    return [
      `${scrollWidth} x ${scrollHeight} px in ${clientWidth} x ${clientHeight}: ${nameOf(element)}`,
    ];
  };
  const findEmptyCells = (element: Element): string[] => {
    const tiles = [...element.children];
    const isTiled =
      /grid|flex/.test(styleOf(element).display) && isPainted(element) && tiles.length > 1;
    if (!isTiled || !tiles.every(isPainted)) return [];
    const covered = tiles.reduce((sum, tile) => {
      const { width, height } = tile.getBoundingClientRect();
      return sum + width * height;
    }, 0);
    const share = covered / (element.clientWidth * element.clientHeight);
    return share > 0.95 ? [] : [`tiles cover ${Math.round(share * 100)}%: ${nameOf(element)}`];
  };
  return [...document.querySelectorAll("body *")]
    .filter(isSeen)
    .flatMap((element) => [
      ...findOutside(element),
      ...findCut(element),
      ...findEmptyCells(element),
    ]);
}
