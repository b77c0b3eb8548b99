import type { FlagRow } from "../flag-row.ts";

/**
 * The address is a Tor exit, according to a list of the operator's. People use Tor for good
 * reasons, and programs for its many addresses: small weight, and even together with a busy network
 * it asks nobody for a click.
 */
export const ipTor = {
  name: "ip_tor",
  group: "network",
  label: "The address is an exit of Tor, by the operator's list.",
  weight: 0.6,
  detect: ({ network }) => network?.isTor === true,
} satisfies FlagRow;
