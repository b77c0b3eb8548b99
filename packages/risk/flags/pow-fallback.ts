import type { FlagRow } from "../flag-row.ts";

/**
 * The visitor asked for the reduced work, as browsers in Lockdown mode do. The first few of a
 * network that took as long as an interpreter are excused; the others are never blocked for it.
 */
export const powFallback = {
  name: "pow_fallback",
  group: "environment",
  label: "Solved the reduced work for browsers without WebAssembly.",
  weight: 2.1,
  floor: 0.3,
  isShadowFor: ({ solve }) => solve?.isFallbackExcused === true,
  detect: (evidence) => evidence.solve?.isFallback === true,
} satisfies FlagRow;
