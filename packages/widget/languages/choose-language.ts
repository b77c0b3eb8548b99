import { SPOKEN } from "@stile/protocol/languages";

export { SPOKEN };

/** Those besides English, each with a file of its own in translations/. */
export const LANGUAGES: readonly string[] = /* @__PURE__ */ SPOKEN.slice(1);

function findLanguage(wish: string): string | undefined {
  const find = (tag: string): string | undefined => SPOKEN.find((known) => known.toLowerCase() === tag.toLowerCase());
  const exact = find(wish);
  if (exact) return exact;
  // The languages there are that stand for one of which there is none, as by script.
  if (/^n[no]\b/i.test(wish)) return "nb";
  if (/^zh\b/i.test(wish)) return /-.*(hant|hk|mo|tw)/i.test(wish) ? "zh-TW" : "zh-CN";
  return find(wish.split("-")[0] as string);
}

/** The first of the wishes, as BCP 47 tags or anything, that can be met, also by a language without its region; English if none can. */
export const chooseLanguage = (wishes: readonly unknown[]): string =>
  wishes.map((wish) => findLanguage(`${wish}`)).find(Boolean) ?? "en";
