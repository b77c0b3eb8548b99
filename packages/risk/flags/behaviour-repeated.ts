import type { FlagRow } from "../flag-row.ts";

/**
 * Another network submitted exactly the same pointer and key times on this site within a day:
 * somebody replays a recording or reuses synthetic signals. No two people do that, since times have
 * tenths of a millisecond; where clocks are coarser, short input (Enter, a tap) is not compared. A
 * visitor's own networks are left out.
 */
export const behaviourRepeated = {
  name: "behaviour_repeated",
  group: "input",
  label: "Another network behaved in exactly the same way before.",
  weight: 3.6,
  detect: ({ history }) => history?.isBehaviourRepeated === true,
} satisfies FlagRow;
