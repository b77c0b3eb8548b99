import type { FlagRow } from "../flag-row.ts";

/** The visitor asked for the reduced work. Browsers in Lockdown mode do: it asks for a click, it never blocks. */
export const powFallback = {
  name: "pow_fallback",
  group: "environment",
  label: "Solved the reduced work for browsers without WebAssembly.",
  weight: 2.1,
  floor: 0.3,
  detect: (evidence) => evidence.solve?.isFallback === true,
} satisfies FlagRow;
