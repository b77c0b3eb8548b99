/**
 * Whether it is an empty text. JSON encoders of Go, C# and Java write one for a field without a
 * value.
 */
export function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

/**
 * The first of these texts that has a value. Absent, null and empty are the same (D2, redemption).
 */
export function firstGiven(...texts: readonly (string | null | undefined)[]): string | undefined {
  return texts.find((text) => !isBlank(text ?? "")) ?? undefined;
}
