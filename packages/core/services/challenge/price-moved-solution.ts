import type { Challenge } from "@stile/pow/challenge";
import { isLetThrough } from "../../domain/challenge/decide-submission.ts";
import type { Limited } from "../../domain/rate-window.ts";
import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { browserScope } from "../visitor/browser-scope.ts";
import { clientScope } from "../visitor/client-scope.ts";
import type { Submission } from "./check-work.ts";
import { drawForNetwork } from "./terms/challenge-budget.ts";
import { isWorthHere } from "./terms/challenge-terms.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "challengeTallies"
  | "tokenUsage"
  | "usualEarnings"
  | "visitorMemory"
>;

/**
 * The price of submitting a solution from this network. `cheap`: the work would have been harder
 * here.
 */
export type NetworkPrice = { readonly kind: "paid" | "cheap" } | Limited;

/**
 * Treats a solution that moved as if its challenge had been drawn in the network that submits it:
 * it counts toward the limits here too, and must cost as much as in the more expensive network. If
 * the browser owes a step-up in this network, a solution of a first challenge counts as too cheap.
 */
export async function priceMovedSolution(
  ports: Ports,
  site: Site,
  challenge: Challenge,
  { visitor, actionName }: Submission,
): Promise<NetworkPrice> {
  const { cryptography } = ports;
  const client = clientScope(cryptography, visitor.address);
  const drawn = await drawForNetwork(ports, { site, visitor, client, actionName });
  if (!drawn.draw.isAdmitted) return { kind: "limited", limit: drawn.draw.limit };
  const mustStepUp = ports.visitorMemory.mustStepUp(
    site.siteKey,
    browserScope(cryptography, visitor),
    drawn.nowMs,
  );
  const isStageRight = !mustStepUp || challenge.stage !== "first" || isLetThrough(site, visitor);
  return { kind: isStageRight && isWorthHere(challenge, site, drawn) ? "paid" : "cheap" };
}
