import type { FlagRow } from "../flag-row.ts";
import { SHORT_MS } from "../press.ts";

const REGULAR_PRESSES = 5;
const REGULAR_MS = 2;

/**
 * Five presses in a row were held equally long, to within 2 ms: a constant in a program. Of
 * recorded people's series, 0.2% are like that, without taps on touchpads (under 12 ms).
 */
export const pressDwellRegular = {
  name: "press_dwell_regular",
  group: "input",
  label: "Several clicks had the same duration.",
  weight: 0.8,
  detect: ({ mouse }) => {
    const dwells = (mouse?.presses ?? []).flatMap(({ dwellMs }) => dwellMs ?? []);
    return dwells.some((_, at) => {
      const row = dwells.slice(at, at + REGULAR_PRESSES);
      if (row.length < REGULAR_PRESSES || Math.min(...row) < SHORT_MS) return false;
      return Math.max(...row) - Math.min(...row) <= REGULAR_MS;
    });
  },
} satisfies FlagRow;
