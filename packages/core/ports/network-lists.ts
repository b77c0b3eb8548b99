import type { ClientAddress } from "../domain/client-address.ts";
import type { NetworkEvidence } from "@stile/risk/evidence";

/** The operator's lists of networks; without any, no address is on one. */
export interface NetworkLists {
  find(address: ClientAddress): NetworkEvidence;
}
