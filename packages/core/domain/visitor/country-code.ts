/** A letter of a country code. */
type Letter =
  | ("A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "J" | "K" | "L" | "M")
  | ("N" | "O" | "P" | "Q" | "R" | "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z");

/** Two upper-case letters, as in ISO 3166-1. The set is closed, whatever a database contains. */
export type CountryCode = `${Letter}${Letter}`;

/** A value from outside as a country code; undefined if it is none. */
export function parseCountryCode(value: unknown): CountryCode | undefined {
  return typeof value === "string" && /^[A-Z]{2}$/.test(value) ? (value as CountryCode) : undefined;
}
