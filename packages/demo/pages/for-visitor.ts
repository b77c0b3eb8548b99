import type { CustomerRedemption } from "./redeem-as-customer.ts";

/** Members of an answer and of its `data` that tell visitors nothing new. Only these are shown. */
const TOLD = ["success", "data", "reasonCode", "error"];
const TOLD_OF_DATA = [
  "verified",
  "hostname",
  "action",
  "timestamp",
  "challenge_ts",
  "cdata",
  "error_codes",
  "reasonCode",
];

function pick(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const entries = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
  return Object.fromEntries(entries.filter(([name]) => names.includes(name)));
}

/**
 * The redemption as visitors may see it: without the score, and without anything else that shows
 * how they were scored (D4, sealed token; D9, submission).
 */
export function forVisitor(redemption: CustomerRedemption): CustomerRedemption {
  if (redemption.kind === "unavailable") return redemption;
  const answer = pick(redemption.answer, TOLD);
  const data = "data" in answer ? { data: pick(answer.data, TOLD_OF_DATA) } : {};
  return { ...redemption, answer: { ...answer, ...data } };
}
