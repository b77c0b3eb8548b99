// The parts of the widget's looks that a page and a visitor may choose, in a real browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchPageBrowser } from "@stile/testkit/browser/browser";
import { codeBlocks, readText } from "@stile/testkit/service/samples";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Card, type Gallery, openGallery, STATES } from "../../gallery/gallery.ts";

const GUIDE = readText("docs/guide/looks.md");
const THEMES = ["auto", "light", "dark", "contrast"];

let browser: Browser;

before(async () => {
  browser = await launchPageBrowser();
});

after(() => browser?.close());

type Shown = { readonly style?: string; readonly options?: BrowserContextOptions };

/** Opens a gallery that draws one set of cards after another. */
async function show(
  { style, options }: Shown,
  use: (gallery: Gallery) => Promise<void>,
): Promise<void> {
  const gallery = await openGallery(browser, options, style);
  try {
    await use(gallery);
  } finally {
    await gallery.close();
  }
}

/** Every state in a theme. */
const statesIn = (theme: string): Card[] =>
  Object.values(STATES).map((state) => ({ state, theme }));

/** The value of a style property, for that part of each widget. */
function stylesOf(page: Page, part: string, property: string): Promise<string[]> {
  return page
    .locator(`stile-captcha ${part}`)
    .evaluateAll(
      (parts, name) => parts.map((one) => getComputedStyle(one).getPropertyValue(name)),
      property,
    );
}

const stylesOnce = async (page: Page, part: string, property: string): Promise<string[]> => [
  ...new Set(await stylesOf(page, part, property)),
];

const PURPLE = `body { --stile-accent: rgb(91, 33, 182); --stile-background: rgb(250, 245, 255); --stile-text: rgb(40, 0, 80);
  --stile-border: rgb(150, 100, 200); --stile-radius: 3px; --stile-font: monospace }`;
/** The place where each of the guide's properties shows, and its value. */
const SEEN: readonly (readonly [property: string, part: string, style: string, value: string])[] = [
  ["--stile-accent", "[data-sign=done] .sign", "color", "rgb(91, 33, 182)"],
  ["--stile-accent", "[data-sign=busy] .arc", "stroke", "rgb(91, 33, 182)"],
  ["--stile-background", ".box", "background-color", "rgb(250, 245, 255)"],
  ["--stile-background", "[data-sign=done] .tick", "stroke", "rgb(250, 245, 255)"],
  ["--stile-text", ".label", "color", "rgb(40, 0, 80)"],
  ["--stile-text", ".brand", "color", "rgb(40, 0, 80)"],
  ["--stile-text", ".id", "color", "rgb(40, 0, 80)"],
  ["--stile-text", "[data-sign=ask] .sign", "color", "rgb(40, 0, 80)"],
  ["--stile-border", ".box", "border-top-color", "rgb(150, 100, 200)"],
  ["--stile-radius", ".box", "border-top-left-radius", "3px"],
  ["--stile-font", ".label", "font-family", "monospace"],
];
const COLOURS = SEEN.filter(([, , , value]) => value.startsWith("rgb"));

test("the page's custom properties apply in themes light and dark, and the guide names them all", async () => {
  const named = [...GUIDE.matchAll(/^\| `(--stile-[a-z]+)`/gm)].map(([, name]) => name);
  assert.deepEqual(named, [...new Set(SEEN.map(([property]) => property))]);
  await show({ style: PURPLE }, async ({ page, draw }) => {
    for (const theme of ["auto", "light", "dark"]) {
      await draw(statesIn(theme));
      for (const [property, part, style, value] of SEEN) {
        assert.deepEqual(
          await stylesOnce(page, part, style),
          [value],
          `${theme}: ${property} of ${part}`,
        );
      }
    }
  });
});

test("the guide's sample works as described", async () => {
  const sample = codeBlocks(GUIDE).find(({ code }) => code.includes("--stile-accent"));
  const style = sample?.code.replace(/<\/?style>/g, "") ?? "";
  await show({ style }, async ({ page, draw }) => {
    await draw(statesIn("auto"));
    assert.deepEqual(await stylesOnce(page, "[data-sign=done] .sign", "color"), [
      "rgb(91, 33, 182)",
    ]);
    assert.deepEqual(await stylesOnce(page, ".box", "border-top-left-radius"), ["4px"]);
    assert.deepEqual(await stylesOnce(page, ".label", "font-family"), ["Inter, sans-serif"]);
  });
});

