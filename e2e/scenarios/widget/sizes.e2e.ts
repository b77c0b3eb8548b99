// The widget's sizes: their space, the fit of every language, and the space that a page can
// reserve.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchPageBrowser } from "@stile/testkit/browser/browser";
import { watchLateWidget } from "@stile/testkit/browser/late-widget";
import { codeBlocks, readText } from "@stile/testkit/service/samples";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Card, contactIn, openGallery, STATES, TONGUES } from "../../gallery/gallery.ts";

const SIZES = ["normal", "flexible", "compact"] as const;
/** Width and height at rest, CSS pixels; the flexible size is as wide as its column. */
const MEASURES = { normal: [300, 66], compact: [150, 140] } as const;
const COLUMN =
  "h1 { display: none } body { margin: 10px } figure { margin: 0 0 10px } figcaption { font-size: 12px }";
const NARROW = { width: 320, height: 640 };
/** States that ask nothing of the visitor. */
const RESTING = ["idle", "loading", "solving", "verifying", "verified", "expired"];

let browser: Browser;
let service: RunningService;

before(async () => {
  [browser, service] = await Promise.all([launchPageBrowser(), startService()]);
});

after(async () => {
  await browser?.close();
  await service?.dispose();
});

/** Opens a gallery that shows one set of cards after another. */
async function show(
  lots: readonly (readonly Card[])[],
  use: (page: Page, lot: readonly Card[]) => Promise<void>,
  { style = COLUMN, ...options }: BrowserContextOptions & { readonly style?: string } = {},
): Promise<void> {
  const gallery = await openGallery(
    browser,
    { viewport: NARROW, reducedMotion: "reduce", ...options },
    style,
  );
  try {
    for (const cards of lots) {
      await gallery.draw(cards);
      await use(gallery.page, cards);
    }
  } finally {
    await gallery.close();
  }
}

/** One state in every language. */
const inTongues = (name: string, attributes: Record<string, string>): Card[] =>
  ["en", ...TONGUES].map((tongue) => ({
    ...(typeof tongue === "string" ? {} : tongue),
    ...{
      state: STATES[name] as Card["state"],
      attributes,
      caption: name,
      inside: contactIn(STATES[name] as Card["state"]),
    },
  }));

/**
 * Runs in the page: finds elements that stick out of their widget, cover the brand, or make the
 * page scroll sideways.
 */
function findMisfits(): string[] {
  const misfits: string[] = [];
  for (const widget of document.querySelectorAll("stile-captcha")) {
    const box = widget.shadowRoot?.querySelector(".box");
    if (!box) continue;
    const bounds = box.getBoundingClientRect();
    const brand = box.querySelector(".brand")?.getBoundingClientRect();
    const complain = (part: string): number =>
      misfits.push(
        `${box.getAttribute("lang")} ${widget.getAttribute("size")} ${widget.parentElement?.textContent}: ${part}`,
      );
    for (const name of ["label", "status", "sign", "brand", "id", "contact", "status a"]) {
      const part = box.querySelector(`.${name}`);
      if (!part?.checkVisibility() || part.classList.contains("unseen")) continue;
      if (part instanceof HTMLSlotElement && part.assignedElements().length === 0) continue;
      const range = document.createRange();
      range.selectNodeContents(
        part instanceof HTMLSlotElement ? (part.assignedElements()[0] ?? part) : part,
      );
      const { left, right, top, bottom } =
        name === "sign" ? part.getBoundingClientRect() : range.getBoundingClientRect();
      if (left < bounds.left || right > bounds.right || top < bounds.top || bottom > bounds.bottom)
        complain(name);
      const isCovering =
        brand &&
        left < brand.right &&
        right > brand.left &&
        top < brand.bottom &&
        bottom > brand.top;
      if (name !== "brand" && isCovering) complain(`${name} under the brand`);
    }
    if (box.scrollWidth > box.clientWidth) complain("it scrolls");
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) misfits.push(`the page has ${scrollWidth} px in ${clientWidth}`);
  return misfits;
}

