import fc from "fast-check";

/** Code points that UTF-8 can't encode on their own. */
const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Any character, as a text. fast-check's own list of them takes a second to build, in each process.
 */
export const anyCharacter = fc.nat({ max: LAST_CODE_POINT - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count),
  (text) => {
    const codePoint = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (codePoint === undefined || String.fromCodePoint(codePoint) !== text)
      throw new Error("is no character");
    return codePoint < SURROGATES.first ? codePoint : codePoint - SURROGATES.count;
  },
);

/** Text of any characters, including names that have a meaning in JavaScript (`__proto__`). */
export function anyText(
  constraints: { readonly minLength?: number; readonly maxLength?: number } = {},
) {
  return fc.string({ ...constraints, unit: anyCharacter });
}
