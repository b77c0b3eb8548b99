// axe checks the widget in every state, theme, size and direction, on light and dark devices and in forced colours.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readAccessibility } from "@stile/testkit/browser/accessibility-tree";
import { bringAxe, EVERYTHING, findViolations } from "@stile/testkit/browser/axe";
import { launchPageBrowser } from "@stile/testkit/browser/browser";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { type Card, contactIn, type Gallery, openGallery, STATES, TONGUES } from "../../gallery/gallery.ts";

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
/** One from left to right, and one from right to left. */
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

const REGION = "status live=polite atomic=true";
const ID = '  StaticText "Request id: 0b1f7a52-9c3e-4d1a-8a76-51c0f2a94be3"';
const CHECKING = ['button "Checking…" disabled=true', REGION];
const CONTACT = 'link "Write to help@shop.example" url=mailto:help@shop.example';
const REFUSED = '  StaticText "This visit could not be verified. If you are human, give the page\'s owner this id."';

/** The accessibility tree of each state. */
const HEARD: Readonly<Record<keyof typeof STATES, readonly string[]>> = {
  idle: ['button "Verify you are human"', REGION],
  loading: CHECKING,
  solving: CHECKING,
  interactive: ['button "Verify you are human"', REGION, '  StaticText "Please press “Verify you are human”."'],
  verifying: CHECKING,
  verified: ['button "Verified" disabled=true', REGION, '  StaticText "Verified"'],
  expired: ['button "Expired. Verify again"', REGION],
  unreachable: [
    'button "Try again"',
    REGION,
    '  StaticText "The check can\'t be reached right now. It tries again by itself."',
  ],
  limited: ['button "Try again"', REGION, '  StaticText "Too many requests. Try again in 60 seconds."'],
  "not allowed": [
    'button "Not verified"',
    REGION,
    "  StaticText \"This site key is not allowed on a-rather-long-name.of-some-department.example.org. The page's owner has to add it to the site's domains.\"",
    ID,
    CONTACT,
  ],
  blocked: ['button "Not verified"', REGION, REFUSED, ID, CONTACT],
  "blocked, with the site's contact": [
    'button "Not verified"',
    REGION,
    REFUSED,
    ID,
    '  link "help+us@shop.example" url=mailto:help%2Bus@shop.example',
  ],
};

test("what a screen reader is handed in each state: one button by its name, and a region that says what there is to say", async () => {
  await withGallery({}, async ({ page, draw }) => {
    await draw(Object.values(STATES).map((state) => ({ state, inside: contactIn(state) })));
    const trees = await readAccessibility(await page.context().newCDPSession(page), "figure");
    assert.deepEqual(Object.fromEntries(Object.keys(STATES).map((name, at) => [name, trees[at]])), HEARD);
  });
});

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
