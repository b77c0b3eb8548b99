import type { NetworkEvidence } from "@stile/risk/evidence";
import type { ClientAddress } from "../../domain/visitor/ip-address.ts";

/** The operator's lists of networks; without any, no address is on one. */
export interface NetworkLists {
  find(address: ClientAddress): NetworkEvidence;
}
