import type { FlagRow } from "../flag-row.ts";

/**
 * The same signed observations came a second time (D7, score request). A customer's retry does that
 * too, so alone it never blocks.
 */
export const signalsReplayed = {
  name: "signals_replayed",
  group: "history",
  label: "The same observations were sent before.",
  weight: 2.5,
  detect: ({ history }) => history?.isSignalsReplayed === true,
} satisfies FlagRow;
