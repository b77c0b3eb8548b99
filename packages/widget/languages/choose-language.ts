/** All languages that the widget speaks. */
export const SPOKEN: readonly string[] = (
  "en ar bg ca cs da de el es et fa fi fr ga he hi hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr uk vi " +
  "zh-CN zh-TW"
).split(" ");

/** Those besides English, each with a file of its own in translations/. */
export const LANGUAGES: readonly string[] = /* @__PURE__ */ SPOKEN.slice(1);

/** The languages there are that stand for one of which there is none, as by script. */
const STANDS_FOR: readonly (readonly [pattern: RegExp, language: string])[] = [
  [/^(no|nn)\b/i, "nb"],
  [/^zh-.*(hant|hk|mo|tw)/i, "zh-TW"],
  [/^zh\b/i, "zh-CN"],
];

function findLanguage(wish: string): string | undefined {
  const find = (tag: string): string | undefined => SPOKEN.find((known) => known.toLowerCase() === tag.toLowerCase());
  return find(wish) ?? STANDS_FOR.find(([pattern]) => pattern.test(wish))?.[1] ?? find(wish.split("-")[0] ?? "");
}

/** The first of the wishes, as BCP 47 tags, that can be met, also by a language without its region; English if none can. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): string {
  for (const wish of wishes) {
    const found = wish && findLanguage(wish);
    if (found) return found;
  }
  return "en";
}
