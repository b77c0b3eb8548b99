import type { FlagRow } from "../flag-row.ts";
import { ipTor } from "./ip-tor.ts";

/**
 * The address belongs to a data centre, according to the operator's list (CIDRs of hosts, or
 * networks by AS number). Programs run there; so do VPNs, company gateways and relays with people
 * behind them. If it is a Tor exit, too, one cause counts once.
 */
export const ipDatacenter = {
  name: "ip_datacenter",
  group: "network",
  label: "The address is in a data centre, according to the operator's list.",
  weight: 0.6,
  detect: (evidence) => evidence.network?.isDatacenter === true && !ipTor.detect(evidence),
} satisfies FlagRow;
