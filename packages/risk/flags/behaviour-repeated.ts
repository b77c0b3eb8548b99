import type { FlagRow } from "../flag-row.ts";

/**
 * Another network handed in the very same pointer and key times of this site within a day, sample by sample: a recording is
 * played, or made-up signals are used again. No two people do that: times have tenths of a millisecond. One's own page does
 * hand the same in again; the history leaves out the visitor's own networks.
 */
export const behaviourRepeated = {
  name: "behaviour_repeated",
  group: "input",
  label: "Another network did the very same before.",
  weight: 3.6,
  detect: ({ history }) => history?.isBehaviourRepeated === true,
} satisfies FlagRow;
