import type { NetworkEvidence } from "@stile/risk/evidence";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";

/** The operator's lists of networks; without any, no address is on one. */
export interface NetworkLists {
  find(address: IpAddress): NetworkEvidence;
}
