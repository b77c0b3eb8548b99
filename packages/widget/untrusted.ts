/** The properties of anything: none of what is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A text as it may travel: printable ASCII, at most `max` characters; everything else becomes a question mark. */
export const printable = (text: string, max: number): string => text.slice(0, max).replace(/[^\x20-\x7e]/g, "?");

/** The same of anything: empty where it is no text. */
export const clip = (value: unknown, max: number): string => (typeof value === "string" ? printable(value, max) : "");

/** A text of that pattern; undefined for anything else. */
export const textLike = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === "string" && pattern.test(value) ? value : undefined;

/** A number within bounds, or null. */
export function numberOr(value: unknown, min: number, max: number): number | null {
  return typeof value === "number" && value >= min && value <= max ? value : null;
}
