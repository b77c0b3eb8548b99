import { withinPatience } from "../within-patience.ts";
import { en } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Turns a loaded translation, which may be any value, into texts. */
export const toTexts = (language: string, answer: unknown): Texts => ({
  ...(answer as object),
  language,
});

async function fetchTranslation(base: string, language: string): Promise<Texts | undefined> {
  const response = await fetch(`${base}/languages/${language}.json`, { credentials: "omit" });
  return response.ok ? toTexts(language, await response.json()) : undefined;
}

/** All texts in one of LANGUAGES or in English; undefined if they can't be loaded. */
export const loadTexts = async (base: string, language: string): Promise<Texts | undefined> =>
  language === en.language ? en : withinPatience(fetchTranslation(base, language));
