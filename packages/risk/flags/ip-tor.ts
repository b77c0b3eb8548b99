import type { FlagRow } from "../flag-row.ts";

/**
 * The address is an exit of Tor, says a list of the operator's. People use Tor for good reasons, and programs for its
 * many addresses: small weight, and together with a busy network still nobody's click.
 */
export const ipTor = {
  name: "ip_tor",
  group: "network",
  label: "The address is an exit of Tor, by the operator's list.",
  weight: 0.6,
  detect: ({ network }) => network?.isTor === true,
} satisfies FlagRow;
