import type { FlagRow } from "../flag-row.ts";

/**
 * Signals that the widget always sends are absent or malformed (D9, submission): such visitors are
 * asked to click.
 */
export const signalsWithheld = {
  name: "signals_withheld",
  group: "environment",
  label: "Observations that the widget always sends are missing.",
  weight: 2.1,
  floor: 0.3,
  detect: (evidence) => evidence.environment === "withheld" || evidence.behaviour === "withheld",
} satisfies FlagRow;
