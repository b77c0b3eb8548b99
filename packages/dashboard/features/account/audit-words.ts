import { AUDIT } from "./text.ts";

/** Longest text of a value shown in the log; audit entries may carry 50 domains. */
const LONGEST = 200;

/** The value of a changed field in words. */
export function toWords(value: unknown): string {
  const text = spell(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function spell(value: unknown): string {
  if (value === null || value === undefined || value === "") return AUDIT.nothing;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? AUDIT.nothing : value.map(spell).join(", ");
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, part]) => `${name} ${spell(part)}`)
      .join(", ");
  }
  return String(value);
}

/** The name of a changed field for people; the field itself where it has none. */
export function fieldName(field: string): string {
  return Object.hasOwn(AUDIT.fields, field) ? (AUDIT.fields[field] ?? field) : field;
}
