// The widget before axe, in every state, theme, size and direction, on light and dark devices and in forced colours.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bringAxe, EVERYTHING, findViolations } from "@stile/testkit/browser/axe";
import { launchPageBrowser } from "@stile/testkit/browser/browser";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { type Card, contactIn, type Gallery, openGallery, STATES, TONGUES } from "../gallery/gallery.ts";

let browser: Browser;

before(async () => {
  browser = await launchPageBrowser();
});

after(() => browser?.close());

const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "forced colours": { forcedColors: "active" },
};
const THEMES = ["auto", "light", "dark", "contrast"];
const SIZES = ["normal", "flexible", "compact", "invisible"];
/** From left to right, and from right to left. */
const LANGUAGES = ["en", "ar"];

async function withGallery(options: BrowserContextOptions, use: (gallery: Gallery) => Promise<void>): Promise<void> {
  const gallery = await openGallery(browser, { reducedMotion: "reduce", ...options });
  try {
    await bringAxe(gallery.page);
    await use(gallery);
  } finally {
    await gallery.close();
  }
}

const cardsOf = (language: string, theme: string, size: string): Card[] =>
  Object.values(STATES).map((state) => ({
    ...TONGUES.find((tongue) => tongue.language === language),
    ...{ state, theme, attributes: { size }, inside: contactIn(state) },
  }));

for (const [device, options] of Object.entries(DEVICES)) {
  test(`axe finds nothing in any state, theme, size and direction: ${device}`, async () => {
    await withGallery(options, async ({ page, draw }) => {
      for (const language of LANGUAGES) {
        for (const theme of THEMES) {
          await draw(SIZES.flatMap((size) => cardsOf(language, theme, size)));
          assert.deepEqual(await findViolations(page, EVERYTHING), [], `${language}, ${theme}`);
        }
      }
    });
  });
}

test("axe sees colours that a page chose badly, so that finding nothing means something", async () => {
  await withGallery({}, async ({ page, draw }) => {
    await draw([{ state: STATES.idle as Card["state"], attributes: { style: "--stile-text: #bbb" } }]);
    assert.match((await findViolations(page, EVERYTHING)).join(), /color-contrast/);
  });
});

test("what can be pressed has at least 24 px in each direction (2.5.8)", async () => {
  await withGallery({}, async ({ page, draw }) => {
    await draw(SIZES.flatMap((size) => cardsOf("en", "auto", size)));
    const small = await page.locator("stile-captcha").evaluateAll((widgets) =>
      widgets.flatMap((widget) => {
        const pressed = [
          widget.shadowRoot?.querySelector("button"),
          widget.shadowRoot?.querySelector("a") ?? widget.shadowRoot?.querySelector("slot:not([hidden])"),
        ];
        return pressed.flatMap((one) => {
          const { width, height } = one?.getBoundingClientRect() ?? { width: 24, height: 24 };
          return width < 24 || height < 24 ? [`${one?.localName} ${width} x ${height}`] : [];
        });
      }),
    );
    assert.deepEqual(small, []);
  });
});
