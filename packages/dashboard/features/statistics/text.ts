import type { DoorReason } from "@stile/protocol/dashboard-statistics";
import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";

/** Why a request was refused before scoring. */
export const REFUSALS: Readonly<Record<DoorReason, string>> = {
  domain_mismatch: "The page's host is not among the site's domains",
  site_disabled: "The site is disabled",
  rate_limited: "Too many challenges within a minute",
  solution_rejected: "The solution was wrong, late or already used",
};

/** A label for a flag; a newer service may send one that this page does not know. */
export function flagLabel(flag: RiskFlag): string {
  return (RISK_FLAGS as Readonly<Record<string, { readonly label: string }>>)[flag]?.label ?? flag;
}
