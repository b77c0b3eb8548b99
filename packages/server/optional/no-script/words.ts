import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { html, type Markup } from "../../http/answer/html.ts";
import { chooseLanguage, readWishes } from "./choose-language.ts";
import { ENGLISH, type TextName } from "./texts.ts";

/** The texts of the pages in one language. */
export type Words = {
  /** BCP 47 tag. */
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  /** A text with its placeholders filled: plain texts are escaped, markup is not. */
  readonly say: (name: TextName, ...named: readonly (string | Markup)[]) => Markup;
  /** An amount with its unit, written as the language does. */
  readonly span: (amount: number, unit: "second" | "minute") => string;
};

/**
 * Finds the words for a request. `siteLanguage` is the site's setting, if known: `auto` or a BCP 47
 * tag.
 */
export type FindWords = (request: IncomingMessage, siteLanguage: string | undefined) => Words;

const DIRECTORY = join(import.meta.dirname, "languages");
const RIGHT_TO_LEFT: readonly string[] = ["ar", "fa", "he"];

/**
 * The number formats of a language, each created on first use, because that takes longer than
 * rendering a page.
 */
function createSpan(language: string): Words["span"] {
  const formats = new Map<string, Intl.NumberFormat>();
  return (amount, unit) => {
    const format =
      formats.get(unit) ??
      new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
    formats.set(unit, format);
    return format.format(amount);
  };
}

/** The words of a language, with English for missing texts. */
function createWords(language: string, texts: Readonly<Record<string, string>>): Words {
  return {
    language,
    direction: RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr",
    say: (name, ...named) => {
      // Every other part is the number of a placeholder.
      const parts = (texts[name] ?? ENGLISH[name]).split(/\{(\d)\}/);
      const said = parts.map(
        (part, at) => html`${at % 2 === 0 ? part : (named[Number(part)] ?? "")}`.markup,
      );
      return { markup: said.join("") };
    },
    span: createSpan(language),
  };
}

/**
 * Reads all languages. The site's language is tried first, then the browser's, as in the widget
 * (D18, no JavaScript).
 */
export function loadWords(): FindWords {
  const english = createWords("en", ENGLISH);
  const words = new Map([["en", english]]);
  for (const file of readdirSync(DIRECTORY)) {
    const language = file.replace(/\.json$/, "");
    words.set(
      language,
      createWords(language, JSON.parse(readFileSync(join(DIRECTORY, file), "utf8"))),
    );
  }
  const known = new Map([...words.keys()].map((language) => [language.toLowerCase(), language]));
  return ({ headers }, siteLanguage = "auto") => {
    const language = chooseLanguage(
      [siteLanguage, ...readWishes(headers["accept-language"])],
      known,
    );
    return words.get(language) ?? english;
  };
}
