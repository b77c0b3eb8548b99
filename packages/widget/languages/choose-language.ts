import { SPOKEN } from "@stile/protocol/languages";

export { SPOKEN };

/** All languages besides English; each has its own file in translations/. */
export const LANGUAGES: readonly string[] = /* @__PURE__ */ SPOKEN.slice(1);

function findLanguage(wish: string): string | undefined {
  const find = (tag: string): string | undefined =>
    SPOKEN.find((known) => known.toLowerCase() === tag.toLowerCase());
  const exact = find(wish);
  if (exact) return exact;
  // The available languages that stand in for related tags, as by script.
  if (/^n[no]\b/i.test(wish)) return "nb";
  if (/^zh\b/i.test(wish)) return /-.*(hant|hk|mo|tw)/i.test(wish) ? "zh-TW" : "zh-CN";
  return find(wish.split("-")[0] as string);
}

/**
 * The first wish, of BCP 47 tags or any values, that can be met, if need be without its region;
 * English if none can.
 */
export const chooseLanguage = (wishes: readonly unknown[]): string =>
  wishes.map((wish) => findLanguage(`${wish}`)).find(Boolean) ?? "en";
