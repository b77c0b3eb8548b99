/** What is known of a visitor's network, as the risk score takes it. */
export type { FarmEvidence, NetworkEvidence, TokenFates } from "@stile/risk/evidence";
