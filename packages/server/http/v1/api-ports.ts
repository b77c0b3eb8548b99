import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { VisitorReader } from "../visitor/visitor.ts";

/** The ports of the four public endpoints. */
export type ApiPorts = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "followKeys"
  | "settings"
  | "directory"
  | "keyUsage"
  | "siteLoad"
  | "challenges"
  | "challengeTallies"
  | "failures"
  | "scoredTokens"
  | "tokens"
  | "tokenUsage"
  | "usualEarnings"
  | "limiter"
  | "localLimiter"
  | "visitorMemory"
  | "visitMemory"
  | "collectedMemory"
  | "waveMemory"
  | "networkLists"
  | "statistics"
  | "decisions"
  | "securityEvents"
> & { readonly visitors: VisitorReader };
