/** The properties of any value; no properties if it is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/**
 * Text that can be sent: printable ASCII, at most `max` characters; everything else becomes a
 * question mark.
 */
export const printable = (text: string, max: number): string =>
  text.slice(0, max).replace(/[^\x20-\x7e]/g, "?");

/** The same for any value: empty if it is not a text. */
export const clip = (value: unknown, max: number): string =>
  typeof value === "string" ? printable(value, max) : "";

/** A text that matches the pattern; undefined for anything else. */
export const textLike = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === "string" && pattern.test(value) ? value : undefined;

/** A number within bounds, or null. */
export function numberOr(value: unknown, min: number, max: number): number | null {
  return typeof value === "number" && value >= min && value <= max ? value : null;
}
