/** A letter of a country code. */
type Letter =
  | ("A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "J" | "K" | "L" | "M")
  | ("N" | "O" | "P" | "Q" | "R" | "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z");

/** Two upper-case letters, as of ISO 3166-1: a closed set, whatever a database says. */
export type CountryCode = `${Letter}${Letter}`;

/** The country code that a value from outside is; undefined for anything else. */
export function parseCountryCode(value: unknown): CountryCode | undefined {
  return typeof value === "string" && /^[A-Z]{2}$/.test(value) ? (value as CountryCode) : undefined;
}
