import { isOwners, type WidgetError } from "../machine/widget-error.ts";
import { fieldsOf } from "../untrusted.ts";
import { withinPatience } from "../within-patience.ts";
import { en } from "./en.ts";
import { loadErrorTexts } from "./load-error-texts.ts";
import { tellOwner } from "./tell-owner.ts";
import type { Texts } from "./texts.ts";

/** A translation as it came, to texts. */
export const toTexts = (language: string, answer: unknown): Texts => ({
  ...fieldsOf(answer),
  language,
  rare: undefined,
});

const fetchTranslation = (base: string, language: string): Promise<Texts | undefined> =>
  fetch(`${base}/languages/${language}.json`, { credentials: "omit" })
    .then(async (response) => (response.ok ? toTexts(language, await response.json()) : undefined))
    .catch(() => undefined);

/** All texts in one of LANGUAGES or in English; undefined where they can't be had. */
export const learnTexts = async (base: string, language: string): Promise<Texts | undefined> =>
  language === en.language ? en : withinPatience(fetchTranslation(base, language));

/** English with the words for what goes wrong seldom, told to the page's owner where it is theirs; where they can't be had, the network went wrong. */
export async function learnErrors(base: string, error: WidgetError): Promise<Texts> {
  const more = await withinPatience(loadErrorTexts(base));
  if (more && isOwners(error)) tellOwner(error, more.errorTextOf(error) ?? "");
  return { ...en, rare: (asked) => (more ? more.errorTextOf(asked) : en.unreachable) };
}
