/** Of an `Accept-Language`, in characters: browsers send a tenth of it. */
const MAX_HEADER = 512;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** A wish and how much it is wished for, 0..1; what can't be read is not wished for. */
function toWish(part: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...parameters] = part.split(";").map((text) => text.trim());
  const weight = parameters.length === 0 ? 1 : Number(WEIGHT.exec(parameters[0] ?? "")?.[1] ?? 0);
  return { tag, weight };
}

/** The tags of an `Accept-Language`, dearest wish first (RFC 9110, 12.5.4); what lies beyond its first 512 characters does not count. */
export function readWishes(header: string | undefined): readonly string[] {
  const wishes = (header ?? "").slice(0, MAX_HEADER).split(",").map(toWish);
  return wishes
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** The languages there are that stand for one of which there is none, as by script; as in the widget. */
const STANDS_FOR: readonly (readonly [pattern: RegExp, language: string])[] = [
  [/^(no|nn)\b/i, "nb"],
  [/^zh-.*(hant|hk|mo|tw)/i, "zh-TW"],
  [/^zh\b/i, "zh-CN"],
];

/**
 * The first of the wishes, as BCP 47 tags, that can be met, also by a language without its region: the widget's rule, held to it by a
 * test. `known` are the languages by their tags in lower case. English if none can be met.
 */
export function chooseLanguage(wishes: readonly string[], known: ReadonlyMap<string, string>): string {
  const find = (tag: string): string | undefined => known.get(tag.toLowerCase());
  for (const wish of wishes) {
    const stand = STANDS_FOR.find(([pattern]) => pattern.test(wish))?.[1];
    const found = find(wish) ?? stand ?? find(wish.split("-")[0] ?? "");
    if (found !== undefined) return found;
  }
  return "en";
}
