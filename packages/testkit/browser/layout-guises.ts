import type { BrowserContextOptions, Page } from "playwright-core";

/** Honest Chromiums of many kinds, which lay out alike. */
export const GUISES: Readonly<Record<string, BrowserContextOptions>> = {
  "at ratio 1": { reducedMotion: "no-preference" },
  "at ratio 1.25, zoomed, in the dark": {
    deviceScaleFactor: 1.25,
    colorScheme: "dark",
    reducedMotion: "no-preference",
  },
  "at ratio 1.1 with forced colours and less motion": {
    deviceScaleFactor: 1.1,
    forcedColors: "active",
    reducedMotion: "reduce",
  },
};

/** Adds a style to all frames of the visit before their scripts run, past their policy, as extensions do. */
export const withStyle = (style: string) => (page: Page) =>
  page.addInitScript((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    if (window !== parent) document.adoptedStyleSheets = [sheet];
  }, style);

/** Styles for all frames that leave a document where it is and as large. */
export const ADDED_STYLES: readonly string[] = [
  "body{position:relative;margin:20px}",
  "body{filter:invert(1)}",
  "html{direction:rtl;writing-mode:vertical-rl}",
  "html,body{pointer-events:none!important}",
  "div{display:none!important;zoom:2!important}",
  "*{line-height:2!important;letter-spacing:.2em!important;direction:rtl!important}",
];
