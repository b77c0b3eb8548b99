/** The properties of anything: none of what is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A text as it may travel: printable ASCII, at most `max` characters; everything else becomes a question mark. */
export function clip(text: unknown, max: number): string {
  return typeof text === "string" ? text.slice(0, max).replace(/[^\x20-\x7e]/g, "?") : "";
}

/** A number within bounds, or null. */
export function numberOr(value: unknown, min: number, max: number): number | null {
  return typeof value === "number" && value >= min && value <= max ? value : null;
}
