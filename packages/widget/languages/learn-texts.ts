import { withinPatience } from "../within-patience.ts";
import { en } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Turns a translation as it was loaded, which may be any value, into texts. */
export const toTexts = (language: string, answer: unknown): Texts => ({
  ...(answer as object),
  language,
});

const fetchTranslation = (base: string, language: string): Promise<Texts | undefined> =>
  fetch(`${base}/languages/${language}.json`, { credentials: "omit" })
    .then(async (response) => (response.ok ? toTexts(language, await response.json()) : undefined))
    .catch(() => undefined);

/** All texts in one of LANGUAGES or in English; undefined if they can't be loaded. */
export const learnTexts = async (base: string, language: string): Promise<Texts | undefined> =>
  language === en.language ? en : withinPatience(fetchTranslation(base, language));
