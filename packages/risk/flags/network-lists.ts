import type { Detector } from "../evidence.ts";

/**
 * The address is an exit of Tor, says a list of the operator's. People use Tor for good reasons, and programs for its
 * many addresses: small weight, and together with a busy network still nobody's click.
 */
export const ipTor: Detector = ({ network }) => network?.isTor === true;

/**
 * The address belongs to a data centre, says a list of the operator's (CIDRs that hosts publish, or networks by AS number).
 * Programs run there; so do VPNs, company gateways and the relays of private browsing, with people behind them: small
 * weight. Most exits of Tor stand in data centres: one cause counts once.
 */
export const ipDatacenter: Detector = (evidence) => evidence.network?.isDatacenter === true && !ipTor(evidence);
