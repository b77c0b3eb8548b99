import { SPOKEN } from "@stile/protocol/languages";

export { SPOKEN };

/** All languages except English; each has its own file in translations/. */
export const LANGUAGES: readonly string[] = /* @__PURE__ */ SPOKEN.slice(1);

function findLanguage(wish: string): string | undefined {
  const find = (tag: string): string | undefined =>
    SPOKEN.find((known) => known.toLowerCase() === tag.toLowerCase());
  const exact = find(wish);
  if (exact) return exact;
  // The available languages that serve related tags, as by script.
  if (/^n[no]\b/i.test(wish)) return "nb";
  if (/^zh\b/i.test(wish)) return /-.*(hant|hk|mo|tw)/i.test(wish) ? "zh-TW" : "zh-CN";
  return find(wish.split("-")[0] as string);
}

/**
 * The first preference, of BCP 47 tags or any values, that is available, if need be without its
 * region; English if none is.
 */
export const chooseLanguage = (wishes: readonly unknown[]): string =>
  wishes.map((wish) => findLanguage(`${wish}`)).find(Boolean) ?? "en";
