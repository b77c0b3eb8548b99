import type { Detector, RiskEvidence } from "../evidence.ts";

/** Signals that the widget always sends are absent or malformed (D9): whoever hides them is asked to click. */
export const signalsWithheld: Detector = (evidence) =>
  evidence.environment === "withheld" || evidence.behaviour === "withheld";

const hasHistory = ({ history }: RiskEvidence): boolean =>
  history !== undefined && Object.values(history).includes(true);

/** Nothing is known of the visitor himself (D7); how busy his network is says nothing about him. */
export const lowEvidence: Detector = (evidence) => {
  const { userAgent, environment, behaviour, solve, tokenScore } = evidence;
  const known = [userAgent, environment, behaviour, solve, tokenScore];
  const hasHeaders = Object.keys(evidence.headers ?? {}).length > 0;
  return known.every((part) => part === undefined) && !hasHeaders && !hasHistory(evidence);
};