test("at rest each size takes the space that the guide documents, in every language and the pseudo-locale", async () => {
  const lots = Object.keys(MEASURES).flatMap((size) =>
    RESTING.map((name) => inTongues(name, { size })),
  );
  await show(lots, async (page, [first]) => {
    const size = first?.attributes?.size as keyof typeof MEASURES;
    const [width, height] = MEASURES[size];
    const boxes = await page
      .locator("stile-captcha .box")
      .evaluateAll((found) =>
        found.map(
          (box) => `${box.getAttribute("lang")} ${box.clientWidth + 2} x ${box.clientHeight + 2}`,
        ),
      );
    const others = boxes.filter((box) => !box.endsWith(` ${width} x ${height}`));
    assert.deepEqual(others, [], `${size} ${first?.caption}`);
    assert.equal(boxes.length, TONGUES.length + 1);
  });
});

test("in every state every language and the pseudo-locale fit into every size", async () => {
  const lots = SIZES.flatMap((size) =>
    Object.keys(STATES).map((name) => inTongues(name, { size })),
  );
  await show(lots, async (page) => assert.deepEqual(await page.evaluate(findMisfits), []));
});

test("at 320 px (400% zoom) and with text of up to four times the size nothing sticks out, in any state (1.4.4, 1.4.10)", async () => {
  const isHard = ({ language = "en" }: Card): boolean =>
    ["de", "ar", "en", "en-XA"].includes(language);
  const lots = SIZES.map((size) =>
    Object.keys(STATES).flatMap((name) => inTongues(name, { size }).filter(isHard)),
  );
  for (const text of ["200%", "400%"]) {
    const style = `${COLUMN} html { font-size: ${text} }`;
    await show(lots, async (page) => assert.deepEqual(await page.evaluate(findMisfits), [], text), {
      style,
    });
  }
});

test("the flexible size fills its column, and the others keep their width, even if only they size the column", async () => {
  const cards = ["normal", "flexible", "compact", "invisible"].map((size) => ({
    state: STATES.idle as Card["state"],
    attributes: { size },
  }));
  const widths = (page: Page): Promise<number[]> =>
    page
      .locator("stile-captcha .box")
      .evaluateAll((found) => found.map((box) => box.getBoundingClientRect().width));
  const viewport = { width: 620, height: 400 };
  await show([cards], async (page) => assert.deepEqual(await widths(page), [300, 600, 150, 300]), {
    viewport,
  });
  const style = "figure { inline-size: fit-content; margin: 0 }";
  await show(
    [cards],
    async (page) => {
      const [normal, , compact, invisible] = await widths(page);
      assert.deepEqual([normal, compact, invisible], [300, 150, 300]);
    },
    { viewport, style },
  );
  const narrow = "figure { inline-size: 120px; margin: 0 }";
  await show([cards], async (page) => assert.deepEqual(await widths(page), [120, 120, 120, 120]), {
    style: narrow,
  });
  // A grid, whose columns stay as wide as their widest content that cannot shrink.
  const grid = "main > div { display: grid; inline-size: 160px } figure { margin: 0 }";
  await show([cards], async (page) => assert.deepEqual(await widths(page), [160, 160, 150, 160]), {
    style: grid,
  });
});

test("with the guide's style sheet the late script moves nothing, in any size (CLS 0.000)", async () => {
  const reserve =
    codeBlocks(readText("docs/guide/looks.md")).find(({ code }) => code.includes(":not(:defined)"))
      ?.code ?? "";
  assert.match(reserve, /^<style>/);
  const heights = { normal: 66, flexible: 66, compact: 140, invisible: 0 };
  for (const [size, height] of Object.entries(heights)) {
    const body = `<form><input><stile-captcha sitekey="${service.siteKey}" size="${size}"></stile-captcha><button>Send</button></form>`;
    const late = await watchLateWidget(browser, service.baseUrl, reserve, body);
    assert.deepEqual(late, { shift: 0, heights: [height, height] }, size);
  }
});
