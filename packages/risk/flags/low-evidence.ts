import type { RiskEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

const hasHistory = ({ history }: RiskEvidence): boolean =>
  history !== undefined && Object.values(history).includes(true);

/** Nothing else is known of the visitor (D7); how busy their network is says nothing about them. */
export const lowEvidence = {
  name: "low_evidence",
  group: "history",
  label: "Too little is known to judge.",
  weight: 2.1,
  floor: 0.3,
  detect: (evidence) => {
    const { userAgent, environment, behaviour, solve, tokenScore } = evidence;
    const known = [userAgent, environment, behaviour, solve, tokenScore];
    const hasHeaders = Object.keys(evidence.headers ?? {}).length > 0;
    return known.every((part) => part === undefined) && !hasHeaders && !hasHistory(evidence);
  },
} satisfies FlagRow;
