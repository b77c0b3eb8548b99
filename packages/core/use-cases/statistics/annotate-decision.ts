import type { DecisionLabel } from "@stile/protocol/dashboard-statistics";
import { firstIdOf, isDecision } from "../../domain/statistics/decision.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { authenticateSecret, type Caller } from "../../services/site/authenticate-secret.ts";
import { siteEntry } from "../../services/site/own-site.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "keyUsage"
  | "localLimiter"
  | "securityEvents"
  | "decisions"
>;

/** The actor of labels that the customer's server writes. */
const SERVER = { userId: null, name: "site's secret key" };

/**
 * Labels the decision on the visit that earned a token, for the customer's server, which knows from
 * its token only when its challenge was solved. `not_found` if no visit or several were scored in
 * that millisecond: a wrong label would teach the wrong thing. The label is read only with a right
 * secret key.
 */
export async function annotateDecision(
  ports: Ports,
  caller: Caller,
  challengeAtMs: number,
  readLabel: () => DecisionLabel | undefined,
): Promise<"labelled" | "not_found" | "denied" | "no_label"> {
  const authentication = await authenticateSecret(ports, caller);
  if (authentication.kind !== "site") return "denied";
  const label = readLabel();
  if (label === undefined) return "no_label";
  const { site } = authentication;
  const { siteKey, name } = site;
  // A decision is written within a second.
  await ports.decisions.flush();
  const beforeId = firstIdOf(challengeAtMs + 1);
  const listed = await ports.decisions.list({ siteKey, limit: 2, beforeId });
  const made = listed.filter((entry) => isDecision(entry) && entry.atMs === challengeAtMs);
  const [decision] = made;
  if (decision === undefined || made.length > 1) return "not_found";
  const { decisionId } = decision;
  const entry = siteEntry(ports, { actor: SERVER, action: "decision_labelled" }, site);
  const named = { ...entry, subject: `${decisionId} of ${name}` };
  const isLabelled = await ports.decisions.setLabel({ siteKey, decisionId, label }, named);
  return isLabelled ? "labelled" : "not_found";
}