test("theme contrast and forced colours ignore the page's colours, but keep its shape and font", async () => {
  await show({ style: PURPLE }, async ({ page, draw }) => {
    for (const [theme, forcedColors] of [
      ["contrast", "none"],
      ["auto", "active"],
      ["contrast", "active"],
    ] as const) {
      await page.emulateMedia({ forcedColors });
      await draw(statesIn(theme));
      for (const [property, part, style, value] of COLOURS) {
        const seen = await stylesOnce(page, part, style);
        assert.ok(
          !seen.includes(value),
          `${theme}, forced ${forcedColors}: ${property} of ${part}`,
        );
      }
      assert.deepEqual(await stylesOnce(page, ".box", "border-top-left-radius"), ["3px"]);
      assert.deepEqual(await stylesOnce(page, ".label", "font-family"), ["monospace"]);
    }
  });
});

test("in forced colours every drawn part has a colour of the visitor's palette, in every theme", async () => {
  await show({ options: { forcedColors: "active" } }, async ({ page, draw }) => {
    const [text, accent] = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.forcedColorAdjust = "none";
      return ["CanvasText", "Highlight"].map((name) => {
        probe.style.color = name;
        return getComputedStyle(probe).color;
      });
    });
    for (const theme of THEMES) {
      await draw(statesIn(theme));
      for (const sign of ["ask", "busy", "done", "wrong"]) {
        const expected = sign === "done" ? accent : text;
        assert.deepEqual(
          await stylesOnce(page, `[data-sign=${sign}] .sign`, "color"),
          [expected],
          `${theme}: ${sign}`,
        );
      }
    }
  });
});

test("every part that the guide names can be styled from the page", async () => {
  const parts =
    /`stile-captcha::part\(box\)`: ([^.]*)/.exec(GUIDE)?.[1]?.match(/(?<=`)[a-z]+(?=`)/g) ?? [];
  assert.deepEqual(parts, ["box", "button", "sign", "label", "brand", "contact", "status", "id"]);
  const style = parts
    .map((part) => `stile-captcha::part(${part}) { letter-spacing: 7px }`)
    .join("\n");
  await show({ style }, async ({ page, draw }) => {
    await draw([{ state: STATES.blocked as Card["state"] }]);
    for (const part of parts)
      assert.deepEqual(await stylesOnce(page, `.${part}`, "letter-spacing"), ["7px"], part);
  });
});

test("no theme changes the height, so the page reserves the right space for each", async () => {
  await show({}, async ({ page, draw }) => {
    for (const theme of THEMES) {
      await draw(
        ["idle", "solving", "verified"].map((name) => ({
          state: STATES[name] as Card["state"],
          theme,
        })),
      );
      assert.deepEqual(await stylesOnce(page, ".box", "height"), ["66px"], theme);
    }
  });
});

test("text grows with the visitor's own size, and does not shrink on pages with a small root font", async () => {
  await show({}, async ({ page, draw }) => {
    await draw(statesIn("auto"));
    for (const [size, expected] of [
      ["62.5%", "15px"],
      ["100%", "15px"],
      ["200%", "30px"],
    ] as const) {
      await page.addStyleTag({ content: `html { font-size: ${size} }` });
      assert.deepEqual(await stylesOnce(page, ".label", "font-size"), [expected]);
    }
  });
});

test("nothing moves for visitors who prefer reduced motion, and the ring turns for others", async () => {
  await show({}, async ({ page, draw }) => {
    const countMoving = (): Promise<number> =>
      page
        .locator("stile-captcha .box")
        .evaluateAll(
          (boxes) => boxes.flatMap((box) => box.getAnimations({ subtree: true })).length,
        );
    await draw(statesIn("auto"));
    assert.equal(await countMoving(), 0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    assert.ok((await countMoving()) >= 3);
  });
});

test("the owner's contact is shown with lasting errors, and with nothing else", async () => {
  const names = Object.keys(STATES);
  const inside = /<a slot="contact".*<\/a>/.exec(GUIDE)?.[0] ?? "";
  await show({}, async ({ page, draw }) => {
    await draw(
      names.map((caption) => ({ state: STATES[caption] as Card["state"], caption, inside })),
    );
    const seen = await page
      .locator("a[slot=contact]")
      .evaluateAll((links) =>
        links.map((link) => link.checkVisibility() && link.getBoundingClientRect().height > 0),
      );
    assert.deepEqual(
      names.filter((_name, at) => seen[at]),
      ["not allowed", "blocked", "blocked, with the site's contact"],
    );
    const [link] = await page.locator("figure", { hasText: "blocked" }).locator("a").all();
    assert.equal(
      await link?.evaluate((it) => getComputedStyle(it).color),
      (await stylesOnce(page, ".label", "color"))[0],
    );
  });
});
