import type { FlagRow } from "../flag-row.ts";

/**
 * The visitor had no JavaScript and waited instead (D18, no JavaScript): nothing was observed, and
 * only time was spent. People who turn JavaScript off, and text browsers, raise it as much as any
 * program that can wait. Alone it never blocks.
 */
export const noScript = {
  name: "no_script",
  group: "environment",
  label: "Waited for the token, without JavaScript.",
  weight: 2.1,
  floor: 0.3,
  detect: ({ isScriptless }) => isScriptless === true,
} satisfies FlagRow;
