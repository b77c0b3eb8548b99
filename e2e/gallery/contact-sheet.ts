// `node e2e/gallery/contact-sheet.ts`: takes the guide's pictures of the widget's states, themes,
// sizes, in Chromium.
import { statSync } from "node:fs";
import { join } from "node:path";
import { launchVisitorBrowser } from "@stile/testkit/browser/browser";
import { type Card, contactIn, openGallery, STATES, TONGUES } from "./gallery.ts";

const DIRECTORY = join(import.meta.dirname, "..", "..", "docs", "guide", "images");
/** The largest size of one of the guide's pictures. */
const MAX_BYTES = 150_000;

const STYLE = `
:root { color-scheme: light; --page: #f3f6f4; --words: #4b5750 }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; --page: #101614; --words: #a5b2ab } }
body { margin: 0; background: var(--page); color: var(--words); font: 13px/1.4 system-ui, sans-serif }
h1 { display: none }
main { inline-size: 708px; padding: 28px 24px; box-sizing: border-box }
main > div { display: flex; flex-wrap: wrap; align-items: start; gap: 22px 20px }
figure { display: flex; flex-direction: column; gap: 6px; margin: 0 }
figcaption { order: -1 }
`;

/** The caption of each state in the sheet of states. */
const CAPTIONS: Readonly<Record<string, string>> = {
  idle: "Idle",
  solving: "Working",
  verified: "Verified",
  expired: "Expired while the page was not in use",
  interactive: "Asks for a click",
  limited: "Too many requests",
  unreachable: "Service unreachable",
  "blocked, with the site's contact": "Blocked, with the site's contact",
};

const stateOf = (name: string): Card["state"] => STATES[name] as Card["state"];

const STATES_SHEET: readonly Card[] = Object.entries(CAPTIONS).map(([name, caption]) => {
  return {
    state: stateOf(name),
    caption,
    inside: contactIn(stateOf(name)),
    attributes: { style: "inline-size: 320px" },
  };
});

const OWN = "--stile-accent:#7c3aed;--stile-radius:3px;--stile-font:Georgia,serif;";
const ARABIC = TONGUES.find(({ language }) => language === "ar");
const BLUE =
  "--stile-background:#10243e;--stile-border:#2b4a73;--stile-text:#e6f0ff;--stile-accent:#7cc4ff;--stile-radius:33px";

const LOOKS_SHEET: readonly Card[] = [
  ...["idle", "solving", "verified", "interactive"].map((name, at) => ({
    ...{ state: stateOf(name), attributes: { size: "compact" } },
    caption: at === 0 ? "size=compact" : "\u00a0",
  })),
  ...["idle", "verified"].map((name, at) => ({
    ...{ state: stateOf(name), theme: "contrast", attributes: { style: "inline-size: 320px" } },
    caption: at === 0 ? "theme=contrast" : "\u00a0",
  })),
  ...["idle", "blocked"].map((name, at) => ({
    ...{ ...ARABIC, state: stateOf(name), attributes: { style: "inline-size: 320px" } },
    caption: at === 0 ? "Right to left" : "\u00a0",
  })),
  {
    state: stateOf("verified"),
    theme: "light",
    attributes: { style: `inline-size: 320px;${OWN}` },
    caption: "Your own colours, corners and font",
  },
  {
    state: stateOf("verified"),
    theme: "dark",
    attributes: { style: `inline-size: 320px;${BLUE}` },
    caption: "\u00a0",
  },
  {
    state: stateOf("idle"),
    attributes: { size: "flexible", style: "inline-size: 660px" },
    caption: "size=flexible",
  },
];

const browser = await launchVisitorBrowser();
try {
  for (const colorScheme of ["light", "dark"] as const) {
    const options = {
      colorScheme,
      reducedMotion: "reduce",
      deviceScaleFactor: 1.5,
      viewport: { width: 708, height: 400 },
    } as const;
    const { page, draw, close } = await openGallery(browser, options, STYLE);
    for (const [name, cards] of Object.entries({ states: STATES_SHEET, looks: LOOKS_SHEET })) {
      await draw(cards);
      const path = join(DIRECTORY, `widget-${name}-${colorScheme}.png`);
      await page.locator("main").screenshot({ path });
      const { size } = statSync(path);
      if (size > MAX_BYTES)
        throw new Error(
          `${path} has ${size} bytes; a picture of the guide has ${MAX_BYTES} at most`,
        );
    }
    await close();
  }
} finally {
  await browser.close();
}
