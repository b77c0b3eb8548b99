import type { Challenge } from "@stile/pow/challenge";
import { isLetThrough } from "../../domain/challenge/decide-submission.ts";
import type { LimitState } from "../../domain/rate-window.ts";
import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { drawForNetwork } from "../challenge/challenge-budget.ts";
import { isWorthHere } from "../challenge/challenge-terms.ts";
import type { Submission } from "../challenge/check-work.ts";
import { browserScope } from "./browser-scope.ts";
import { clientScope } from "./client-scope.ts";
import { keyReference } from "./key-reference.ts";
import { digestAddress } from "./visitor-digests.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "settings" | "directory" | "challengeTallies" | "tokenUsage" | "visitorMemory"
>;

/** The price of submitting a solution from this network. `cheap`: the work would have been harder here. */
export type NetworkPrice =
  | { readonly kind: "paid" }
  | { readonly kind: "cheap" }
  | { readonly kind: "limited"; readonly limit: LimitState };

/**
 * Whether a solution is submitted from another network than the one its challenge was issued to: another /24 or /48,
 * the other family, or one of the two unknown. Mobile networks and relays do that to people from one request to the
 * next (D9).
 */
export function hasChangedNetwork(
  cryptography: Pick<ServicePorts, "cryptography">["cryptography"],
  challenge: Challenge,
  { visitor }: Pick<Submission, "visitor">,
): boolean {
  const key = keyReference(challenge.keyId, "binding", challenge.issuedAtMs);
  const here = digestAddress(cryptography, key, visitor.bindingAddress);
  const isSameFamily = here.addressFamily === challenge.addressFamily;
  return !isSameFamily || !cryptography.isEqual(here.prefixDigest, challenge.prefixDigest);
}

/**
 * Treats a solution that moved as if its challenge had been drawn in the network it is submitted from: it counts toward
 * the limits here too, and must cost what the dearer network asks. A browser that must step up here has to have done
 * so.
 */
export async function priceWhereHandedIn(
  ports: Ports,
  site: Site,
  challenge: Challenge,
  { visitor, actionName }: Submission,
): Promise<NetworkPrice> {
  const { cryptography } = ports;
  const client = clientScope(cryptography, visitor.address);
  const drawn = await drawForNetwork(ports, { site, visitor, client, actionName });
  if (!drawn.draw.isAdmitted) return { kind: "limited", limit: drawn.draw.limit };
  const mustStepUp = ports.visitorMemory.mustStepUp(site.siteKey, browserScope(cryptography, visitor), drawn.nowMs);
  const isStageRight = !mustStepUp || challenge.stage === "stepped_up" || isLetThrough(site, visitor);
  return { kind: isStageRight && isWorthHere(challenge, site, drawn) ? "paid" : "cheap" };
}
