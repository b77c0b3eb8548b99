import type { NetworkEvidence } from "@stile/risk/evidence";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";

/** The operator's lists of networks. Without any, no address is on a list. */
export interface NetworkLists {
  find(address: IpAddress): NetworkEvidence;
}
