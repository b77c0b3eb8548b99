import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newVisitor } from "@stile/testkit/browser/browser";
import { LANGUAGES } from "@stile/widget/languages/choose-language";
import { en } from "@stile/widget/languages/en";
import { errorTexts, sayRequestId } from "@stile/widget/languages/error-texts";
import type { Translation } from "@stile/widget/languages/texts";
import type { WidgetErrorName } from "@stile/widget/machine/widget-error";
import type { WidgetState } from "@stile/widget/machine/widget-state";
import type { ServiceChallenge } from "@stile/widget/service/service-challenge";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { build } from "vite";

/** One widget of the gallery: its look and the page around it. */
export type Card = {
  readonly state: WidgetState;
  /** Attributes of the element, such as `size`. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly theme?: string;
  /** HTML that the page's author puts inside the element. */
  readonly inside?: string;
  /** A BCP 47 tag, which needs `translation`; without one: English. */
  readonly language?: string;
  readonly translation?: Translation;
  readonly caption?: string;
};

/** A page that shows only widgets. */
export type Gallery = {
  readonly page: Page;
  readonly draw: (cards: readonly Card[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** In the format of request ids. */
const REQUEST_ID = "0b1f7a52-9c3e-4d1a-8a76-51c0f2a94be3";

const CONTACT = '<a slot="contact" href="mailto:help@shop.example">Write to help@shop.example</a>';

/**
 * A page author's link to the page's owner, inside the element; empty if the state shows the site's
 * own contact.
 */
export const contactIn = (state: WidgetState): string =>
  state.name === "error" && state.error.name === "blocked_by_policy" && state.error.detail
    ? ""
    : CONTACT;

const challenge: ServiceChallenge = {
  ...{
    challenge: "c",
    algorithm: 1,
    k: 16,
    difficulty: 1,
    interaction: "none",
    theme: "auto",
    language: "auto",
  },
  ...{ isInvisible: false, keepsForm: false, earlier: undefined },
};
const working = { isClicked: false, rejections: 0 };
const wrong = (name: WidgetErrorName, detail?: string, requestId?: string): WidgetState => {
  return { name: "error", error: { name, detail, requestId } };
};

/** All looks of the widget by name: each state, and errors of each kind. */
export const STATES: Readonly<Record<string, WidgetState>> = {
  idle: { name: "idle" },
  loading: { name: "loading", ...working },
  solving: { name: "solving", ...working, challenge, found: 9 },
  interactive: { name: "interactive", ...working, challenge, found: 16, work: undefined },
  verifying: { name: "verifying", ...working },
  verified: { name: "verified", token: "t" },
  expired: { name: "expired" },
  unreachable: wrong("network"),
  limited: wrong("rate_limited", "60"),
  "not allowed": wrong(
    "hostname_not_allowed",
    "a-rather-long-name.of-some-department.example.org",
    REQUEST_ID,
  ),
  blocked: wrong("blocked_by_policy", undefined, REQUEST_ID),
  "blocked, with the site's contact": wrong(
    "blocked_by_policy",
    "mailto:help%2Bus@shop.example",
    REQUEST_ID,
  ),
};

/** The translation that the service serves for a language. */
function translationOf(language: string): Translation {
  const path = `../../packages/widget/languages/translations/${language}.json`;
  return JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"));
}

/** A pseudo-locale: English with accents and 40 % longer, as translations often are. */
function pseudoTranslation(): Translation {
  const stretch = (text: string): string => {
    const accented = text.replace(/[aeiou](?![^{]*\})/g, (vowel) => `${vowel}\u0301`);
    return `[${accented} ${"one two three four five six seven eight nine ten "
      .repeat(3)
      .slice(0, text.length * 0.4)
      .trim()}]`;
  };
  const said = {
    ...{
      verify: en.verify,
      checking: en.checking,
      verified: en.verified,
      unverified: en.unverified,
      expired: en.expired,
      retry: en.retry,
    },
    ...{ press: en.press, offline: en.offline },
    ...{ unreachable: en.unreachable, limited: "Too many requests. Try again in {0}." },
    ...{ browser: errorTexts.worker_failed(), rejected: errorTexts.solution_rejected() },
    ...{
      blocked: errorTexts.blocked_by_policy(),
      owner: "The check is not set up right on this page: {0}.",
    },
    requestId: sayRequestId(en, "{0}"),
  };
  return Object.fromEntries(
    Object.entries(said).map(([key, text]) => [key, stretch(text)]),
  ) as Translation;
}

/** Every language except English, and the pseudo-locale. */
export const TONGUES: readonly Pick<Required<Card>, "language" | "translation">[] = [
  ...LANGUAGES.map((language) => ({ language, translation: translationOf(language) })),
  { language: "en-XA", translation: pseudoTranslation() },
];

/** The page's script, built like the widget's own scripts, once for all galleries of a process. */
let drawing: Promise<string> | undefined;

async function buildDrawing(): Promise<string> {
  const built = await build({
    ...{ configFile: false, root: import.meta.dirname, logLevel: "warn" },
    build: {
      ...{ write: false, target: "es2022" },
      rolldownOptions: { input: join(import.meta.dirname, "draw.ts"), output: { format: "iife" } },
    },
  });
  const [script] = "output" in built ? built.output : [];
  if (script?.type !== "chunk") throw new Error("no script was built");
  return script.code;
}

/** Opens a gallery in a window; `style` is the page's own style sheet. */
export async function openGallery(
  browser: Browser,
  options: BrowserContextOptions = {},
  style = "",
): Promise<Gallery> {
  const context = await newVisitor(browser, options);
  const page = await context.newPage();
  const head = `<title>Gallery</title><meta name="viewport" content="width=device-width"><style>${style}</style>`;
  await page.setContent(
    `<!doctype html><html lang="en">${head}<main><h1>Gallery</h1><div></div></main></html>`,
  );
  drawing ??= buildDrawing();
  await page.addScriptTag({ content: await drawing });
  return {
    page,
    draw: (cards) =>
      page.evaluate(
        (given) =>
          (globalThis as unknown as { draw: (cards: readonly Card[]) => void }).draw(given),
        cards,
      ),
    close: () => context.close(),
  };
}
