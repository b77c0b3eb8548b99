/** How many characters of an `Accept-Language` are read; browsers send a tenth of that. */
const MAX_HEADER = 512;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** A language and its weight, 0..1; an unreadable weight counts as 0. */
function toWish(part: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...parameters] = part.split(";").map((text) => text.trim());
  const weight = parameters.length === 0 ? 1 : Number(WEIGHT.exec(parameters[0] ?? "")?.[1] ?? 0);
  return { tag, weight };
}

/**
 * The tags of an `Accept-Language`, most preferred first (RFC 9110, 12.5.4). Only its first 512
 * characters are read.
 */
export function readWishes(header: string | undefined): readonly string[] {
  const wishes = (header ?? "").slice(0, MAX_HEADER).split(",").map(toWish);
  return wishes
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/**
 * Replacements for languages that are not available, for example by script. They are the same as in
 * the widget.
 */
const STANDS_FOR: readonly (readonly [pattern: RegExp, language: string])[] = [
  [/^(no|nn)\b/i, "nb"],
  [/^zh-.*(hant|hk|mo|tw)/i, "zh-TW"],
  [/^zh\b/i, "zh-CN"],
];

/**
 * The first preferred language (BCP 47 tags) that is available, perhaps without its region, else
 * English. This is the widget's rule; a test compares the two. `known` maps tags in lower case to
 * the available languages.
 */
export function chooseLanguage(
  wishes: readonly string[],
  known: ReadonlyMap<string, string>,
): string {
  const find = (tag: string): string | undefined => known.get(tag.toLowerCase());
  for (const wish of wishes) {
    const stand = STANDS_FOR.find(([pattern]) => pattern.test(wish))?.[1];
    const found = find(wish) ?? stand ?? find(wish.split("-")[0] ?? "");
    if (found !== undefined) return found;
  }
  return "en";
}
