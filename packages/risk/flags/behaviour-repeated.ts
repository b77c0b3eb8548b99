import type { FlagRow } from "../flag-row.ts";

/**
 * Another network handed in the very same pointer and key times on this site within a day, sample
 * by sample: a recording is replayed, or made-up signals are reused. No two people do that, since
 * times have tenths of a millisecond; where they have whole ones or less, what is short (Enter, a
 * tap) is not compared. A visitor's own page may hand in the same again; the history leaves out the
 * visitor's own networks.
 */
export const behaviourRepeated = {
  name: "behaviour_repeated",
  group: "input",
  label: "Another network did the very same before.",
  weight: 3.6,
  detect: ({ history }) => history?.isBehaviourRepeated === true,
} satisfies FlagRow;
