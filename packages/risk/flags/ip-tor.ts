import type { FlagRow } from "../flag-row.ts";

/**
 * The address is a Tor exit, according to the operator's list. People use Tor for good reasons, and
 * programs for its addresses, so even with a busy network it asks nobody for a click.
 */
export const ipTor = {
  name: "ip_tor",
  group: "network",
  label: "The address is a Tor exit, according to the operator's list.",
  weight: 0.6,
  detect: ({ network }) => network?.isTor === true,
} satisfies FlagRow;
