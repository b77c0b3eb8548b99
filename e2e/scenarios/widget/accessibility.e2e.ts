// axe checks the widget in every state, theme, size and direction, on light and dark devices and in
// forced colours.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readAccessibility } from "@stile/testkit/browser/accessibility-tree";
import { bringAxe, EVERYTHING, findViolations } from "@stile/testkit/browser/axe";
import { launchPageBrowser } from "@stile/testkit/browser/browser";
import type { Browser } from "playwright-core";
import {
  type Card,
  contactIn,
  type Gallery,
  openGallery,
  STATES,
  TONGUES,
} from "../../gallery/gallery.ts";

let browser: Browser;
let gallery: Gallery;

before(async () => {
  browser = await launchPageBrowser();
  gallery = await openGallery(browser);
  await bringAxe(gallery.page);
});

after(() => browser?.close());

type Device = { readonly colorScheme: "light" | "dark"; readonly forcedColors: "none" | "active" };

const DEVICES: Readonly<Record<string, Device>> = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  "forced colours": { colorScheme: "light", forcedColors: "active" },
};
const THEMES = ["auto", "light", "dark", "contrast"];
const SIZES = ["normal", "flexible", "compact", "invisible"];
/** One from left to right, and one from right to left. */
const LANGUAGES = ["en", "ar"] as const;

const cardsOf = (language: string, theme: string, size: string): Card[] =>
  Object.values(STATES).map((state) => ({
    ...TONGUES.find((tongue) => tongue.language === language),
    ...{ state, theme, attributes: { size }, inside: contactIn(state) },
  }));

for (const [nth, [device, media]] of Object.entries(DEVICES).entries()) {
  test(`axe finds nothing in any state, theme, size and direction: ${device}`, async () => {
    const { page, draw } = gallery;
    await page.emulateMedia(media);
    for (const [at, theme] of THEMES.entries()) {
      // Device and theme choose colours, a direction only positions. Each colour meets both
      // directions.
      const language = LANGUAGES[(nth + at) % 2] ?? assert.fail();
      await draw(SIZES.flatMap((size) => cardsOf(language, theme, size)));
      assert.deepEqual(await findViolations(page, EVERYTHING), [], `${language}, ${theme}`);
    }
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  });
}

const REGION = "status live=polite atomic=true";
const ID = '  StaticText "Request ID: 0b1f7a52-9c3e-4d1a-8a76-51c0f2a94be3"';
const CHECKING = ['button "Checking…" disabled=true', REGION];
const CONTACT = 'link "Write to help@shop.example" url=mailto:help@shop.example';
const REFUSED =
  '  StaticText "This visit could not be verified. If you are human, send the site owner this ID."';

/** The accessibility tree of each state. */
const HEARD: Readonly<Record<keyof typeof STATES, readonly string[]>> = {
  idle: ['button "Verify you are human"', REGION],
  loading: CHECKING,
  solving: CHECKING,
  interactive: [
    'button "Verify you are human"',
    REGION,
    '  StaticText "Please press “Verify you are human”."',
  ],
  verifying: CHECKING,
  verified: ['button "Verified" disabled=true', REGION, '  StaticText "Verified"'],
  expired: ['button "Expired. Verify again"', REGION],
  unreachable: [
    'button "Try again"',
    REGION,
    '  StaticText "The check is unavailable right now. It retries automatically."',
  ],
  limited: [
    'button "Try again"',
    REGION,
    '  StaticText "Too many requests. Try again in 60 seconds."',
  ],
  "not allowed": [
    'button "Not verified"',
    REGION,
    '  StaticText "This site key is not allowed on a-rather-long-name.of-some-department.example.org. The site owner must add it to the site\'s domains."',
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

test("a screen reader gets, in each state, one named button and a region with the current message", async () => {
  const { page, draw } = gallery;
  await draw(Object.values(STATES).map((state) => ({ state, inside: contactIn(state) })));
  const trees = await readAccessibility(await page.context().newCDPSession(page), "figure");
  assert.deepEqual(
    Object.fromEntries(Object.keys(STATES).map((name, at) => [name, trees[at]])),
    HEARD,
  );
});

test("axe finds bad colours that a page sets, so a run without findings proves something", async () => {
  const { page, draw } = gallery;
  await draw([
    { state: STATES.idle as Card["state"], attributes: { style: "--stile-text: #bbb" } },
  ]);
  assert.match((await findViolations(page, EVERYTHING)).join(), /color-contrast/);
});

test("every target for a press has at least 24 px in each direction (2.5.8)", async () => {
  const { page, draw } = gallery;
  await draw(SIZES.flatMap((size) => cardsOf("en", "auto", size)));
  const small = await page.locator("stile-captcha").evaluateAll((widgets) =>
    widgets.flatMap((widget) => {
      const pressed = [
        widget.shadowRoot?.querySelector("button"),
        widget.shadowRoot?.querySelector("a") ??
          widget.shadowRoot?.querySelector("slot:not([hidden])"),
      ];
      return pressed.flatMap((one) => {
        const { width, height } = one?.getBoundingClientRect() ?? { width: 24, height: 24 };
        return width < 24 || height < 24 ? [`${one?.localName} ${width} x ${height}`] : [];
      });
    }),
  );
  assert.deepEqual(small, []);
});
